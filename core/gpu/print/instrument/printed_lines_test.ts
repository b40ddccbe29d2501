import { assertEquals } from "@std/assert";
import type { PrintedCall } from "../ring/ring_records.ts";
import { printedLines } from "./printed_lines.ts";

function call(text: string, laneIndex: number, line = 1): PrintedCall {
  return {
    text,
    place: { stage: "compute", workgroupIndex: 0, laneIndex },
    position: { line, column: 3 },
    dispatch: { index: 0, label: "pass" },
    isAssert: false,
  };
}

function messages(calls: readonly PrintedCall[], linesMax = 10) {
  const { lines, leftCount } = printedLines("a.wgsl", calls, { callCount: calls.length, linesMax });
  return { lines: lines.map(({ message }) => message), leftCount };
}

Deno.test("a line ends with a line feed, or where another invocation goes on", () => {
  const calls = [call("x ", 0, 4), call("y\n", 0, 5), call("z", 0, 6), call("w\n\nv", 1, 7)];
  assertEquals(messages(calls), {
    lines: [
      "a.wgsl:4 [pass 0:0] x y",
      "a.wgsl:6 [pass 0:0] z",
      "a.wgsl:7 [pass 0:1] w",
      "a.wgsl:7 [pass 0:1] ",
      "a.wgsl:7 [pass 0:1] v",
    ],
    leftCount: 0,
  });
});

Deno.test("calls beyond the most lines are counted", () => {
  const calls = [0, 1, 2, 3, 4].map((lane) => call("a\n", lane));
  assertEquals(messages(calls, 2).leftCount, 3);
  assertEquals(messages(calls, 0), { lines: [], leftCount: 5 });
});
