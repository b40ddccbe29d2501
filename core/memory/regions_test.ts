import { assertEquals, assertThrows } from "@std/assert";
import {
  alignUp,
  bitCount,
  checkCount,
  lowestPort,
  placesWordCount,
  placeValue,
  placeWord,
  PORT_PLACES,
  portBits,
  REGION_BYTES,
  Regions,
} from "./regions.ts";

Deno.test("Regions.take() gives each region lines of its own, whatever its size", () => {
  const regions = new Regions();
  assertEquals([regions.take(1), regions.take(32), regions.take(33), regions.take(1)], [
    0,
    32,
    64,
    128,
  ]);
  assertEquals(regions.nextByte, 5 * REGION_BYTES);
});

Deno.test("checkCount() takes integers from 1 to the limit", () => {
  checkCount("portCount", 1, 4);
  checkCount("portCount", 4, 4);
  for (const count of [0, 5, 1.5, NaN]) {
    assertThrows(() => checkCount("portCount", count, 4), RangeError, `current value is ${count}`);
  }
});

const INDEXES = [0, 1, 31, 32, 33, 16_383];

Deno.test("placeWord() gives a port a word, a line of 16 words, or a bit", () => {
  const wordsOf = (name: keyof typeof PORT_PLACES) =>
    INDEXES.map((index) => placeWord(PORT_PLACES[name], index));
  assertEquals(wordsOf("word"), INDEXES);
  assertEquals(wordsOf("padded"), INDEXES.map((index) => index * 16));
  assertEquals(wordsOf("bit"), [0, 0, 0, 1, 1, 511]);
});

Deno.test("placeValue() is the whole word, or the port's bit of it", () => {
  for (const name of ["word", "padded"] as const) {
    assertEquals([1, -3].map((word) => placeValue(PORT_PLACES[name], 33, word)), [1, -3]);
  }
  const bits = [0, 31, 32].map((index) => placeValue(PORT_PLACES.bit, index, 0x8000_0000 | 0));
  assertEquals(bits, [0, 1, 0]);
});

Deno.test("placesWordCount() has room for the last port, and no word more than it takes", () => {
  for (const places of Object.values(PORT_PLACES)) {
    for (const portCount of [1, 31, 32, 33, 16_384]) {
      const count = placesWordCount(places, portCount);
      const last = placeWord(places, portCount - 1);
      assertEquals(Math.floor((count - 1) / places.stride), last / places.stride);
    }
  }
});

Deno.test("bitCount() and lowestPort() go by the bits of a word, the highest among them", () => {
  const words = [0, 1, 6, 1 << 31, -1, 0x55555555, -2];
  assertEquals(words.map(bitCount), [0, 1, 2, 1, 32, 16, 31]);
  assertEquals(words.slice(1).map((bits) => lowestPort(2, bits)), [64, 65, 95, 64, 64, 65]);
});

Deno.test("alignUp() is the next multiple", () => {
  assertEquals([0, 1, 8, 9].map((value) => alignUp(value, 8)), [0, 8, 8, 16]);
  assertEquals(alignUp(2 ** 32 - 1, 8), 2 ** 32);
});

Deno.test("portBits() has a bit for each port of a place, and none behind the last", () => {
  assertEquals([portBits(0, 1), portBits(0, 31), portBits(0, 32)], [1, 0x7fffffff, -1]);
  assertEquals([portBits(0, 40), portBits(1, 40), portBits(1, 64)], [-1, 0xff, -1]);
});
