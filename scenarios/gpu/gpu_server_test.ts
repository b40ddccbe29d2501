import { assertEquals } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { controlsOf } from "../scenario.ts";
import { gpuServer } from "./gpu_server.ts";

const adapter = await navigator.gpu.requestAdapter();

Deno.test({
  name: "gpu_server and its controls run at a batch of many lanes, and name their adapter",
  ignore: adapter === null,
  async fn() {
    await using partner = new Partner();
    for (const one of [gpuServer, ...controlsOf(gpuServer)]) {
      await using trial = await one.setup({ batchCount: 64, laneCount: 32 }, partner);
      await trial.run(2);
      assertEquals(typeof trial.adapter, "string", one.name);
    }
  },
});
