import { assertEquals } from "@std/assert";
import { labelCalls } from "./printed_text.ts";
import type { PrintedCall, PrintfPlace } from "./read_ring.ts";

const position = { line: 1, column: 1 };

function call(workgroupIndex: number, laneIndex: number, text: string): PrintedCall {
  return { text, place: { stage: "compute", workgroupIndex, laneIndex }, position };
}

function pixel(x: number, y: number, text: string): PrintedCall {
  const place: PrintfPlace = { stage: "fragment", x, y };
  return { text, place, position };
}

function labelled(...calls: readonly PrintedCall[]): string {
  return Array.from(labelCalls(calls), ({ text }) => text).join("");
}

Deno.test("labels begin each line", () => {
  const calls = [
    call(0, 0, "a\nb"),
    call(0, 0, "c\n"),
    call(2, 31, "d\n\ne\n"),
    pixel(1, 2, "f\n"),
  ];
  assertEquals(
    labelled(...calls),
    "[0:0] a\n[0:0] bc\n[2:31] d\n[2:31] \n[2:31] e\n[pixel 1,2] f\n",
  );
});

Deno.test("a label says who goes on with a line of another", () => {
  const calls = [call(0, 0, "a"), call(0, 1, ""), call(0, 1, "b"), call(0, 0, "c\n")];
  assertEquals(labelled(...calls), "[0:0] a[0:1] b[0:0] c\n");
});
