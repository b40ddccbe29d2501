import { assertEquals, assertThrows } from "@std/assert";
import * as values from "./item_values.ts";

Deno.test("values lie in memory as the machine has them", () => {
  assertEquals([...values.integerBytes(-2n, 1)], [254]);
  assertEquals([...values.integerBytes(-2n, 2)], [254, 255]);
  assertEquals([...values.integerBytes(258n, 4)], [2, 1, 0, 0]);
  assertEquals([...values.integerBytes(-1n, 8)], new Array(8).fill(255));
  assertEquals([...values.wideBytes(1n, -1n)], [1, 0, 0, 0, 0, 0, 0, 0, ...new Array(8).fill(255)]);
  assertEquals([...values.realBytes(4, 1)], [0, 0, 128, 63]);
  assertEquals(values.realBytes(8, 1, 2).length, 16);
  assertEquals([...values.logicalBytes(true), ...values.logicalBytes(false)], [
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
});

Deno.test("values come back from memory", () => {
  for (const countBytes of [1, 2, 4, 8] as const) {
    for (const value of [-128n, -1n, 0n, 127n]) {
      const bytes = values.integerBytes(value, countBytes);
      assertEquals(values.integerOf({ type: "integer", bytes }), value);
    }
    assertEquals(values.checkIntegerBytes(countBytes), countBytes);
  }
  for (const countBytes of [4, 8] as const) {
    const item = { type: "complex", bytes: values.realBytes(countBytes, 1.5, -2.5) } as const;
    assertEquals([values.realOf(item, 0), values.realOf(item, 1)], [1.5, -2.5]);
    const real = { type: "real", bytes: values.realBytes(countBytes, 1.5) } as const;
    assertEquals(values.realOf(real, 0), 1.5);
  }
  for (const wrong of [0, 3, 16, -1, NaN]) {
    assertThrows(() => values.checkIntegerBytes(wrong), RangeError, `current value is ${wrong}`);
  }
});
