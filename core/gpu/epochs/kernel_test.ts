import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Kernel } from "./kernel.ts";
import { INCREMENT, kernelBed, runKernel } from "./kernel_run_test.ts";
import { requestGpuDevice } from "../device/device.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { deviceWith, onDevice } from "../device/on_device_test.ts";

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
  const device = deviceWith(gpu.device, { limits: limits as unknown as GPUSupportedLimits });
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

onDevice("a kernel has 16-bit floats where its device has them", async (gpu) => {
  const features = ["shader-f16"] as const;
  const half = await requestGpuDevice({ features }).catch(() => undefined);
  const source = `enable f16;
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    struct Frame { third: f16 }
    fn step_0() { frame.third = 1.0h / 3.0h; call(${INCREMENT}u); }
    fn step_1() { results[0] = pack2x16float(vec2f(f32(frame.third), 0.0)); }`;
  const shape = { portCount: 1, laneCount: 1, waveCount: 1, resultWords: 1, source };
  // The nearest to a third that 16 bits can say.
  if (half) assertEquals([...(await runKernel(half, shape)).results], [0x3555]);
  else await assertRejects(() => runKernel(gpu, shape), KernelCompileError, "line 1");
});

onDevice(
  "without an event loop, asynchronous services are refused, and may be taken away",
  async (gpu) => {
    const source = `fn step_0() { packet_set(0u, wave_index); call(${INCREMENT}u); }`;
    const shape = { portCount: 1, laneCount: 1, waveCount: 3 };
    using bed = await kernelBed(gpu, { ...shape, source, readback: "eager" });
    const { kernel, server } = bed;
    server.operateAsync(50_000, () => Promise.resolve());
    const refused = [[() => kernel.run(server), "runAsync()"], [
      () => kernel.advance(server, 1),
      "advanceAsync()",
    ]] as const;
    for (const [work, way] of refused) {
      assertThrows(work, TypeError, `as a service is asynchronous: use ${way}`);
    }
    server.remove(50_000);
    assertEquals(kernel.run(server).packetCount, 3);
  },
);
