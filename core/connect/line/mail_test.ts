import { assert, assertEquals, assertThrows } from "@std/assert";
import { CloneEncoder } from "../../call/clone/clone_encoder.ts";
import { SharedWords } from "../../memory/words.ts";
import { LETTER_WORDS, LetterReader, LetterWriter } from "./mail.ts";

function begin() {
  const words = new SharedWords(new SharedArrayBuffer(LETTER_WORDS * 4));
  return { words, writer: new LetterWriter(words, 0), reader: new LetterReader(words, 0) };
}

/** What of so many values is found. */
function readAll(reader: LetterReader): unknown[] {
  reader.open();
  return Array.from({ length: reader.count }, () => reader.next());
}

const FIT: readonly (readonly unknown[])[] = [
  [],
  [undefined, null, true, false],
  [0, -0, 2 ** 31 - 1, -(2 ** 31)],
  [2 ** 31, NaN, -Infinity, 0.1],
  ["", "text", "\u00ff".repeat(100), 7],
  ["x".repeat(240)],
];

for (const values of FIT) {
  Deno.test(`a letter carries ${JSON.stringify(values).slice(0, 60)}`, () => {
    const { writer, reader } = begin();
    assert(writer.put(0xfff, 2 ** 32 - 1, values));
    assertEquals(reader.watch(7, 3), false);
    writer.send(7);
    assert(reader.watch(7, 1));
    assertEquals(readAll(reader), values);
    assertEquals([reader.kind, reader.id, reader.isClone], [0xfff, 2 ** 32 - 1, false]);
    if (values.length !== 1) return;
    assert(writer.putOne(16, 1, values[0]));
    assertEquals(readAll(reader), values);
  });
}

const NO_FIT: readonly (readonly unknown[])[] = [
  [1, 2, 3, 4, 5],
  ["x".repeat(241)],
  ["x".repeat(120), "x".repeat(120)],
  ["x".repeat(237), 0.5],
  ["\u0100"],
  [1n],
  [{}],
  [() => 1],
  [Symbol()],
];

for (const values of NO_FIT) {
  Deno.test(`a letter does not take ${String(values.map(String)).slice(0, 60)}`, () => {
    const { writer } = begin();
    assertEquals(writer.put(16, 1, values), false);
    if (values.length === 1) assertEquals(writer.putOne(16, 1, values[0]), false);
  });
}

Deno.test("a letter takes no kind that has more than 12 bits", () => {
  const { writer } = begin();
  const message = new CloneEncoder().encode([1]);
  assertEquals([writer.put(0x1000, 1, []), writer.putOne(0x1000, 1, 1)], [false, false]);
  assertEquals(writer.putClone(0x1000, 1, message), false);
});

Deno.test("a letter carries an object as it was encoded, up to the last byte", () => {
  const { writer, reader } = begin();
  const encoder = new CloneEncoder();
  let lengthMax = 0;
  for (let length = 0; length < 300; length++) {
    const value = { text: "x".repeat(length), list: [1, { deep: null }] };
    const message = encoder.encode(value);
    assertEquals(writer.putClone(16, 1, message), message.headBytes <= 240);
    if (message.headBytes > 240) continue;
    lengthMax = length;
    reader.open();
    assertEquals([reader.isClone, reader.nextClone()], [true, value]);
  }
  assert(lengthMax > 180, `${lengthMax}`);
  assertEquals(writer.putClone(16, 1, encoder.encode(new Uint8Array(8))), false);
});

Deno.test("a letter that says what cannot be is refused, and reads nothing beyond its end", () => {
  const { words, reader } = begin();
  const forge = (count: number, tags: number, ...values: number[]) => {
    words.plain.set([1, count << 12 | tags << 16, 1, ...values]);
    reader.open();
  };
  for (const tag of [7, 15]) {
    forge(1, tag);
    assertThrows(() => reader.next(), TypeError, `no tag ${tag}`);
  }
  for (const length of [-1, 241, 2 ** 31 - 1, -(2 ** 31)]) {
    forge(1, 6, length);
    assertThrows(() => reader.next(), TypeError, `no ${length} bytes`);
    forge(15, 0, length);
    assertThrows(() => reader.nextClone(), TypeError, `no ${length} bytes`);
  }
  forge(2, 0x66, 200, ...Array(50).fill(0), 100);
  assertEquals((reader.next() as string).length, 200);
  assertThrows(() => reader.next(), TypeError, "ends too early");
  forge(15, 0, 8, 100, 0);
  assertThrows(() => reader.nextClone(), TypeError, "Cannot read a value");
  // More values than there can be are those that there can be.
  forge(14, 0x4444, 1, 2, 3, 4, 5);
  assertEquals(readAll(reader), [1, 2, 3, 4]);
});

Deno.test("letters survive any bits: they are read, or refused by a TypeError", () => {
  const { words, reader } = begin();
  let [read, refused] = [0, 0];
  for (let time = 0; time < 5000; time++) {
    crypto.getRandomValues(words.plain);
    // Half of the lengths are small, or hardly anything would be read.
    if (time % 2) words.plain[3]! &= 63;
    try {
      reader.open();
      if (reader.isClone) reader.nextClone();
      else for (let index = 0; index < reader.count; index++) reader.next();
      read++;
    } catch (error) {
      assert(error instanceof TypeError, String(error));
      refused++;
    }
  }
  assert(read > 100 && refused > 100, `${read} ${refused}`);
});
