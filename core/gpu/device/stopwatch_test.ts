import { assertEquals } from "@std/assert";
import { onDevice } from "./on_device_test.ts";
import { secondsBetween, Stopwatch } from "./stopwatch.ts";

Deno.test("secondsBetween() subtracts 64-bit nanoseconds", () => {
  assertEquals(secondsBetween(Int32Array.of(9, 0, 0, 1000, 0), 1), 1e-6);
  assertEquals(secondsBetween(Int32Array.of(0, 1, 500, 1), 0), 5e-7);
  assertEquals(secondsBetween(Int32Array.of(-1, 0, 0, 1), 0), 1e-9);
  assertEquals(secondsBetween(Int32Array.of(-1, 2 ** 31 - 1, 0, -(2 ** 31)), 0), 1e-9);
});

onDevice("Stopwatch.create() says no on a device without timestamps", ({ device }) => {
  const without = { features: new Set() } as unknown as GPUDevice;
  assertEquals(Stopwatch.create(without), undefined);
  const stopwatch = Stopwatch.create(device);
  assertEquals(stopwatch !== undefined, device.features.has("timestamp-query"));
  stopwatch?.destroy();
});
