import { assertEquals, assertThrows } from "@std/assert";
import { checkWaiterName, pauseUpTo, ServerIdler, STRATEGIES, WAITER_NAMES } from "./strategy.ts";

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

Deno.test("pauseUpTo() pauses as often as it was told", () => {
  const { pause } = Atomics;
  let pauseCount = 0;
  Atomics.pause = () => void pauseCount++;
  try {
    for (const pauses of [0, 1, 5]) pauseUpTo(pauses, 8);
  } finally {
    Atomics.pause = pause;
  }
  assertEquals(pauseCount, 6);
});

Deno.test("each strategy waits as its line in the table says", () => {
  const bursts = WAITER_NAMES.map((name) => STRATEGIES[name].burstPolls);
  assertEquals(bursts, [2000, 0, 0, 1, 2000]);
  const pauses = WAITER_NAMES.map((
    name,
  ) => [STRATEGIES[name].pausesMin, STRATEGIES[name].pausesMax]);
  assertEquals(pauses, [[0, 0], [1, 1], [1, 64], [0, 0], [0, 0]]);
  assertEquals(WAITER_NAMES.filter((name) => STRATEGIES[name].parks), ["park", "adaptive"]);
});

Deno.test("ServerIdler sleeps as its strategy has it", () => {
  const idleSteps = (name: (typeof WAITER_NAMES)[number]) => {
    const idler = new ServerIdler(name);
    let steps = 1;
    while (!idler.wantsSleep() && steps < 10_000) steps++;
    return steps;
  };
  assertEquals(WAITER_NAMES.map(idleSteps), [10_000, 10_000, 10_000, 1, 2000]);
  assertThrows(() => new ServerIdler("doze" as "spin"), TypeError, "doze");
});
