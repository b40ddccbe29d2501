import { assertEquals, assertThrows } from "@std/assert";
import { TextWriter } from "../text/text_writer.ts";
import { FORMAT_BEFORE, PrintfStreams } from "./printf.ts";

/** A stream as a kernel sends it. */
function stream(format: string, ...words: readonly number[]): Uint8Array {
  const bytes = new TextEncoder().encode(format);
  const all = new Uint8Array(4 + Math.ceil(bytes.length / 4) * 4 + words.length * 4);
  new Uint32Array(all.buffer, 0, 1)[0] = bytes.length;
  all.set(bytes, 4);
  new Uint32Array(all.buffer, all.length - words.length * 4).set(words);
  return all;
}

const streams = new PrintfStreams();

function printed(bytes: Uint8Array): string {
  const writer = new TextWriter();
  const values = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  streams.addTo(writer, values, bytes.length);
  return new TextDecoder().decode(writer.written);
}

function textOf(format: string, ...words: readonly number[]): string {
  return printed(stream(format, ...words));
}

Deno.test("PrintfStreams make text of a format and words", () => {
  const [float] = new Uint32Array(new Float32Array([1.5]).buffer);
  assertEquals(textOf("%u|%5d|%x|%.2f%%\n", 7, -3 >>> 0, 255, float!), "7|   -3|ff|1.50%\n");
  assertEquals(textOf("é %v2u", 1, 2), "é (1, 2)");
  assertEquals(textOf("%*u", 4, 5), "   5");
  assertEquals(textOf(""), "");
});

Deno.test("PrintfStreams read a stream that begins anywhere in its memory", () => {
  const wide = new Uint8Array(40);
  const bytes = stream("%u", 42);
  wide.set(bytes, 3);
  assertEquals(printed(wide.subarray(3, 3 + bytes.length)), "42");
});

Deno.test("a stream holds several records, and a later one may name the format of an earlier", () => {
  const words = (bytes: Uint8Array) => [...new Uint32Array(bytes.buffer)];
  const first = words(stream("%u,", 1));
  const second = words(stream("%d%d;", 2, 3));
  const all = [
    ...first,
    ...second,
    FORMAT_BEFORE,
    4,
    FORMAT_BEFORE + first.length * 4,
    5,
    6,
  ];
  assertEquals(printed(new Uint8Array(new Uint32Array(all).buffer)), "1,23;4,56;");
});

Deno.test("formats of one length are told apart, also when more were met than are kept", () => {
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 300; number++) {
      const name = String(number).padStart(3, "0");
      assertEquals(textOf(`${name} %u`, round), `${name} ${round}`);
    }
  }
});

Deno.test("PrintfStreams refuse what no kernel sends", () => {
  assertThrows(() => printed(new Uint8Array(2)), RangeError, "current end is 4");
  assertThrows(() => textOf("%u %u", 1), RangeError, "within 16 bytes: current end is 20");
  assertThrows(() => textOf("%s"), TypeError, "current conversion is %s");
  assertThrows(() => textOf("%v", 1), TypeError, "current conversion is %v");
  assertThrows(() => textOf("%y"), TypeError);
  const long = stream("abcd");
  long[0] = 5;
  assertThrows(() => printed(long), RangeError, "within 8 bytes: current end is 9");
});

Deno.test("a record may name formats in front of it only", () => {
  const first = [...new Uint32Array(stream("%u,", 1).buffer)];
  for (const byte of [12, 16, 0x7fff_fffc, 2]) {
    const all = [...first, FORMAT_BEFORE + byte, 4];
    const bytes = new Uint8Array(new Uint32Array(all).buffer);
    assertThrows(() => printed(bytes), RangeError, `current byte is ${byte}`);
  }
});

Deno.test("a stream that names a long format over and over ends at a limit", () => {
  const words = new Uint32Array(1 << 18).fill(FORMAT_BEFORE);
  const format = stream("x".repeat(1 << 19));
  words.set(new Uint32Array(format.buffer));
  assertThrows(() => printed(new Uint8Array(words.buffer)), RangeError, "may have 67108864 bytes");
});

Deno.test("numbers of another stream in the same memory are not shown", () => {
  const writer = new TextWriter();
  const values = new DataView(stream("%u", 42).buffer);
  assertThrows(() => streams.addTo(writer, values, 8), RangeError, "within 8 bytes");
});
