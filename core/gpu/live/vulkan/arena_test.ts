import { assertEquals, assertThrows } from "@std/assert";
import { Arena } from "./arena.ts";
import { STRUCTURES } from "./vulkan_tables.ts";

function bytesAt(address: bigint, count: number): Uint8Array {
  const view = new Deno.UnsafePointerView(Deno.UnsafePointer.create(address)!);
  return new Uint8Array(view.getArrayBuffer(count));
}

Deno.test("Arena.struct() puts values where C looks for them, and zeros elsewhere", () => {
  const arena = new Arena();
  const name = "VkBufferCreateInfo";
  const address = arena.struct(name, { size: 2n ** 40n + 1n, usage: 0x20, flags: -1 });
  const { bytes, type, fields } = STRUCTURES[name];
  const view = new DataView(bytesAt(address, bytes).slice().buffer);
  const found = Array.from({ length: bytes / 4 }, (_, word) => view.getUint32(word * 4, true));
  const expected = Array(bytes / 4).fill(0);
  expected[0] = type;
  expected[fields.flags[0] / 4] = 2 ** 32 - 1;
  expected[fields.size[0] / 4] = 1;
  expected[fields.size[0] / 4 + 1] = 256;
  expected[fields.usage[0] / 4] = 0x20;
  assertEquals(found, expected);
});

Deno.test("Arena.read() finds what was written: numbers, structures in others, texts, arrays", () => {
  const arena = new Arena();
  const features = { robustBufferAccess: 1, shaderInt64: 0 };
  const outer = arena.struct("VkPhysicalDeviceFeatures2", { pNext: 7n, features });
  assertEquals(arena.read("VkPhysicalDeviceFeatures2", outer), { pNext: 7n, features });

  const device = arena.take(STRUCTURES.VkPhysicalDeviceProperties.bytes);
  const { deviceName, limits } = STRUCTURES.VkPhysicalDeviceProperties.fields;
  const { maxComputeWorkGroupCount, timestampPeriod } = STRUCTURES.VkPhysicalDeviceLimits.fields;
  const view = new DataView(
    bytesAt(device, STRUCTURES.VkPhysicalDeviceProperties.bytes).buffer as ArrayBuffer,
  );
  new TextEncoder().encodeInto("a name", new Uint8Array(view.buffer, deviceName[0]));
  view.setUint32(limits[0] + maxComputeWorkGroupCount[0] + 4, 65_535, true);
  view.setFloat32(limits[0] + timestampPeriod[0], 0.5, true);
  const read = arena.read("VkPhysicalDeviceProperties", device);
  assertEquals(read.deviceName, "a name");
  assertEquals(read.limits.maxComputeWorkGroupCount, [0, 65_535, 0]);
  assertEquals(read.limits.timestampPeriod, 0.5);

  const two = arena.structs("VkMemoryType", [{ heapIndex: 1 }, { propertyFlags: 2 }]);
  assertEquals(arena.readAll("VkMemoryType", two, 2), [
    { propertyFlags: 0, heapIndex: 1 },
    { propertyFlags: 2, heapIndex: 0 },
  ]);
});

Deno.test("Arena.scope() frees what was taken in it, and what is taken anew is 0", () => {
  const arena = new Arena();
  const kept = arena.text("kept");
  const first = arena.scope(() => arena.array([5n, 6n]));
  const second = arena.scope(() => arena.take(16));
  assertEquals(first, second);
  assertEquals([arena.u64(second), arena.u64(second + 8n)], [0n, 0n]);
  assertEquals(bytesAt(kept, 5), new TextEncoder().encode("kept\0"));
  assertThrows(
    () =>
      arena.scope(() => {
        throw new Error("inside");
      }),
    Error,
    "inside",
  );
  assertEquals(arena.take(8), first);
});

Deno.test("Arena.take() refuses what is more than there is", () => {
  const arena = new Arena();
  arena.take(4 << 20);
  assertThrows(() => arena.take(1), RangeError, "Cannot pass 1 bytes to Vulkan as 0 of");
});
