import { assertEquals } from "@std/assert";
import { SharedWords } from "../memory/words.ts";
import { BitFlags, WordFlags } from "./flags.ts";

function begin() {
  return new SharedWords(new SharedArrayBuffer(16));
}

for (const Flags of [WordFlags, BitFlags]) {
  Deno.test(`${Flags.name}: each packet has a flag of its own`, () => {
    const flags = new Flags(begin(), 1);
    const up = () => [0, 1, 2].map((index) => flags.has(index));
    assertEquals([flags.trySet(0), flags.trySet(0), flags.trySet(2)], [true, false, true]);
    assertEquals(up(), [true, false, true]);
    flags.clear(0);
    flags.set(1);
    assertEquals(up(), [false, true, true]);
    assertEquals([flags.trySet(0), flags.trySet(1)], [true, false]);
  });
}

Deno.test("WordFlags: garbage from the other side counts as a flag that is up", () => {
  const words = begin();
  words.store(1, -7);
  const flags = new WordFlags(words, 1);
  assertEquals([flags.has(0), flags.trySet(0), words.load(1)], [true, false, -7]);
});

Deno.test("BitFlags share words, and a flip is told to one", () => {
  const words = begin();
  const bits = new BitFlags(words, 1);
  for (const index of [0, 31, 32, 63]) {
    assertEquals([bits.has(index), bits.tryClear(index)], [false, false]);
    assertEquals([bits.trySet(index), bits.trySet(index), bits.has(index)], [true, false, true]);
  }
  assertEquals(Array.from(words.plain), [0, -0x7fffffff, -0x7fffffff, 0]);
  assertEquals([bits.tryClear(31), bits.tryClear(31), bits.has(0)], [true, false, true]);
  bits.set(0);
  assertEquals([bits.has(0), words.load(1)], [true, 1], "a flag that is up stays up");
});
