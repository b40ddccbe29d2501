import { assertEquals } from "@std/assert";
import { allPoints, pointId } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { gpuPacket } from "./gpu_packet.ts";

const adapter = await navigator.gpu.requestAdapter();

for (const point of allPoints(gpuPacket.axes)) {
  Deno.test({
    name: `gpuPacket makes turns in a dispatch, ${pointId(gpuPacket.axes, point)}`,
    ignore: adapter === null,
    async fn() {
      await using partner = new Partner();
      await using trial = await gpuPacket.setup(point, partner);
      for (const callCount of [1, 50]) await trial.run(callCount);
      assertEquals(typeof trial.adapter, "string");
    },
  });
}
