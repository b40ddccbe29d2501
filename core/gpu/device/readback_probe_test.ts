import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { onDevice } from "./on_device_test.ts";
import type { ReadbackName } from "./readback.ts";
import { createReadback, probeEagerReadback } from "./readback_probe.ts";

/** The device, but for what its readback buffers do when they are mapped for the n-th time. */
function tamper(device: GPUDevice, getMappedRange: (buffer: GPUBuffer) => ArrayBuffer): GPUDevice {
  const bind = <T extends object>(target: T, changes: object): T =>
    new Proxy(target, {
      get: (_, name) => {
        if (name in changes) return changes[name as keyof object];
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const createBuffer = (descriptor: GPUBufferDescriptor) => {
    const buffer = device.createBuffer(descriptor);
    const isReadback = (descriptor.usage & GPUBufferUsage.MAP_READ) !== 0;
    // Patched in place: the runtime takes nothing but its own buffers.
    if (isReadback) Object.assign(buffer, { getMappedRange: () => getMappedRange(buffer) });
    return buffer;
  };
  return bind(device, { createBuffer });
}

async function nameOf(device: GPUDevice, wanted?: ReadbackName): Promise<ReadbackName> {
  const readback = await createReadback(device, { bytes: 4, readback: wanted });
  readback.destroy();
  return readback.name;
}

onDevice("createReadback() takes eager only when the probe passes", async ({ device }) => {
  const { passed, detail } = await probeEagerReadback(device);
  assertStringIncludes(detail, passed ? "words were right" : "");
  assertEquals(await nameOf(device), passed ? "eager" : "awaited");
});

onDevice("the probe fails on a runtime that hands out old data", async ({ device }) => {
  const old = new ArrayBuffer(4096);
  const { passed, detail } = await probeEagerReadback(tamper(device, () => old));
  assertEquals(passed, false);
  assertStringIncludes(detail, "words were wrong in round 0");
});

onDevice("the probe fails on a runtime that maps in its own time", async ({ device }) => {
  const refuse = () => {
    throw new DOMException("Buffer is not mapped", "OperationError");
  };
  const { passed, detail } = await probeEagerReadback(tamper(device, refuse));
  assertEquals(passed, false);
  assertStringIncludes(detail, "Buffer is not mapped");
  const tampered = tamper(device, refuse);
  assertEquals(await nameOf(tampered), "awaited");
  await assertRejects(() => nameOf(tampered, "eager"), DOMException, "failed its probe");
});
