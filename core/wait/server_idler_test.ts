import { assertEquals, assertThrows } from "@std/assert";
import { ServerIdler } from "./server_idler.ts";
import { WAITER_NAMES } from "./strategy.ts";

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
