import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { checkAlive, requestGpuDevice } from "./device.ts";
import { onDevice } from "./on_device_test.ts";

async function withGpu(gpu: unknown, test: () => Promise<void>): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(navigator, "gpu");
  Object.defineProperty(navigator, "gpu", { value: gpu, configurable: true });
  try {
    await test();
  } finally {
    if (own) Object.defineProperty(navigator, "gpu", own);
    else delete (navigator as { gpu?: unknown }).gpu;
  }
}

Deno.test("requestGpuDevice() says that there is no adapter, and the way out", async () => {
  await withGpu({ requestAdapter: () => Promise.resolve(null) }, async () => {
    await assertRejects(
      () => requestGpuDevice(),
      DOMException,
      "no adapter was found; see the task doctor",
    );
  });
});

Deno.test("requestGpuDevice() says that the runtime has no WebGPU", async () => {
  await withGpu(undefined, async () => {
    await assertRejects(() => requestGpuDevice(), DOMException, "this runtime has no WebGPU");
  });
});

onDevice("requestGpuDevice() takes the adapter's largest buffers", ({ device, adapterName }) => {
  assertEquals(device.limits.maxStorageBufferBindingSize >= 128 * 2 ** 20, true);
  assertEquals(adapterName.length > 0, true);
});

onDevice("checkAlive() names the reason once the device is lost", async () => {
  const gpu = await requestGpuDevice();
  checkAlive(gpu, "go on");
  gpu.device.destroy();
  await gpu.device.lost;
  assertThrows(
    () => checkAlive(gpu, "go on"),
    DOMException,
    "Cannot go on as the device was lost: destroyed",
  );
});

onDevice("requestGpuDevice() brings the features and limits that were asked for", async () => {
  const adapter = (await navigator.gpu.requestAdapter())!;
  const features = [...adapter.features].slice(0, 3) as GPUFeatureName[];
  const { maxComputeWorkgroupStorageSize } = adapter.limits;
  const gpu = await requestGpuDevice({ features, limits: { maxComputeWorkgroupStorageSize } });
  assertEquals(features.filter((name) => !gpu.device.features.has(name)), []);
  assertEquals(gpu.device.limits.maxComputeWorkgroupStorageSize, maxComputeWorkgroupStorageSize);
  gpu.device.destroy();
});

onDevice("requestGpuDevice() says what the adapter does not offer", async () => {
  const features = ["no-such-feature" as GPUFeatureName];
  const limits = { maxBindGroups: 1e6, minUniformBufferOffsetAlignment: 1, maxNothing: 1 };
  const error = await assertRejects(() => requestGpuDevice({ features, limits }), DOMException);
  assertEquals(error.name, "NotSupportedError");
  for (const name of [...features, ...Object.keys(limits)]) {
    assertStringIncludes(error.message, name);
  }
});
