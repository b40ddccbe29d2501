import { assertEquals, assertThrows } from "@std/assert";
import { printFormatted } from "../../core/services/mod.ts";
import { allLines, checkWritten, LINE_FORMAT, lineCount, lineText, lineValue } from "./lines.ts";

Deno.test("lineText() is what printf makes of the format", () => {
  for (const line of [0, 1, 63, 1022]) {
    const numbers = [4095, 7, line].map((value) => ({ type: "u32", value }) as const);
    const bytes = printFormatted(LINE_FORMAT, [
      ...numbers,
      { type: "f64", value: lineValue({ line }) },
    ]);
    assertEquals(new TextDecoder().decode(bytes), lineText({ wave: 4095, lane: 7, line }));
  }
});

Deno.test("allLines() has each line once, in order", () => {
  const shape = { waveCount: 2, laneCount: 2, linesPerLane: 3 };
  const lines = new TextDecoder().decode(allLines(shape)).split("\n").slice(0, -1);
  assertEquals(lines.length, lineCount(shape));
  assertEquals([lines[0], lines[4], lines[11]], [
    "wave 0 lane 0: line 0, 0.000000",
    "wave 0 lane 1: line 1, 0.250000",
    "wave 1 lane 1: line 2, 0.500000",
  ]);
});

Deno.test("checkWritten() refuses bytes that are missing, or too many", () => {
  checkWritten(5, 5);
  assertThrows(() => checkWritten(4, 5), Error, "must have 5 bytes: current value is 4");
});
