import { assertEquals } from "@std/assert";
import { Spin } from "./spin.ts";

/** How long a look takes on the clock of these tests. */
const LOOK_MILLISECONDS = 1 / 1024;

/** Runs with a clock that only looks drive. */
function withClock(run: (look: () => void) => void): void {
  const { now } = performance;
  let looks = 0;
  performance.now = () => looks * LOOK_MILLISECONDS;
  try {
    run(() => void looks++);
  } finally {
    performance.now = now;
  }
}

/** How often it looks for what never comes. */
function looksOf(spin: Spin, look: () => void): number {
  let count = 0;
  assertEquals(spin.until(() => void (look(), count++)), undefined);
  return count;
}

Deno.test("Spin looks for less time where that does not pay, and for long now and then, ever more seldom", () => {
  withClock((look) => {
    // 64 looks behind the first 16, which come before the clock is asked.
    const spin = new Spin(4, 64 * LOOK_MILLISECONDS);
    const looks = Array.from({ length: 40 }, () => looksOf(spin, look));
    assertEquals(looks.slice(0, 8), [80, 48, 32, 32, 80, 16, 16, 16]);
    const longOnes = looks.flatMap((count, at) => count === 80 ? [at] : []);
    assertEquals(longOnes, [0, 4, 12, 28]);
  });
});

Deno.test("Spin looks no longer by the clock when a look takes long", () => {
  withClock((look) => {
    const spin = new Spin(4, 64 * LOOK_MILLISECONDS);
    assertEquals(looksOf(spin, () => Array.from({ length: 64 }, look)), 32);
  });
});

Deno.test("Spin looks long again once it has paid, and not where nothing had to be waited for", () => {
  withClock((look) => {
    const spin = new Spin(100, 64 * LOOK_MILLISECONDS);
    for (let time = 0; time < 7; time++) looksOf(spin, look);
    assertEquals([spin.until(() => 1), looksOf(spin, look)], [1, 16]);
    let left = 3;
    assertEquals(spin.until(() => --left === 0 ? "third" : undefined), "third");
    assertEquals(looksOf(spin, look), 80);
  });
});
