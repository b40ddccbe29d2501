import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { ErrnoError } from "../../signature/mod.ts";
import { gated } from "./testdata/gated.ts";

Deno.test("each call has one line: what it was, the verdict, and what came of it", () => {
  const { demo, entries } = gated();
  const box = demo.open("a.txt")!;
  demo.put(box, new Uint8Array(3), "text", 1n);
  demo.close(box);
  assertEquals(entries(), [
    { call: "demo.open", arguments: ["a.txt"], verdict: "allow", result: { handle: "Box 1" } },
    {
      call: "demo.put",
      arguments: [{ handle: "Box 1" }, { bytes: 3 }, [
        { type: "string", value: "text" },
        { type: "i64", value: { bigint: "1" } },
      ]],
      verdict: "allow",
      result: 3,
    },
    { call: "demo.close", arguments: [{ handle: "Box 1" }], verdict: "allow" },
  ]);
});

Deno.test("a call is denied before the function runs, and rewritten where a rule says so", () => {
  const { demo, entries, state } = gated();
  const error = assertThrows(() => demo.open("denied"), ErrnoError);
  assertEquals(error.code, "EPERM");
  demo.open("other");
  assertEquals(state.made, ["open else"]);
  assertEquals(demo.sqrt(9), 4);
  assertThrows(() => demo.sqrt(-1), CallError, "operation not permitted");
  assertEquals(entries(), [
    { call: "demo.open", arguments: ["denied"], verdict: "deny", errno: "EPERM" },
    {
      call: "demo.open",
      arguments: ["other"],
      verdict: "rewrite",
      became: ["else"],
      result: { handle: "Box 1" },
    },
    { call: "demo.sqrt", arguments: [9], verdict: "rewrite", became: [16], result: 4 },
    {
      call: "demo.sqrt",
      arguments: [-1],
      verdict: "deny",
      error: "the policy failed: a rule that fails",
      errno: "EPERM",
    },
  ]);
});

Deno.test("what fails is logged, and nothing of where in the host it failed is told", () => {
  const { demo, entries } = gated();
  const errno = assertThrows(() => demo.open("none"), ErrnoError);
  assertEquals([errno.code, errno.message.includes("secret")], ["ENOENT", false]);
  const text = "x\n\u001b[2J";
  const error = assertThrows(() => demo.fail(text), CallError);
  const cause = error.cause as Error;
  assertEquals([cause.name, cause.message], ["RangeError", text]);
  assert(!`${cause.stack}`.includes("gated.ts"), cause.stack);
  assertEquals(entries(), [
    { call: "demo.open", arguments: ["none"], verdict: "allow", errno: "ENOENT" },
    { call: "demo.fail", arguments: [text], verdict: "allow", error: `RangeError: ${text}` },
  ]);
});

Deno.test("no call is made while the log takes no line, and it says so afterwards", () => {
  const { demo, entries, state } = gated();
  state.isBroken = true;
  assertThrows(() => demo.open("a"), CallError, "without the audit log"); // made, but not given
  assertThrows(() => demo.open("b"), CallError, "without the audit log");
  assertThrows(() => demo.open("denied"), CallError, "without the audit log");
  assertEquals(state.made, ["open a"]);
  state.isBroken = false;
  demo.open("c");
  assertEquals(state.made, ["open a", "open c"]);
  assertEquals(entries().map(({ call, error }) => error ?? call), [
    "3 lines were lost",
    "demo.open",
  ]);
});
