import fc from "fast-check";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseFormat } from "../../../text/conversion.ts";
import {
  bytesOf,
  type PrintedCall,
  type PrintfFormat,
  type PrintfPlace,
  readRing,
  recordFormats,
  recordWords,
  reportOf,
  shownCalls,
} from "./ring_records.ts";
import { ringHeadWords } from "./ring_buffer.ts";

const FORMATS: readonly PrintfFormat[] = ["a\n", "%d %.1f\n", "%v3u", "%*d"].map((text, index) => ({
  position: { line: index + 1, column: 1 },
  pieces: parseFormat(text),
}));

const bits = new Uint32Array(new Float32Array([2.5]).buffer)[0]!;
const CALL = 1 << 22;
const PIXEL = 0x800;
/** Counters, filter and counts of the calls. */
function head(
  formats: readonly PrintfFormat[],
  [used, lost]: readonly [number, number],
): number[] {
  return [used, lost, ...Array(ringHeadWords(formats.length) - 2).fill(0)];
}
const A = [CALL, 0];
const B = [2 * CALL | 3, 5, -7 >>> 0, bits];
const C = [3 * CALL | PIXEL, 20 << 16 | 10, 1, 2, 0xffffffff];
const D = [4 * CALL | 7 << 12, 0, 4, -1 >>> 0];

function ring(words: readonly number[], { used = words.length, lost = 0, room = 0 } = {}) {
  const all = new Uint32Array([...head(FORMATS, [used, lost]), ...words, ...Array(room).fill(0)]);
  const { records, ...counts } = readRing(all, recordFormats(FORMATS), {
    labels: ["", ...Array(6).fill("x"), "seven"],
  });
  return { calls: [...records.calls()], ...counts };
}

function texts(words: readonly number[], options = {}): string[] {
  return ring(words, options).calls.map(({ text }) => text);
}

Deno.test("recordWords() counts the head and the arguments", () => {
  assertEquals(FORMATS.map(recordWords), [A, B, C, D].map(({ length }) => length));
});

Deno.test("readRing() reads records, with who made them and where they stand", () => {
  const { calls, lostCount, damagedWords } = ring([...A, ...B, ...C, ...D], { lost: 9, room: 8 });
  assertEquals(
    calls,
    [
      ["a\n", { stage: "compute", workgroupIndex: 0, laneIndex: 0 }, 1],
      ["-7 2.5\n", { stage: "compute", workgroupIndex: 5, laneIndex: 3 }, 2],
      ["(1, 2, 4294967295)", { stage: "fragment", x: 10, y: 20 }, 3],
      ["  -1", { stage: "compute", workgroupIndex: 0, laneIndex: 0 }, 4],
    ].map(([text, place, line]) => ({
      text,
      place,
      position: { line, column: 1 },
      dispatch: line === 4 ? { index: 7, label: "seven" } : { index: 0, label: "" },
      isAssert: false,
    })) as typeof calls,
  );
  assertEquals([lostCount, damagedWords], [9, 0]);
});

Deno.test("the room that a lost record has left is no damage", () => {
  assertEquals(ring([...B], { used: 9, lost: 1, room: 3 }).damagedWords, 0);
  assertEquals(ring([...B], { used: 9, lost: 1, room: 3 }).calls.length, 1);
});

Deno.test("words that are no records are counted, and end the reading", () => {
  const cases = [
    ["a call of number 0", [...A, 0, 0, ...B], 6],
    ["a call beyond the last", [...A, 5 * CALL, 0, ...B], 6],
    ["a record that is cut off", [...A, ...B.slice(0, 3)], 3],
  ] as const;
  for (const [name, words, damaged] of cases) {
    assertEquals([texts(words), ring(words).damagedWords], [["a\n"], damaged], name);
  }
});

Deno.test("a rest that is longer than any record, or holds something, is damage", () => {
  assertEquals(ring(A, { used: 20, room: 5 }).damagedWords, 5);
  assertEquals(ring([...A, 9 * CALL], { used: 20 }).damagedWords, 1);
});

Deno.test("a count beyond the ring reads no further than the ring", () => {
  assertEquals(texts([...A, ...A], { used: 0xffffffff }), ["a\n", "a\n"]);
});

Deno.test("readRing() ends with any words, and accounts for all of them", () => {
  const word = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(...A, ...B, ...C, ...D));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const { records, damagedWords } = readRing(
        new Uint32Array([...head(FORMATS, [words[0] ?? 0, 0]), ...words]),
        recordFormats(FORMATS),
      );
      const wordCount = [...records.calls()].reduce(
        (sum, { position }) => sum + recordWords(FORMATS[position.line - 1]!),
        0,
      );
      const end = Math.min(words[0] ?? 0, words.length);
      const isAll = wordCount + damagedWords === end;
      const isRest = damagedWords === 0 && (words[0] ?? 0) > words.length;
      assertEquals(isAll || isRest, true);
    }),
    { numRuns: 2000 },
  );
});

