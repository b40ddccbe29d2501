import { assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Kernel } from "./kernel.ts";
import { onDevice } from "../device/on_device_test.ts";

const source = "fn step_0() {}";

onDevice("Kernel.create() refuses a wave count that the device cannot number", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  for (const waveCount of [0, 1.5, 65_536]) {
    await assertRejects(
      () => Kernel.create(gpu, { channel, waveCount, source }),
      RangeError,
      `${waveCount}`,
    );
  }
});

onDevice("Kernel.create() refuses a workgroup beyond the device's limit", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 64 });
  const options = { channel, waveCount: 1, source, wavesPerGroup: 64 };
  await assertRejects(() => Kernel.create(gpu, options), RangeError, "a workgroup of 64 waves");
});

onDevice("Kernel.create() refuses a channel beyond the device's limits", async (gpu) => {
  const channel = Channel.create({ portCount: 64, laneCount: 64 });
  const limits = { ...limitsOf(gpu.device), maxBufferSize: 200_000 };
  const device = new Proxy(gpu.device, {
    get: (target, name) => name === "limits" ? limits : Reflect.get(target, name, target),
  });
  const small = { ...gpu, device, lostReason: undefined };
  await assertRejects(
    () => Kernel.create(small, { channel, waveCount: 1, source }),
    RangeError,
    "64 ports of 64 lanes",
  );
});

function limitsOf({ limits }: GPUDevice) {
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupsPerDimension } = limits;
  const { maxStorageBufferBindingSize } = limits;
  return {
    maxComputeInvocationsPerWorkgroup,
    maxComputeWorkgroupsPerDimension,
    maxStorageBufferBindingSize,
  };
}

onDevice("the largest channel fits where buffers may have 128 MiB", async (gpu) => {
  if (gpu.device.limits.maxStorageBufferBindingSize < 2 ** 27) return;
  const channel = Channel.create({ portCount: 16_384, laneCount: 64 });
  const kernel = await Kernel.create(gpu, { channel, waveCount: 1, source });
  assertEquals(kernel.waveCount, 1);
  kernel.destroy();
});
