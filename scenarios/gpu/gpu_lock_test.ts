import { assertEquals } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { controlsOf } from "../scenario.ts";
import { gpuLock } from "./gpu_lock.ts";

const adapter = await navigator.gpu.requestAdapter();

Deno.test({
  name: "gpu_lock and its controls run at fewer ports than waves, and name their adapter",
  ignore: adapter === null,
  async fn() {
    await using partner = new Partner();
    for (const one of [gpuLock, ...controlsOf(gpuLock)]) {
      await using trial = await one.setup({ lock: "fetch-add", portCount: 16 }, partner);
      await trial.run(2);
      assertEquals(typeof trial.adapter, "string", one.name);
    }
  },
});
