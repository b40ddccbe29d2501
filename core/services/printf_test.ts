import { assertEquals, assertThrows } from "@std/assert";
import { servePrintf } from "./printf.ts";

/** A stream as a kernel sends it. */
function stream(format: string, ...words: readonly number[]): Uint8Array {
  const bytes = new TextEncoder().encode(format);
  const all = new Uint8Array(4 + Math.ceil(bytes.length / 4) * 4 + words.length * 4);
  new Uint32Array(all.buffer, 0, 1)[0] = bytes.length;
  all.set(bytes, 4);
  new Uint32Array(all.buffer, all.length - words.length * 4).set(words);
  return all;
}

function textOf(format: string, ...words: readonly number[]): string {
  return new TextDecoder().decode(servePrintf(stream(format, ...words)));
}

Deno.test("servePrintf() makes text of a format and words", () => {
  const [float] = new Uint32Array(new Float32Array([1.5]).buffer);
  assertEquals(textOf("%u|%5d|%x|%.2f%%\n", 7, -3 >>> 0, 255, float!), "7|   -3|ff|1.50%\n");
  assertEquals(textOf("é %v2u", 1, 2), "é (1, 2)");
  assertEquals(textOf("%*u", 4, 5), "   5");
  assertEquals(textOf(""), "");
});

Deno.test("servePrintf() reads a stream that begins anywhere in its memory", () => {
  const wide = new Uint8Array(40);
  const bytes = stream("%u", 42);
  wide.set(bytes, 3);
  assertEquals(new TextDecoder().decode(servePrintf(wide.subarray(3, 3 + bytes.length))), "42");
});

Deno.test("servePrintf() refuses what no kernel sends", () => {
  assertThrows(() => servePrintf(new Uint8Array(2)), RangeError);
  assertThrows(() => textOf("%u %u", 1), RangeError);
  assertThrows(() => textOf("%s"), TypeError, "current conversion is %s");
  assertThrows(() => textOf("%v", 1), TypeError, "current conversion is %v");
  assertThrows(() => textOf("%y"), TypeError);
  const long = stream("abcd");
  long[0] = 5;
  assertThrows(() => servePrintf(long), RangeError, "within 8 bytes: current length is 5");
});
