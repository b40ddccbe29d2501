import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { onDevice } from "./on_device_test.ts";
import { allocateReadback, AwaitedReadback, type DeviceTask, EagerReadback } from "./readback.ts";
import { probeEagerReadback } from "./readback_probe.ts";

/** Fills the target with the values, reads them back, and does so again for each further list. */
function* echo(
  device: GPUDevice,
  target: GPUBuffer,
  lists: readonly (readonly number[])[],
): DeviceTask<number[][]> {
  const read: number[][] = [];
  for (const values of lists) {
    fill(device, target, Int32Array.from(values));
    yield { bytes: values.length * 4, use: (words) => read.push([...words]) };
  }
  return read;
}

function fill(device: GPUDevice, target: GPUBuffer, values: Int32Array<ArrayBuffer>): void {
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const source = device.createBuffer({ size: values.byteLength, usage });
  device.queue.writeBuffer(source, 0, values);
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, 0, target, 0, values.byteLength);
  device.queue.submit([encoder.finish()]);
}

const LISTS = [[1, -2, 3, -4], [5, 6]];

onDevice(
  "AwaitedReadback.run() reads what the device wrote, as often as asked",
  async ({ device }) => {
    const readback = new AwaitedReadback(device, await allocateReadback(device, 16));
    assertEquals(await readback.run(echo(device, readback.buffer, LISTS)), LISTS);
    readback.destroy();
  },
);

onDevice("AwaitedReadback.runNow() refuses before the task has begun", async ({ device }) => {
  const readback = new AwaitedReadback(device, await allocateReadback(device, 16));
  let hasBegun = false;
  const task = function* (): DeviceTask<void> {
    hasBegun = true;
    yield { bytes: 4, use: () => {} };
  };
  const { runNow } = readback as { runNow(task: DeviceTask<void>): void };
  assertThrows(() => runNow(task()), TypeError, "as the readback is awaited");
  assertEquals(hasBegun, false);
  readback.destroy();
});

onDevice("EagerReadback equals the awaited way, with several in flight", async ({ device }) => {
  if (!(await probeEagerReadback(device)).passed) return;
  const readbacks = await Promise.all(
    [1, 2, 3].map(async () => new EagerReadback(device, await allocateReadback(device, 8))),
  );
  for (let round = 0; round < 30; round++) {
    readbacks.forEach(({ buffer }, index) => fill(device, buffer, Int32Array.of(round, index)));
    readbacks.forEach((readback, index) =>
      readback.read({ bytes: 8, use: (words) => assertEquals([...words], [round, index]) })
    );
  }
  const [first] = readbacks;
  assertEquals(first!.run(echo(device, first!.buffer, [[7, 8], [9, 10]])), [[7, 8], [9, 10]]);
  for (const readback of readbacks) await readback.settle();
  for (const readback of readbacks) readback.destroy();
});

onDevice("a readback unmaps when the reader throws", async ({ device }) => {
  const readback = new AwaitedReadback(device, await allocateReadback(device, 8));
  const fail = function* (): DeviceTask<void> {
    yield {
      bytes: 8,
      use: () => {
        throw new Error("no");
      },
    };
  };
  await assertRejects(() => readback.run(fail()), Error, "no");
  assertEquals(await readback.run(echo(device, readback.buffer, [[5, 6]])), [[5, 6]]);
  readback.destroy();
});

Deno.test("EagerReadback reports at the next read that an earlier mapping failed", async () => {
  const mappings = [Promise.resolve(), Promise.reject(new Error("lost")), Promise.resolve()];
  const buffer = {
    mapAsync: () => mappings.shift(),
    getMappedRange: () => new ArrayBuffer(4),
    unmap: () => {},
  };
  const device = { createBuffer: () => buffer } as unknown as GPUDevice;
  const readback = new EagerReadback(device, await allocateReadback(device, 4));
  const read = { bytes: 4, use: () => {} };
  readback.read(read);
  await assertRejects(() => readback.settle(), Error, "lost");
  assertThrows(() => readback.read(read), Error, "lost");
});
