import { assertEquals, assertThrows } from "@std/assert";
import { checkWaiterName, pauseUpTo, STRATEGIES, WAITER_NAMES } from "./strategy.ts";

Deno.test("every waiter name has a strategy, and no other name has one", () => {
  assertEquals(Object.keys(STRATEGIES), [...WAITER_NAMES]);
  for (const name of WAITER_NAMES) checkWaiterName(name);
  assertThrows(() => checkWaiterName("doze"), TypeError, "current value is doze");
});

Deno.test("pauseUpTo() doubles the pauses up to the limit", () => {
  assertEquals([pauseUpTo(1, 1), pauseUpTo(1, 64), pauseUpTo(32, 64), pauseUpTo(64, 64)], [
    1,
    2,
    64,
    64,
  ]);
  assertEquals(pauseUpTo(0, 0), 0);
});
