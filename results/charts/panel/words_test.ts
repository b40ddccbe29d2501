import { assertEquals } from "@std/assert";
import { wordsOf } from "./words.ts";

Deno.test("wordsOf() takes the names of axes and of scenarios apart", () => {
  assertEquals(wordsOf("callsPerWave"), "calls per wave");
  assertEquals(wordsOf("raw_readback"), "raw readback");
});
