import { assertEquals } from "@std/assert";
import { requestGpuDevice } from "../../core/gpu/mod.ts";
import { prepareRawSubmit } from "./raw_submit.ts";

const gpu = await requestGpuDevice().catch(() => undefined);

for (const readback of [undefined, "awaited"] as const) {
  Deno.test({
    name: `prepareRawSubmit() writes, dispatches and reads, ${readback ?? "as probed"}`,
    ignore: gpu === undefined,
    async fn() {
      const load = {
        outBytes: 1024,
        inBytes: 512,
        invocationCount: 100,
        ...(readback && { readback }),
      };
      await using trial = await prepareRawSubmit(load);
      await trial.run(3);
      assertEquals(trial.adapter, gpu!.adapterName);
    },
  });
}