const PRINTED: readonly PrintfFormat[] = [
  { position: { line: 1, column: 1 }, pieces: parseFormat("%u,") },
];

/** Records whose texts count them: each of a lane or pixel word, and a workgroup or row. */
function recordsOf(places: readonly (readonly [low: number, high: number])[]) {
  const words = places.flatMap(([low, high], at) => [CALL | low, high, at]);
  const all = new Uint32Array([...head(PRINTED, [words.length, 0]), ...words]);
  return readRing(all, recordFormats(PRINTED)).records;
}

function numbers(places: readonly (readonly [number, number])[], order?: "arrival"): number[] {
  const calls = recordsOf(places).inOrder(order ?? "invocation").calls();
  return Array.from(calls, ({ text }) => Number(text.slice(0, -1)));
}

Deno.test("by invocation: workgroups, lanes, then as they came", () => {
  const places = [[0, 1], [10, 0], [9, 0], [0, 1]] as const;
  assertEquals(numbers(places), [2, 1, 0, 3]);
  assertEquals(numbers(places, "arrival"), [0, 1, 2, 3]);
});

Deno.test("pixels are in the order of rows, behind the lanes", () => {
  const pixels = [[2, 1], [9, 0], [1, 1]].map(([x, y]) => [PIXEL, y! << 16 | x!] as const);
  assertEquals(numbers([...pixels, [9, 9]]), [3, 1, 2, 0]);
  const later = 5 << 12; // another dispatch
  assertEquals(numbers([[later, 0], ...pixels]), [2, 3, 1, 0].map((at) => (at + 0)));
});

Deno.test("the order by invocation is that of a stable sort, for any places", () => {
  const low = fc.tuple(fc.constantFrom(0, PIXEL), fc.nat(3)).map(([mark, lane]) => mark | lane);
  const high = fc.oneof(fc.nat(3), fc.nat(0xffffffff), fc.constantFrom(0x10000, 0x1ffff));
  fc.assert(
    fc.property(fc.array(fc.tuple(low, high), { maxLength: 40 }), (places) => {
      const rank = (at: number) => {
        const [low, high] = places[at]!;
        return (low >>> 11) * 2 ** 48 + (high >>> 0) * 2 ** 11 + low % PIXEL;
      };
      const wanted = places.map((_, at) => at).toSorted((a, b) => rank(a) - rank(b));
      assertEquals(numbers(places), wanted);
    }),
    { numRuns: 50 },
  );
});

const position = { line: 1, column: 1 };
const dispatch = { index: 0, label: "" };

function call(workgroupIndex: number, laneIndex: number, text: string): PrintedCall {
  const place: PrintfPlace = { stage: "compute", workgroupIndex, laneIndex };
  return { text, place, position, dispatch, isAssert: false };
}

function pixel(x: number, y: number, text: string): PrintedCall {
  const place: PrintfPlace = { stage: "fragment", x, y };
  return { text, place, position, dispatch, isAssert: false };
}

function labelled(...calls: readonly PrintedCall[]): string {
  const how = { file: "a.wgsl", isLabelled: true };
  return Array.from(shownCalls(calls, how), ({ text }) => text).join("");
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

Deno.test("a failed assert has a line of its own, with its place, labelled or not", () => {
  const failed = { ...call(0, 1, "assertion failed: x\n"), isAssert: true };
  const calls = [call(0, 0, "a"), failed, call(0, 1, "b\n")];
  assertEquals(labelled(...calls), "[0:0] a\na.wgsl:1 [0:1] assertion failed: x\n[0:1] b\n");
  const both = [
    { position, pieces: ["a"] },
    { position, pieces: ["assertion failed: x\n"], isAssert: true },
  ];
  const second = 2 << 22;
  const words = [...head(both, [6, 0]), CALL, 0, second, 0, second | 1, 0];
  const read = readRing(new Uint32Array(words), recordFormats(both), { file: "é.wgsl" });
  const wanted = "a\né.wgsl:1 [0:0] assertion failed: x\né.wgsl:1 [0:1] assertion failed: x\n";
  const places: unknown[] = [];
  const sink = (_: string, { place, isAssert }: PrintedCall) => isAssert && places.push(place);
  assertEquals([reportOf(read, {}, 64).text, reportOf(read, { sink }, 64).text], [wanted, wanted]);
  assertEquals(places, [0, 1].map((lane) => call(0, lane, "").place));
});

const formats = recordFormats([{ position, pieces: parseFormat("\ufeff%u\n") }]);
const content = readRing(
  new Uint32Array([...head(PRINTED, [6, 2]), CALL, 0, 7, CALL, 0, 8]),
  formats,
);

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
