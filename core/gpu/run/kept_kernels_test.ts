import { assertEquals, assertRejects } from "@std/assert";
import { KeptKernels } from "./kept_kernels.ts";
import type { KernelRuntime } from "./kernel_runtime.ts";

/** A runtime that runs nothing, and counts what is compiled and freed. */
function countingWay() {
  const counts = { compiled: 0, freed: 0 };
  const runtime: KernelRuntime = {
    refused: {},
    storageBuffersMax: 8,
    isBuffer: (value) => value instanceof Date,
    checkAlive() {},
    compile() {
      counts.compiled++;
      return Promise.resolve({
        get heap(): never {
          throw new TypeError("no heap");
        },
        frameBytes: 0,
        serverOptions: {},
        write() {},
        read: () => Promise.resolve(new ArrayBuffer(4)),
        runAsync: (_, { signal }) =>
          signal?.aborted
            ? Promise.reject(signal.reason)
            : Promise.resolve({ packetCount: 0, refusedCallCount: 0 }),
        destroy: () => void counts.freed++,
      });
    },
  };
  return { kernels: new KeptKernels(runtime), counts };
}

const SOURCE = "fn kernel() {} var<storage, read_write> x: array<u32>;";

Deno.test("KeptKernels compiles anew what depends on other options or buffers, and nothing else", async () => {
  const { kernels, counts } = countingWay();
  const [one, other] = [new Date(), new Date()];
  const runs: readonly (readonly [options: object, compiled: number])[] = [
    [{ buffers: { x: new Uint32Array(1) } }, 1],
    [{ buffers: { x: new Uint32Array(1) }, print: () => {}, roundsMax: 500 }, 1],
    [{ buffers: { x: new Uint32Array(2) } }, 2],
    [{ buffers: { x: one } }, 3],
    [{ buffers: { x: other } }, 4],
    [{ buffers: { x: one } }, 4],
    [{ buffers: { x: one }, waveCount: 2 }, 5],
  ];
  for (const [options, compiled] of runs) {
    await kernels.run(SOURCE, options);
    assertEquals(counts, { compiled, freed: 0 });
  }
});

Deno.test("KeptKernels keeps eight kernels, and none whose run failed", async () => {
  const { kernels, counts } = countingWay();
  const buffers = { x: new Uint32Array(1) };
  for (let waveCount = 1; waveCount <= 10; waveCount++) {
    await kernels.run(SOURCE, { buffers, waveCount });
  }
  assertEquals(counts, { compiled: 10, freed: 2 });
  const signal = AbortSignal.abort(new Error("enough"));
  await assertRejects(
    () => kernels.run(SOURCE, { buffers, waveCount: 10, signal }),
    Error,
    "enough",
  );
  assertEquals(counts, { compiled: 10, freed: 3 });
  kernels.destroy();
  assertEquals(counts.freed, 10);
  await assertRejects(() => kernels.run(SOURCE, { buffers }), TypeError, "the GPU was destroyed");
});
