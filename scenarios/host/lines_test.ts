import { assertEquals, assertThrows } from "@std/assert";
import { printFormatted } from "../../core/services/stdio/print_formatted.ts";
import {
  allLines,
  checkWritten,
  LINE_FORMAT,
  lineCount,
  LineFile,
  lineText,
  lineValue,
  REWIND_BYTES,
} from "./lines.ts";

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

Deno.test("LineFile counts what it writes, begins again when it is long, and goes", () => {
  const file = LineFile.create();
  const { path } = file;
  {
    using other = LineFile.open(path);
    assertEquals(other.write(new Uint8Array([65, 66])), 2);
  }
  assertEquals(Deno.readTextFileSync(path), "AB");
  const long = new Uint8Array(REWIND_BYTES + 1);
  assertEquals(file.write(long), long.length);
  file.write(new Uint8Array([67]));
  assertEquals(Deno.statSync(path).size, long.length, "written over, not behind");
  assertEquals(file.writtenBytes, long.length + 1);
  file[Symbol.dispose]();
  assertThrows(() => Deno.statSync(path), Deno.errors.NotFound);
});
