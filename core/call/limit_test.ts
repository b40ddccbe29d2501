import { assertEquals, assertThrows } from "@std/assert";
import { LengthRefusedError, limitOf } from "./limit.ts";

Deno.test("limitOf() takes numbers of at least 0 only", () => {
  for (const limitBytes of [0, 1.5, 2 ** 40, Infinity]) {
    assertEquals(limitOf({ limitBytes }), limitBytes);
  }
  for (const wrong of [NaN, -1, null, "4096", 4096n]) {
    assertThrows(() => limitOf({ limitBytes: wrong as number }), RangeError, String(wrong));
  }
  assertEquals(limitOf({}), 2 ** 20);
  assertEquals(new LengthRefusedError("no").name, "LengthRefusedError");
});
