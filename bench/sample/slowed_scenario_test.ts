import { assertEquals } from "@std/assert";
import { Partner } from "../../scenarios/partner/partner.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import { slowedScenario } from "./slowed_scenario.ts";

Deno.test("slowedScenario() makes the share of calls that it is told, also in small batches", async () => {
  let [calls, woken] = [0, 0];
  const scenario: Scenario = {
    name: "counted",
    question: "How many calls?",
    axes: {},
    references: [{ name: "other", setup: () => Promise.reject(new Error("not asked for")) }],
    setup: () =>
      Promise.resolve({
        run: (callCount: number) => void (calls += callCount),
        wake: () => void woken++,
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
  };
  await using partner = new Partner();
  for (const [share, batch, expected] of [[0.05, 1000, 1050], [0.05, 1, 1050], [0, 7, 1001]]) {
    const slowed = slowedScenario(scenario, share!);
    assertEquals(slowed.references, undefined);
    await using trial = await slowed.setup({}, partner);
    calls = 0;
    trial.wake?.();
    for (let at = 0; at < 1000; at += batch!) trial.run(batch!);
    assertEquals(calls, expected);
  }
  assertEquals(woken, 3);
});
