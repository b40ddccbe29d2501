import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseFormat } from "../../../text/conversion.ts";
import { bytesOf, reportOf } from "./printf_report.ts";
import { readRing, recordFormats } from "./read_ring.ts";

const position = { line: 1, column: 1 };
const formats = recordFormats([{ position, pieces: parseFormat("\ufeff%u\n") }]);
const content = readRing(new Uint32Array([6, 2, 0x10000, 0, 7, 0x10000, 0, 8]), formats);

Deno.test("reportOf() and bytesOf() tell the same, as text, as calls and as bytes", () => {
  const texts: string[] = [];
  const report = reportOf(content, {}, 64);
  const called = reportOf(content, { sink: (text) => texts.push(text) }, 64);
  const { bytes, ...counts } = bytesOf(content, 64);
  const text = "\ufeff7\n\ufeff8\n";
  assertEquals([report.text, called.text, texts.join("")], [text, text, text]);
  assertEquals(bytes, new TextEncoder().encode(text));
  assertEquals({ text, ...counts }, report);
  assertEquals(report.callCount, 2);
  assertStringIncludes(
    report.warnings.join(),
    "2 calls of printf were lost as the ring of 64 bytes",
  );
});

Deno.test("bytesOf() gives bytes that stay", () => {
  const { bytes } = bytesOf(content, 64);
  assertEquals(bytes.byteLength, bytes.buffer.byteLength, "no view of a memory that is used again");
});

Deno.test("reportOf() labels the lines of each call", () => {
  assertEquals(reportOf(content, { isLabelled: true }, 64).text, "[0:0] \ufeff7\n[0:0] \ufeff8\n");
});
