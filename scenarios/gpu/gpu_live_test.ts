import { assertEquals } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { controlsOf } from "../scenario.ts";
import { gpuLive } from "./gpu_live.ts";

const adapter = await navigator.gpu.requestAdapter();

Deno.test({
  name: "gpu_live and its controls run at several ports and lanes, and name their adapter",
  ignore: adapter === null,
  async fn() {
    await using partner = new Partner();
    for (const one of [gpuLive, ...controlsOf(gpuLive)]) {
      await using trial = await one.setup({ portCount: 16, laneCount: 8, lock: "cas" }, partner);
      await trial.run(2);
      assertEquals(typeof trial.adapter, "string", one.name);
    }
  },
});
