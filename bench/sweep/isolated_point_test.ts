import { assert, assertEquals, assertRejects } from "@std/assert";
import { divideBudget } from "./budget.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { measureIsolated } from "./isolated_point.ts";

const budget = divideBudget([pingPong], { seconds: 1, isQuick: true })(pingPong);

Deno.test("measureIsolated() measures a registered scenario in a process of its own", async () => {
  const measured = await measureIsolated({ scenario: "ping_pong", pointId: "", budget });
  assert(measured.latencySeconds.length >= budget.samplesMin);
  assert(measured.latencySeconds.every((seconds) => seconds > 0));
  assertEquals(measured.control, "ping_pong");
});

Deno.test("measureIsolated() rejects with what the scenario threw", async () => {
  const pointId = "portCount=0;laneCount=1;waiting=spin+spin";
  await assertRejects(
    () => measureIsolated({ scenario: "round_trip", pointId, budget }),
    Error,
    "portCount must be an integer from 1 to 16384: current value is 0",
  );
});

Deno.test("measureIsolated() ends a point that takes too long", async () => {
  const noTime = { ...budget, seconds: 0 };
  await assertRejects(
    () =>
      measureIsolated({ scenario: "ping_pong", pointId: "", budget: noTime }, { graceSeconds: 0 }),
    Error,
    "no answer within 0 s",
  );
});
