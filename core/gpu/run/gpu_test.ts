import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { gpu as adapter, onDevice } from "../device/on_device_test.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { type Gpu, openGpu } from "./gpu.ts";
import type { GpuRunOptions } from "./run_options.ts";

const SQUARE = `
  @service fn square(x: u32) -> u32;
  fn kernel() { printf("%u ", square(lane_index)); }`;
function square(x: number): number {
  return x * x;
}

/** What a kernel printed. */
async function printed(gpu: Gpu, source: string, options: GpuRunOptions = {}): Promise<string> {
  let text = "";
  await gpu.run(source, { ...options, print: (part) => text += part });
  return text;
}

/** Counts what a GPU has made and what of it is left. */
function watched(gpu: Gpu) {
  const { device } = gpu;
  const alive = new Set<GPUBuffer>();
  let pipelineCount = 0;
  const { createBuffer, createComputePipelineAsync } = device;
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer.call(device, descriptor);
    const { destroy } = buffer;
    alive.add(buffer);
    return Object.assign(buffer, {
      destroy: () => {
        alive.delete(buffer);
        destroy.call(buffer);
      },
    });
  };
  device.createComputePipelineAsync = (descriptor) => {
    pipelineCount++;
    return createComputePipelineAsync.call(device, descriptor);
  };
  return { aliveCount: () => alive.size, pipelineCount: () => pipelineCount };
}

onDevice("a second run of a text is not compiled again", async () => {
  using gpu = await openGpu();
  const { pipelineCount } = watched(gpu);
  await printed(gpu, "fn kernel() {}");
  const before = pipelineCount();
  for (const factor of [1, 2, 3]) {
    const functions = { square: (x: number) => factor * x };
    const text = await printed(gpu, SQUARE, { functions, laneCount: 3 });
    assertEquals(text, `0 ${factor} ${2 * factor} `);
  }
  assertEquals(pipelineCount() - before, 1);
  await printed(gpu, SQUARE, { functions: { square }, laneCount: 4 });
  assertEquals(pipelineCount() - before, 2, "of another shape");
});

onDevice("runs of one text may overlap, and share what was compiled", async () => {
  using gpu = await openGpu();
  const { pipelineCount } = watched(gpu);
  for (const what of ["compiled", "kept"]) {
    const texts = [1, 2, 3].map((factor) => {
      const functions = { square: async (x: number) => await Promise.resolve(factor * x) };
      return printed(gpu, SQUARE, { functions, laneCount: 3 });
    });
    assertEquals(await Promise.all(texts), ["0 1 2 ", "0 2 4 ", "0 3 6 "], what);
    assertEquals(pipelineCount(), 1, what);
  }
});

onDevice("kernels are kept up to eight, and nothing is left after destroy()", async () => {
  const gpu = await openGpu();
  const { aliveCount } = watched(gpu);
  const counts: number[] = [];
  for (let run = 0; run < 10; run++) {
    await gpu.run(`var<storage, read_write> a: array<u32>; fn kernel() { a[0] = ${run}u; }`, {
      buffers: { a: new Uint32Array(1) },
    });
    counts.push(aliveCount());
  }
  assert(counts[0]! > 0, "one is kept");
  assertEquals(counts.slice(0, 8), counts.slice(0, 8).toSorted((a, b) => a - b));
  assertEquals([counts[8], counts[9]], [counts[7], counts[7]]);
  gpu.destroy();
  assertEquals([aliveCount(), (await gpu.device.lost).reason], [0, "destroyed"]);
  await assertRejects(() => gpu.run("fn kernel() {}"), TypeError, "as the GPU was destroyed");
});

onDevice("a run that rejects leaves nothing behind, and others go on", async () => {
  using gpu = await openGpu();
  const { aliveCount } = watched(gpu);
  const wrong = "var<storage, read_write> a: array<u32>; fn kernel() { oh(); }";
  const buffers = { a: new Uint32Array(1) };
  await assertRejects(() => gpu.run(wrong, { buffers }), KernelCompileError);
  assertEquals(aliveCount(), 0);
  const fail = () => {
    throw new RangeError("no such square");
  };
  const later = async () => await Promise.reject(new RangeError("no such square"));
  for (const square of [fail, later]) {
    const failed = () => printed(gpu, SQUARE, { functions: { square }, laneCount: 2 });
    const error = await assertRejects(failed, CallError, "the call of square in line 3");
    assertEquals((error.cause as Error).message, "no such square");
    assert(error.cause instanceof RangeError, "the error itself");
    assertEquals(aliveCount(), 0);
  }
  assertEquals(await printed(gpu, SQUARE, { functions: { square }, laneCount: 3 }), "0 1 4 ");
});

onDevice("destroy() ends a run that waits for a function", async () => {
  const gpu = await openGpu();
  const { aliveCount } = watched(gpu);
  const asked = Promise.withResolvers<void>();
  const never = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const running = gpu.run(SQUARE, { functions: { square: never } });
  const rejected = assertRejects(() => running, TypeError, "as its memory was destroyed");
  await asked.promise;
  gpu.destroy();
  await rejected;
  assertEquals(aliveCount(), 0);
});

onDevice("a Gpu is a device for all that takes one", async () => {
  using gpu = await openGpu();
  assertEquals([gpu.adapterName, gpu.isSoftware], [adapter!.adapterName, adapter!.isSoftware]);
  assertEquals(gpu.lostReason, undefined);
  gpu.device.destroy();
  await gpu.device.lost;
  assertStringIncludes(gpu.lostReason!, "destroyed");
  await assertRejects(() => gpu.run("fn kernel() {}"), DOMException, "the device was lost");
});
