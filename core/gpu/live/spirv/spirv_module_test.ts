import { assertEquals, assertThrows } from "@std/assert";
import { instructionsOf } from "./spirv_module.ts";

const HEADER = [0x07230203, 0x00010300, 0, 10, 0];
const cannot = "Cannot test";

Deno.test("instructionsOf() reads instructions in order, with their first words", () => {
  const source = Uint32Array.of(...HEADER, 2 << 16 | 17, 61, 1 << 16 | 253);
  const found = [...instructionsOf(source, { cannot })].map(({ op, words }) => [op, ...words]);
  assertEquals(found, [[17, 2 << 16 | 17, 61], [253, 1 << 16 | 253]]);
});

Deno.test("instructionsOf() says what is no module", () => {
  const wordsMin = (op: number) => op === 71 ? 3 : 1;
  const begins = "Cannot test as SPIR-V must begin with the word 0x07230203 and four others";
  for (
    const [source, message] of [
      [[], `${begins}: current value is nothing`],
      [HEADER.slice(0, 4), begins],
      [[7, 2, 3, 4, 5, 6], "current value is 0x00000007"],
      [[0x03022307, 2, 3, 4, 5], "which has the other order of bytes"],
      [[...HEADER, 17], "as instruction 17 of its SPIR-V, at word 5, must have at least 1 words"],
      [[...HEADER, 2 << 16 | 1], "at most the 1 that are left: current value is 2"],
      [[...HEADER, 2 << 16 | 71, 0], "must have at least 3 words"],
    ] as const
  ) {
    const options = { cannot, wordsMin };
    assertThrows(() => [...instructionsOf(Uint32Array.from(source), options)], TypeError, message);
  }
});
