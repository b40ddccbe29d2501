import { assertEquals } from "@std/assert";
import { allPoints, pointId } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { gpuMailbox } from "./gpu_mailbox.ts";

const adapter = await navigator.gpu.requestAdapter();

for (const point of allPoints(gpuMailbox.axes)) {
  Deno.test({
    name: `gpuMailbox makes turns in a dispatch, ${pointId(gpuMailbox.axes, point)}`,
    ignore: adapter === null,
    async fn() {
      await using partner = new Partner();
      await using trial = await gpuMailbox.setup(point, partner);
      for (const callCount of [1, 50]) await trial.run(callCount);
      assertEquals(typeof trial.adapter, "string");
    },
  });
}
