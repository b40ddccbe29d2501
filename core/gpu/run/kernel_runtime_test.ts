import { assertEquals } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { gpu, onDevice } from "../device/on_device_test.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { onLiveDevice } from "../live/device/on_live_device_test.ts";
import { translate } from "../live/kernel/live_bed_test.ts";
import { LiveRuntime } from "../live/kernel/live_runtime.ts";
import { EpochRuntime } from "./epoch_runtime.ts";
import type { KernelRuntime } from "./kernel_runtime.ts";

/** That zeros are made of what is a number, and the caller's buffer, a 5, is left to it. */
async function assertBuffers(runtime: KernelRuntime, given: object): Promise<void> {
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
}

onDevice("EpochRuntime makes its own buffers, and leaves the caller's", async () => {
  const given = createOwnBuffer(gpu!, Uint32Array.of(5));
  await assertBuffers(new EpochRuntime(gpu!), given);
  assertEquals([...new Uint32Array(await readOwnBuffer(gpu!, given))], [7]);
  given.destroy();
});

onLiveDevice("LiveRuntime makes its own buffers, and leaves the caller's", async (device) => {
  const given = device.createBuffer(4, "host");
  new Uint32Array(given.words!)[0] = 5;
  await assertBuffers(new LiveRuntime(device, translate), given);
  assertEquals(given.isDisposed, false);
});
