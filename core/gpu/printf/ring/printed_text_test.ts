import { assertEquals } from "@std/assert";
import { orderCalls } from "./printed_text.ts";
import type { PrintedCall, PrintfPlace } from "./read_ring.ts";

const position = { line: 1, column: 1 };

function call(workgroupIndex: number, laneIndex: number, text: string): PrintedCall {
  return { text, place: { stage: "compute", workgroupIndex, laneIndex }, position };
}

function pixel(x: number, y: number, text: string): PrintedCall {
  const place: PrintfPlace = { stage: "fragment", x, y };
  return { text, place, position };
}

function text(calls: readonly PrintedCall[], options = {}): string {
  return orderCalls(calls, options).map(({ text }) => text).join("");
}

Deno.test("by invocation: workgroups, lanes, then as they came", () => {
  const calls = [call(1, 0, "a"), call(0, 10, "b"), call(0, 9, "c"), call(1, 0, "d")];
  assertEquals(text(calls), "cbad");
  assertEquals(text(calls, { order: "invocation" }), "cbad");
});

Deno.test("by arrival: as they came", () => {
  assertEquals(text([call(1, 0, "a"), call(0, 1, "b")], { order: "arrival" }), "ab");
});

Deno.test("pixels are in the order of rows, behind the lanes", () => {
  assertEquals(
    text([pixel(2, 1, "a"), pixel(9, 0, "b"), pixel(1, 1, "c"), call(9, 9, "d")]),
    "dbca",
  );
});

Deno.test("labels begin each line", () => {
  const calls = [
    call(0, 0, "a\nb"),
    call(0, 0, "c\n"),
    call(2, 31, "d\n\ne\n"),
    pixel(1, 2, "f\n"),
  ];
  assertEquals(
    text(calls, { isLabelled: true }),
    "[0:0] a\n[0:0] bc\n[2:31] d\n[2:31] \n[2:31] e\n[pixel 1,2] f\n",
  );
});

Deno.test("a label says who goes on with a line of another", () => {
  const calls = [call(0, 0, "a"), call(0, 1, ""), call(0, 1, "b"), call(0, 0, "c\n")];
  assertEquals(text(calls, { isLabelled: true, order: "arrival" }), "[0:0] a[0:1] b[0:0] c\n");
});
