import { assertEquals, assertRejects } from "@std/assert";
import { LiveGpu, openLiveGpu } from "./live_gpu.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";

onLiveDevice(
  "LiveGpu.run() ends by a signal, even lanes that go on without calls",
  async (device) => {
    const source = `@group(1) @binding(0) var<storage, read_write> x: array<u32>;
    @service fn ask() -> u32;
    fn kernel() { var count = 0u; loop { count++; if count == 0u { x[0] = ask(); } } }`;
    await assertRejects(
      () =>
        new LiveGpu(device, translate).run(source, {
          functions: { ask: () => 1 },
          buffers: { x: new Uint32Array(1) },
          signal: AbortSignal.timeout(20),
          waveCount: 3,
          laneCount: 2,
        }),
      DOMException,
      "timeout",
    );
  },
);

onLiveDevice("a LiveBuffer stays on the device, and a kernel is compiled once", async (device) => {
  let compiledCount = 0;
  using gpu = new LiveGpu(device, (source) => {
    compiledCount++;
    return translate(source);
  });
  const [one, other] = [0, 1].map(() => device.createBuffer(4, "host"));
  for (const { words } of [one!, other!]) new Uint32Array(words!).fill(0);
  const source = `
    var<storage, read_write> count: atomic<u32>;
    var<storage, read_write> seen: array<u32>;
    var<storage, read> unread: array<u32>;
    fn kernel() { seen[0] = atomicAdd(&count, 1u) + unread[0]; }`;
  const buffers = { seen: Uint32Array.of(9), unread: Uint32Array.of(100) };
  for (const [count, wanted] of [[one!, 100], [one!, 101], [other!, 100], [one!, 102]] as const) {
    const { buffers: after } = await gpu.run(source, {
      buffers: { ...buffers, count },
      laneCount: 1,
    });
    assertEquals([after.seen[0], after.count === count], [wanted, true]);
    assertEquals([buffers.seen[0], after.unread[0]], [9, 100]);
  }
  assertEquals(compiledCount, 2);
});

onLiveDevice(
  "a LiveGpu refuses what is no buffer, and runs nothing once it is closed",
  async (device) => {
    const gpu = new LiveGpu(device, translate);
    await assertRejects(
      () => gpu.run("fn kernel() {}", { buffers: { x: [1] } } as object),
      TypeError,
      "the buffer x must be an array such as a Float32Array",
    );
    gpu[Symbol.dispose]();
    await assertRejects(() => gpu.run("fn kernel() {}"), TypeError, "the GPU was destroyed");
  },
);

Deno.test("openLiveGpu() rejects where there is no Vulkan", async () => {
  const library = "/nowhere/libvulkan.so";
  const error = await assertRejects(() => openLiveGpu({ translate, library }), DOMException);
  assertEquals([error.name, error.message.includes(library)], ["NotSupportedError", true]);
});
