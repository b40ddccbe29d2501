import { assert, assertEquals, assertThrows } from "@std/assert";
import { Deadline } from "../wait/deadline.ts";
import { cutStack, guardOf, readAnswer } from "./answer.ts";
import { FrameKind } from "./line/line_end.ts";

Deno.test("readAnswer() returns a result, and throws what was thrown with the caller's lines behind", () => {
  assertEquals(readAnswer({ kind: FrameKind.result, id: 1, value: 7 }, 1), 7);
  assertThrows(
    () => readAnswer({ kind: FrameKind.result, id: 1, error: new RangeError("no") }, 1),
    RangeError,
  );
  function callHere(): unknown {
    const value = Object.assign(new TypeError("there"), {
      stack: "TypeError: there\n    at there.ts",
    });
    return readAnswer({ kind: FrameKind.thrown, id: 1, value }, 1);
  }
  const { stack } = assertThrows(callHere, TypeError, "there");
  const [there, here] = stack!.split("\n    at <the call>\n");
  assertEquals(there, "TypeError: there\n    at there.ts");
  assert(here!.includes("callHere"), here);
});

Deno.test("guardOf() ends a wait whose time is over", () => {
  const guard = guardOf(new Deadline({ timeoutSeconds: 0 }), "add");
  assertEquals(guard.leftMilliseconds, 0);
  assertThrows(() => guard.check(), DOMException, "Cannot finish the call of add within 0 s");
});

Deno.test("cutStack() cuts this library's lines, and none of an earlier call", () => {
  const error = (stack: string) => Object.assign(new Error("no"), { stack });
  const own = "    at CallServer.#run (x.ts)\n    at pump (y.ts)";
  for (
    const [stack, left] of [
      [`Error: no\n    at f (a.ts)\n${own}`, "Error: no\n    at f (a.ts)"],
      [
        `Error: no\n    at <the call>\n    at g (b.ts)\n${own}`,
        "Error: no\n    at <the call>\n    at g (b.ts)",
      ],
      ["Error: no\n    at f (a.ts)", "Error: no\n    at f (a.ts)"],
      [
        "Error: no\n    at f (a.ts)\n    at async CallServer.#answerLater (x.ts)",
        "Error: no\n    at f (a.ts)",
      ],
      [
        "Error: no\n    at f (a.ts)\n    at #callWithAll (x.ts)\n    at x.ts:1:2",
        "Error: no\n    at f (a.ts)",
      ],
    ] as const
  ) {
    const thrown = error(stack);
    cutStack(thrown);
    assertEquals(thrown.stack, left);
  }
  const frozen = Object.freeze(error(`Error: no\n${own}`));
  cutStack(frozen);
  cutStack("no error");
  assert(frozen.stack.includes("CallServer"));
});
