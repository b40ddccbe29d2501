import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseFormat } from "../../../text/conversion.ts";
import { type PrintfFormat, readRing, recordFormats, recordWords } from "./read_ring.ts";

const FORMATS: readonly PrintfFormat[] = ["a\n", "%d %.1f\n", "%v3u", "%*d"].map((text, index) => ({
  position: { line: index + 1, column: 1 },
  pieces: parseFormat(text),
}));

const bits = new Uint32Array(new Float32Array([2.5]).buffer)[0]!;
const A = [1 << 16, 0];
const B = [2 << 16 | 3, 5, -7 >>> 0, bits];
const C = [3 << 16 | 0x8000 | 10, 20, 1, 2, 0xffffffff];
const D = [4 << 16, 0, 4, -1 >>> 0];

function ring(words: readonly number[], { used = words.length, lost = 0, room = 0 } = {}) {
  const all = new Uint32Array([used, lost, ...words, ...Array(room).fill(0)]);
  const { records, ...counts } = readRing(all, recordFormats(FORMATS));
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
    })) as typeof calls,
  );
  assertEquals([lostCount, damagedWords], [9, 0]);
});

Deno.test("readRing() of an empty ring is empty", () => {
  assertEquals(ring([], { room: 4 }), { calls: [], lostCount: 0, damagedWords: 0 });
});

Deno.test("the room that a lost record has left is no damage", () => {
  assertEquals(ring([...B], { used: 9, lost: 1, room: 3 }).damagedWords, 0);
  assertEquals(ring([...B], { used: 9, lost: 1, room: 3 }).calls.length, 1);
});

Deno.test("words that are no records are counted, and end the reading", () => {
  const cases = [
    ["a call of number 0", [...A, 0, 0, ...B], 6],
    ["a call beyond the last", [...A, 5 << 16, 0, ...B], 6],
    ["a record that is cut off", [...A, ...B.slice(0, 3)], 3],
  ] as const;
  for (const [name, words, damaged] of cases) {
    assertEquals([texts(words), ring(words).damagedWords], [["a\n"], damaged], name);
  }
});

Deno.test("a rest that is longer than any record, or holds something, is damage", () => {
  assertEquals(ring(A, { used: 20, room: 5 }).damagedWords, 5);
  assertEquals(ring([...A, 9 << 16], { used: 20 }).damagedWords, 1);
});

Deno.test("a count beyond the ring reads no further than the ring", () => {
  assertEquals(texts([...A, ...A], { used: 0xffffffff }), ["a\n", "a\n"]);
});

Deno.test("readRing() ends with any words, and accounts for all of them", () => {
  const word = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(...A, ...B, ...C, ...D));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const { records, damagedWords } = readRing(new Uint32Array(words), recordFormats(FORMATS));
      const wordCount = [...records.calls()].reduce(
        (sum, { position }) => sum + recordWords(FORMATS[position.line - 1]!),
        0,
      );
      const end = Math.min(words[0] ?? 0, Math.max(0, words.length - 2));
      const isAll = wordCount + damagedWords === end;
      const isRest = damagedWords === 0 && (words[0] ?? 0) > words.length - 2;
      assertEquals(isAll || isRest, true);
    }),
    { numRuns: 2000 },
  );
});
