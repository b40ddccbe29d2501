import { assertEquals, assertThrows } from "@std/assert";
import { checkTextRoom, putTexts, textBytes, textsOf, textStarts } from "./text_bytes.ts";

Deno.test("texts have a NUL behind each, and room for more has NULs", () => {
  assertEquals([...textBytes("a", "", "\u00e9")], [97, 0, 0, 195, 169, 0]);
  assertEquals(textStarts(textBytes("a", "", "bc"), 3), [0, 2, 3]);
  const room = new Uint8Array(6).fill(9);
  putTexts(room, ["a", ""]);
  assertEquals([...room], [97, 0, 0, 0, 0, 0]);
  assertEquals([textsOf(room, 2), textsOf(textBytes("x", "y"))], [["a", ""], ["x", "y"]]);
  assertEquals([textsOf(new Uint8Array(0)), textStarts(new Uint8Array(0), 0)], [[], []]);
});

Deno.test("texts that do not fit are refused, and nothing is put then", () => {
  const room = new Uint8Array(3).fill(9);
  assertThrows(() => putTexts(room, ["abc"]), RangeError, "its texts take 4 bytes");
  assertEquals([...room], [9, 9, 9]);
  assertThrows(() => checkTextRoom(room, 4n), RangeError, "take 4 bytes: current value is 3");
  assertThrows(() => textBytes("a\0b"), TypeError, "must hold no NUL");
  for (const wrong of [[], [0], [0, 0, 0], [0, 0, 65]]) {
    assertThrows(() => textStarts(Uint8Array.from(wrong), 2), RangeError, "must have 2 texts");
  }
});
