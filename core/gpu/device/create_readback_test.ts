import { assertEquals, assertRejects } from "@std/assert";
import { createReadback } from "./create_readback.ts";
import { onDevice, refuseToRead, tamperedDevice } from "./on_device_test.ts";
import type { ReadbackName } from "./readback.ts";
import { probeEagerReadback } from "./readback_probe.ts";

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
