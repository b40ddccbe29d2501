/** What functions write at any time, and what the device does meanwhile. */
import { assertEquals } from "@std/assert";
import { createReadback } from "../device/create_readback.ts";
import type { GpuDevice } from "../device/device.ts";
import { onDevice } from "../device/on_device_test.ts";
import { type DeviceTask, READBACK_NAMES, type ReadbackName } from "../device/readback.ts";
import { DeviceHeap } from "./device_heap.ts";
import { PAGE_BYTES } from "./heap_mirror.ts";

/** A heap without a kernel: a dispatch is a write of the device's queue. */
async function driven(gpu: GpuDevice, readback: ReadbackName, heapBytes = 1 << 19) {
  const heap = new DeviceHeap(gpu, heapBytes, { texts: [], endByte: 16 });
  const buffer = await createReadback(gpu.device, { bytes: heap.readbackBytes(256), readback });
  heap.attach(buffer);
  return {
    heap,
    buffer,
    dispatch(address: number, ...bytes: readonly number[]) {
      heap.beginDispatch();
      gpu.device.queue.writeBuffer(heap.buffer, address, Uint8Array.from(bytes));
    },
    /** The results of the dispatch, which are nothing but what the heap wants. */
    *results(): DeviceTask<void> {
      yield {
        what: "dispatch",
        encode: (_, copyOut) => heap.copyAhead(copyOut, 256),
        use: (words) => heap.takeAhead(words.subarray(64)),
      };
    },
    async [Symbol.asyncDispose]() {
      await buffer.settle();
      buffer.destroy();
      heap.destroy();
    },
  };
}

for (const readback of READBACK_NAMES) {
  onDevice(`bytes that are written late keep their neighbours, ${readback}`, async (gpu) => {
    await using device = await driven(gpu, readback);
    const { heap, buffer, dispatch } = device;
    dispatch(64, 1, 2, 3, 4);
    heap.write(65, Uint8Array.of(9));
    dispatch(68, 5, 6, 7, 8);
    heap.write(71, Uint8Array.of(10, 11));
    heap.write(72, Uint8Array.of(12));
    await buffer.runAsync(heap.prepare());
    dispatch(76, 13, 14, 15, 16);
    await buffer.runAsync(heap.takeCalls());
    const wanted = [1, 9, 3, 4, 5, 6, 7, 10, 12, 0, 0, 0, 13, 14, 15, 16];
    assertEquals([...heap.read(64, 16)], wanted);
  });

  onDevice(
    `what the host wrote is kept when the bytes around it are fetched, ${readback}`,
    async (gpu) => {
      await using device = await driven(gpu, readback, 1 << 20);
      const { heap, buffer } = device;
      heap.beginDispatch();
      heap.takeAhead(new Int32Array());
      heap.write(64, Uint8Array.of(1, 2, 3, 4)); // whole words: nothing is fetched for them
      await buffer.runAsync(heap.takeCalls());
      assertEquals([...heap.read(256, 4), ...heap.read(64, 4)], [0, 0, 0, 0, 1, 2, 3, 4]);
    },
  );

  onDevice(`no bytes may be written anywhere, ${readback}`, async (gpu) => {
    await using device = await driven(gpu, readback);
    const { heap, buffer, dispatch, results } = device;
    dispatch(64, 1, 2, 3, 4);
    heap.write(0xfffffff1, new Uint8Array());
    heap.write(1e6, new Uint8Array());
    await buffer.runAsync(heap.prepare());
    dispatch(68, 5, 6, 7, 8);
    await buffer.runAsync(results());
    await buffer.runAsync(heap.takeCalls());
    assertEquals([...heap.read(64, 8)], [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  onDevice(`what is written while the heap is fetched is kept, ${readback}`, async (gpu) => {
    await using device = await driven(gpu, readback);
    const { heap, buffer, dispatch } = device;
    dispatch(64, 1, 2, 3, 4);
    const fetching = buffer.runAsync(heap.fetchAll());
    heap.write(68, Uint8Array.of(5, 6, 7, 8));
    heap.write(1 << 16, Uint8Array.of(9));
    await fetching;
    await buffer.runAsync(heap.prepare());
    heap.beginDispatch();
    await buffer.runAsync(heap.fetchAll());
    assertEquals([...heap.read(64, 8), ...heap.read(1 << 16, 2)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
  });

  onDevice(`what is written while results come is kept, ${readback}`, async (gpu) => {
    await using device = await driven(gpu, readback, 1 << 17);
    const { heap, buffer, dispatch, results } = device;
    dispatch(64, 1, 2, 3, 4);
    await buffer.runAsync(results());
    assertEquals([...heap.read(64, 4)], [1, 2, 3, 4]);
    dispatch(68, 5, 6, 7, 8);
    assertEquals(heap.aheadBytes, readback === "eager" ? PAGE_BYTES : 1 << 17);
    const running = buffer.runAsync(results());
    heap.write(72, Uint8Array.of(9, 10, 11, 12));
    await running;
    await buffer.runAsync(results());
    await buffer.runAsync(heap.prepare());
    heap.beginDispatch();
    await buffer.runAsync(heap.fetchAll());
    assertEquals([...heap.read(64, 12)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
}
