import { assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { onDevice } from "../device/on_device_test.ts";
import { createOwnBuffer } from "../device/own_buffer.ts";
import { EpochRuntime } from "./epoch_runtime.ts";

onDevice(
  "EpochRuntime makes zeros of what is a number, and leaves the caller's buffers",
  async (gpu) => {
    const runtime = new EpochRuntime(gpu);
    const given = createOwnBuffer(gpu, Uint32Array.of(5));
    assertEquals([runtime.isBuffer(given), runtime.isBuffer(new Uint32Array(1))], [true, false]);
    const kernel = await runtime.compile({
      source: `@group(1) @binding(0) var<storage, read_write> own: array<u32>;
      @group(1) @binding(1) var<storage, read_write> given: array<u32>;
      fn kernel() { own[1] += given[0]; given[0] = own[0]; }`,
      channel: Channel.create({ portCount: 1, laneCount: 1 }),
      waveCount: 1,
      buffers: [{ type: "storage", given: 8 }, { type: "storage", given }],
    });
    kernel.write(0, Uint32Array.of(7));
    await kernel.runAsync({ runOnce: () => false, runAll: () => 0 }, {});
    const [own, theirs] = await Promise.all([0, 1].map((binding) => kernel.read(binding)));
    assertEquals([[...new Uint32Array(own!)], [...new Uint32Array(theirs!)]], [[7, 5], [7]]);
    kernel.destroy();
    await assertRejects(() => kernel.read(0), DOMException);
    given.destroy();
  },
);
