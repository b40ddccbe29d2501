import { assertEquals, assertThrows } from "@std/assert";
import { checkLimit, LengthRefusedError } from "./limit.ts";

Deno.test("checkLimit() takes numbers of at least 0 only", () => {
  for (const limitBytes of [0, 1.5, 2 ** 40, Infinity]) checkLimit(limitBytes);
  for (const wrong of [NaN, -1, undefined, null, "4096", 4096n]) {
    assertThrows(() => checkLimit(wrong as number), RangeError, String(wrong));
  }
  assertEquals(new LengthRefusedError("no").name, "LengthRefusedError");
});
