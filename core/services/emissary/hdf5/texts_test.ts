import { assertEquals, assertThrows } from "@std/assert";
import { checkTextRoom, putTexts, textBytes, textPointers, textsOf } from "./texts.ts";

Deno.test("texts have a NUL behind each, and room for more has NULs", () => {
  assertEquals([...textBytes("a", "", "\u00e9")], [97, 0, 0, 195, 169, 0]);
  const texts = textBytes("a", "", "bc");
  const pointers = textPointers(texts, 3);
  assertEquals([...pointers].map((one) => one - pointers[0]!), [0n, 2n, 3n]);
  const room = new Uint8Array(8).fill(9);
  putTexts(room, pointers);
  assertEquals([...room], [97, 0, 0, 98, 99, 0, 0, 0]);
  putTexts(room, BigUint64Array.of(0n));
  assertEquals([textsOf(room, 2), textsOf(textBytes("x", "y"))], [["", ""], ["x", "y"]]);
  assertEquals([textsOf(new Uint8Array(0)), textPointers(new Uint8Array(0), 0).length], [[], 0]);
});

Deno.test("texts that do not fit are refused, and nothing is put then", () => {
  const room = new Uint8Array(3).fill(9);
  const abc = textBytes("abc");
  assertThrows(() => putTexts(room, textPointers(abc, 1)), RangeError, "its texts take 4 bytes");
  assertEquals([...room], [9, 9, 9]);
  assertThrows(() => checkTextRoom(room, 4n), RangeError, "take 4 bytes: current value is 3");
  assertThrows(() => textBytes("a\0b"), TypeError, "must hold no NUL");
  for (const wrong of [[], [0], [0, 0, 0], [0, 0, 65]]) {
    assertThrows(() => textPointers(Uint8Array.from(wrong), 2), RangeError, "must have 2 texts");
  }
});
