import { assertGreaterOrEqual } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { waiting } from "./waiting.ts";

const CALL_COUNT = 5;

for (const slow of waiting.axes.slow) {
  Deno.test(`waiting makes checked calls where ${slow} is slow`, async () => {
    await using partner = new Partner();
    await using trial = await waiting.setup({ waiting: "adaptive", slow }, partner);
    let milliseconds = 0;
    for (let round = 0; round < 2; round++) {
      trial.wake!();
      const before = performance.now();
      trial.run(CALL_COUNT);
      milliseconds += performance.now() - before;
      trial.rest!();
    }
    // A sleep is never shorter than asked for: who is slow sleeps in each call.
    const leastMilliseconds = slow === "nobody" ? 0 : 2 * CALL_COUNT;
    assertGreaterOrEqual(milliseconds, leastMilliseconds);
  });
}
