import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { onDevice } from "./on_device_test.ts";
import { ReadbackBuffer } from "./readback.ts";
import { probeEagerReadback } from "./readback_probe.ts";

function fill(device: GPUDevice, readback: ReadbackBuffer, values: Int32Array<ArrayBuffer>): void {
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const source = device.createBuffer({ size: values.byteLength, usage });
  device.queue.writeBuffer(source, 0, values);
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, 0, readback.buffer, 0, values.byteLength);
  device.queue.submit([encoder.finish()]);
}

onDevice("ReadbackBuffer.readAwaited() reads what the device wrote", async ({ device }) => {
  const readback = await ReadbackBuffer.create(device, 16);
  fill(device, readback, Int32Array.of(1, -2, 3, -4));
  await readback.readAwaited(16, (words) => assertEquals([...words], [1, -2, 3, -4]));
  readback.destroy();
});

onDevice(
  "ReadbackBuffer.readEager() equals the awaited way, with several in flight",
  async ({ device }) => {
    if (!(await probeEagerReadback(device)).passed) return;
    const readbacks = await Promise.all([1, 2, 3].map(() => ReadbackBuffer.create(device, 8)));
    for (let round = 0; round < 30; round++) {
      readbacks.forEach((readback, index) => fill(device, readback, Int32Array.of(round, index)));
      readbacks.forEach((readback, index) =>
        readback.readEager(8, (words) => assertEquals([...words], [round, index]))
      );
    }
    for (const readback of readbacks) await readback.settle();
    for (const readback of readbacks) readback.destroy();
  },
);

onDevice("ReadbackBuffer unmaps when the reader throws", async ({ device }) => {
  const readback = await ReadbackBuffer.create(device, 8);
  await assertRejects(() =>
    readback.readAwaited(8, () => {
      throw new Error("no");
    })
  );
  fill(device, readback, Int32Array.of(5, 6));
  await readback.readAwaited(8, (words) => assertEquals([...words], [5, 6]));
  readback.destroy();
});

Deno.test("ReadbackBuffer reports at the next read that an earlier mapping failed", async () => {
  const mappings = [Promise.resolve(), Promise.reject(new Error("lost")), Promise.resolve()];
  const buffer = {
    mapAsync: () => mappings.shift(),
    getMappedRange: () => new ArrayBuffer(4),
    unmap: () => {},
  };
  const device = { createBuffer: () => buffer } as unknown as GPUDevice;
  const readback = await ReadbackBuffer.create(device, 4);
  readback.readEager(4, () => {});
  await assertRejects(() => readback.settle(), Error, "lost");
  assertThrows(() => readback.readEager(4, () => {}), Error, "lost");
});
