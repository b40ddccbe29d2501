import { assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { callerOf, ConsumedError, Place } from "./consumption.ts";

function library(): Place {
  return new Place("send()", library);
}

Deno.test("a Place names the line of the program, not of the library", () => {
  const place = library(); // this line
  const line = new Error().stack!.split("\n").find((frame) => frame.includes("consumption_test"))!;
  const number = Number(/:(\d+):\d+/.exec(line)![1]) - 1;
  assertMatch(`${place}`, new RegExp(`^send\\(\\) at \\S*consumption_test\\.ts:${number}:\\d+$`));
});

Deno.test("a Place reads the stacks of every engine", () => {
  const stacks: Readonly<Record<string, string>> = {
    "Error: x\n    at send (file:///a.ts:1:2)\n    at file:///b.ts:3:4": "at file:///a.ts:1:2",
    "Error: x\n    at file:///b.ts:3:4": "at file:///b.ts:3:4",
    "Error: x\n    at async Foo.bar (http://x:80/c.ts:5:6)": "at http://x:80/c.ts:5:6",
    "send@http://x/d.ts:7:8\n@http://x/e.ts:9:10": "at http://x/d.ts:7:8",
    "": "at an unknown place",
  };
  for (const [stack, expected] of Object.entries(stacks)) {
    assertEquals(callerOf(stack), expected);
  }
});

Deno.test("a ConsumedError is a broken invariant that carries the other stack", () => {
  const place = library();
  const error = new ConsumedError("a port is used once", place);
  assertInstanceOf(error, InvariantError);
  assertEquals(error.message, "Invariant broken: a port is used once");
  assertEquals(error.name, "ConsumedError");
  assertMatch((error.cause as Error).stack!, /^Error: send\(\) was called here\n\s+at .*_test\.ts/);
});
