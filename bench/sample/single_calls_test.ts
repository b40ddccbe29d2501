import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import type { Trial } from "../../scenarios/scenario.ts";
import { timeSingleCalls } from "./single_calls.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

/** A trial of which every thousandth call takes a hundred times longer; reading the clock takes 80 ns. */
function rareStalls(): { readonly time: SimulatedTime; readonly trial: Trial } {
  const time = new SimulatedTime();
  let call = 0;
  const trial = time.trial("a", () => 0);
  return {
    time,
    trial: {
      ...trial,
      run(callCount) {
        for (; callCount > 0; callCount--) time.seconds += ++call % 1000 === 0 ? 50e-6 : 500e-9;
      },
    },
  };
}

Deno.test("timeSingleCalls() finds the rare call that a mean hides, and says what the clock takes", async () => {
  const { time, trial } = rareStalls();
  const clock = () => time.seconds += 80e-9;
  const calls = await timeSingleCalls(trial, { callsMax: 10_000, secondsMax: 10, clock });
  assertEquals(calls!.callCount, 10_000);
  assertAlmostEquals(calls!.clockSeconds, 80e-9, 1e-12);
  for (const seconds of [calls!.p50Seconds, calls!.p90Seconds, calls!.p99Seconds]) {
    assertAlmostEquals(seconds, 580e-9, 1e-9);
  }
  assertAlmostEquals(calls!.maxSeconds, 50.08e-6, 0.05e-6);
  const histogram = decodeFromCompressedBase64(calls!.histogram);
  assertEquals(histogram.totalCount, 10_000);
  assertEquals(histogram.getValueAtPercentile(99.9), 580);
  assertEquals(histogram.getValueAtPercentile(99.92) > 50_000, true);
});

Deno.test("timeSingleCalls() keeps to its time, and leaves the trial at rest", async () => {
  const time = new SimulatedTime();
  const slow = time.trial("slow", () => 1e-3);
  const calls = await timeSingleCalls(slow, { callsMax: 1e6, secondsMax: 0.5, clock: time.clock });
  assert(calls!.callCount >= 500 && calls!.callCount < 570, `${calls!.callCount}`);
  assertEquals([time.log[0], time.log[1], time.log.at(-1)], [
    "slow wake",
    "slow run 32",
    "slow rest",
  ]);
  const slower = time.trial("slower", () => 1);
  const none = await timeSingleCalls(slower, { callsMax: 1e3, secondsMax: 5, clock: time.clock });
  assertEquals([none, time.log.at(-1)], [undefined, "slower rest"]);
});

Deno.test("timeSingleCalls() waits for calls that are under way", async () => {
  const time = new SimulatedTime();
  const trial: Trial = {
    ...time.trial("a", () => 0),
    async run() {
      await Promise.resolve();
      time.seconds += 2e-6;
    },
  };
  const calls = await timeSingleCalls(trial, { callsMax: 200, secondsMax: 1, clock: time.clock });
  assertAlmostEquals(calls!.p50Seconds, 2e-6, 1e-8);
});
