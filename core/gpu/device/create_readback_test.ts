import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createReadback, probeEagerReadback } from "./create_readback.ts";
import { onDevice, refuseToRead, tamperedDevice } from "./on_device_test.ts";
import type { ReadbackName } from "./readback.ts";

async function nameOf(device: GPUDevice, wanted?: ReadbackName): Promise<ReadbackName> {
  const readback = await createReadback(device, { bytes: 4, readback: wanted });
  readback.destroy();
  return readback.name;
}

onDevice("createReadback() reads eagerly only where the probe passes", async ({ device }) => {
  const { passed } = await probeEagerReadback(device);
  assertEquals(await nameOf(device), passed ? "eager" : "awaited");
  const tampered = tamperedDevice(device, refuseToRead);
  assertEquals(await nameOf(tampered), "awaited");
  await assertRejects(() => nameOf(tampered, "eager"), DOMException, "failed its probe");
});

onDevice("createReadback() awaits where it is told to", async ({ device }) => {
  assertEquals(await nameOf(device, "awaited"), "awaited");
});

onDevice("the probe says what it found", async ({ device }) => {
  const { passed, detail } = await probeEagerReadback(device);
  assertStringIncludes(detail, passed ? "words were right" : "");
});

onDevice("the probe fails on a runtime that hands out old data", async ({ device }) => {
  const old = Int32Array.of(1, ...new Array(257).fill(0)).buffer; // with the receipt of a first read
  const { passed, detail } = await probeEagerReadback(tamperedDevice(device, () => old));
  assertEquals(passed, false);
  assertStringIncludes(detail, "words were wrong in round 0");
});

onDevice("the probe fails on a runtime that maps in its own time", async ({ device }) => {
  const { passed, detail } = await probeEagerReadback(tamperedDevice(device, refuseToRead));
  assertEquals(passed, false);
  assertStringIncludes(detail, "Buffer is not mapped");
});
