import { assertEquals } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { controlsOf } from "../scenario.ts";
import { gpuEpoch } from "./gpu_epoch.ts";

const adapter = await navigator.gpu.requestAdapter();

Deno.test({
  name:
    "gpu_epoch and its controls run at many waves with asynchronous calls, and name their adapter",
  ignore: adapter === null,
  async fn() {
    await using partner = new Partner();
    for (const one of [gpuEpoch, ...controlsOf(gpuEpoch)]) {
      await using trial = await one.setup(
        { waveCount: 64, callsPerWave: 4, readback: "awaited" },
        partner,
      );
      await trial.run(2);
      assertEquals(typeof trial.adapter, "string", one.name);
    }
  },
});
