import { assertEquals, assertThrows } from "@std/assert";
import { SharedWords } from "../memory/words.ts";
import { CommandNames } from "./command_names.ts";
import { NAME_COUNT_MAX, ringLayout } from "./layout.ts";

function begin() {
  const layout = ringLayout({ slotCount: 1, cellCount: 1 });
  const words = new SharedWords(new SharedArrayBuffer(layout.totalBytes));
  return { words, layout, names: new CommandNames(words, layout) };
}

Deno.test("CommandNames: a name has the id of its place, once it was added", () => {
  const { names } = begin();
  assertEquals(names.find("open"), undefined);
  assertEquals([names.add("open"), names.add("write"), names.add("open")], [0, 1, 0]);
  assertEquals([names.find("write"), names.find("writ"), names.find("öpen")], [
    1,
    undefined,
    undefined,
  ]);
});

Deno.test("CommandNames: 64 names of 1 to 64 bytes", () => {
  const { names } = begin();
  for (let id = 0; id < NAME_COUNT_MAX; id++) assertEquals(names.add(`name ${id}`), id);
  assertThrows(() => names.add("one more"), RangeError, "at most");
  assertEquals(names.add("name 7"), 7);
  assertThrows(() => names.find(""), RangeError, "1 to 64 bytes");
  assertThrows(() => names.find("é".repeat(33)), RangeError, "1 to 64 bytes");
  // Names are filled up with zeros: it would be taken for "name 7".
  assertThrows(() => names.find("name 7\0"), RangeError, "none of them 0");
});

Deno.test("CommandNames.find() looks at no more names than there can be", () => {
  const { words, layout, names } = begin();
  names.add("close");
  for (const count of [-1, 1 << 30]) {
    words.store(layout.nameCountWord, count);
    assertEquals([names.find("open"), names.find("close")], [undefined, 0]);
  }
});

Deno.test("CommandNames.add() counts a name when all of it is there", () => {
  const { words, layout, names } = begin();
  const seen: number[] = [];
  const store = words.store.bind(words);
  words.store = (word, value) => {
    if (word === layout.nameCountWord) seen.push(words.plain[layout.namesWord]!);
    store(word, value);
  };
  names.add("abcd");
  assertEquals(seen, [0x64636261]);
});
