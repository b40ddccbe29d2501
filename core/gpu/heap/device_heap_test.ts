import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { GpuDevice } from "../device/device.ts";
import { onDevice } from "../device/on_device_test.ts";
import { READBACK_NAMES, type ReadbackName } from "../device/readback.ts";
import { kernelBed } from "../epochs/kernel_run_test.ts";
import { KernelError, KernelErrorCode } from "../wgsl/kernel_error.ts";
import { DeviceHeap, type KernelHeap } from "./device_heap.ts";

interface Run {
  readonly source: string;
  readonly heapBytes?: number;
  readonly laneCount?: number;
  readonly waveCount?: number;
  readonly readback?: ReadbackName;
  readonly before?: (heap: KernelHeap) => void;
  readonly after?: (heap: KernelHeap) => void;
}

async function run(gpu: GpuDevice, options: Run): Promise<void> {
  const { source, heapBytes = 1 << 12, laneCount = 1, waveCount = 1, readback } = options;
  const shape = { portCount: waveCount, laneCount, waveCount };
  using bed = await kernelBed(gpu, { ...shape, source, heapBytes, readback });
  const { kernel: { heap }, kernel, server } = bed;
  options.before?.(heap);
  await kernel.runAsync(server);
  options.after?.(heap);
}

onDevice("the bytes in front of a heap's first address are no one's", (gpu) => {
  const heap = new DeviceHeap(gpu, 1024, { texts: [], endByte: 16 } as never);
  for (const address of [0, 1, 8, 15]) {
    const says = `1 bytes at address ${address} do not lie`;
    assertThrows(() => heap.check(address, 1), RangeError, says);
    assertThrows(() => heap.write(address, Uint8Array.of(1)), RangeError, says);
  }
  heap.check(16, 1008);
  heap.destroy();
});

onDevice(
  "doubles of the heap are rounded as JavaScript rounds, and written exactly",
  async (gpu) => {
    const count = 2048;
    const bits = new BigUint64Array(count);
    let state = 1n;
    for (let index = 0; index < count; index++) {
      state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
      // Exponents around those of floats, and fractions that are ties or next to one.
      const exponent = 896n + state % 300n - 30n;
      const isTie = index % 2 === 0;
      const fraction = isTie
        ? ((state >> 12n) & ~0x1fffffffn) + 0x10000000n + state % 3n - 1n
        : state;
      bits[index] = (state & 1n << 63n) | exponent << 52n | fraction & (1n << 52n) - 1n;
    }
    const doubles = new Float64Array(bits.buffer);
    await run(gpu, {
      heapBytes: 1 << 16,
      source: `fn kernel() {
      for (var at = 16u; at < ${16 + 8 * count}u; at += 8u) { heap_set_f64(at, heap_f64(at)); }
    }`,
      before: (heap) => heap.write(16, new Uint8Array(doubles.buffer)),
      after(heap) {
        const back = new Float64Array(heap.read(16, 8 * count).slice().buffer);
        const wrong = [...doubles].filter((value, index) =>
          !Object.is(Math.fround(value), back[index])
        );
        assertEquals(wrong, []);
      },
    });
  },
);

onDevice("a write to an address that is none writes nothing", async (gpu) => {
  const source = "fn kernel() { heap_set_u32(heap_u32(16u), 7u); }";
  const shape = { portCount: 1, laneCount: 1, waveCount: 1 };
  using bed = await kernelBed(gpu, { ...shape, source, heapBytes: 4096 });
  const { kernel: { heap }, kernel, server } = bed;
  for (const address of [33, 14, 4096]) {
    heap.write(16, new Uint8Array(Uint32Array.of(address).buffer));
    const error = await assertRejects(() => kernel.runAsync(server), KernelError);
    assertEquals(error.code, KernelErrorCode.badAddress, `${address}`);
    assertEquals(heap.read(20, 4076), new Uint8Array(4076), `${address}`);
  }
});

for (const readback of READBACK_NAMES) {
  onDevice(`the host sees what is in a large heap after a run, ${readback}`, async (gpu) => {
    const heapBytes = (1 << 22) + (1 << 16) + 32;
    await run(gpu, {
      heapBytes,
      readback,
      source: `fn kernel() {
        for (var at = 16u; at < ${heapBytes}u; at += 65536u) { heap_set_u32(at, heap_u32(at) + at); }
      }`,
      before(heap) {
        for (let at = 16; at < heapBytes; at += 65536) heap.write(at, Uint8Array.of(1));
        heap.write(heapBytes - 3, Uint8Array.of(7, 8, 9));
      },
      after(heap) {
        const all = new Uint32Array(heap.read(16, heapBytes - 16).slice().buffer);
        const wanted = new Uint32Array(all.length);
        for (let at = 16; at < heapBytes; at += 65536) wanted[(at - 16) / 4] = at + 1;
        wanted[all.length - 1] = 0x09080700;
        assertEquals(all, wanted);
        heap.write(16, new Uint8Array([1]));
        assertThrows(() => heap.read(heapBytes - 2, 3), RangeError, "do not lie in it");
        assertEquals(heap.read(heapBytes, 0).length, 0);
      },
    });
  });
}
