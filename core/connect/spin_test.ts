import { assertEquals } from "@std/assert";
import { Spin } from "./spin.ts";

/** How often it looks for what never comes. */
function looksOf(spin: Spin): number {
  let count = 0;
  assertEquals(spin.until(() => void count++), undefined);
  return count;
}

Deno.test("Spin looks less long where that does not pay, with a long look now and then", () => {
  const spin = new Spin(8);
  const looks = Array.from({ length: 20 }, () => looksOf(spin));
  assertEquals(looks.slice(0, 7), [1500, 750, 375, 187, 150, 150, 150]);
  assertEquals(looks.map((count, at) => count === 1500 ? at : -1).filter((at) => at >= 0), [
    0,
    8,
    16,
  ]);
});

Deno.test("Spin looks long again once it has paid, and not where nothing had to be waited for", () => {
  const spin = new Spin(8);
  for (let time = 0; time < 5; time++) looksOf(spin);
  assertEquals([spin.until(() => 1), looksOf(spin)], [1, 150]);
  let left = 3;
  assertEquals(spin.until(() => --left === 0 ? "third" : undefined), "third");
  assertEquals(looksOf(spin), 1500);
});
