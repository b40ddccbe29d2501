import { assertAlmostEquals, assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { perCall } from "./per_call.ts";
import { summarize } from "./summary.ts";

Deno.test("perCall() shares an epoch out over its calls, the floor's time, too", () => {
  const [row] = summarize([{ ...sampleRecord, scenario: "gpu_epoch" }]);
  const point = { waveCount: 64, callsPerWave: 4, readback: "eager" };
  const { latencySeconds, callsPerSecond, controlSeconds, ratioToControl } = perCall({
    ...row!,
    point,
  });
  assertAlmostEquals(256 * latencySeconds.center, row!.latencySeconds.center, 1e-15);
  assertAlmostEquals(callsPerSecond.center / 256, row!.callsPerSecond.center, 1e-3);
  assertAlmostEquals(256 * controlSeconds!.center, row!.controlSeconds!.center, 1e-15);
  assertEquals(ratioToControl, row!.ratioToControl);
});
