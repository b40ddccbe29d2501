import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { requestGpuDevice } from "./device.ts";
import { onDevice } from "./on_device_test.ts";
import {
  AwaitedReadback,
  type DeviceRead,
  type DeviceTask,
  EagerReadback,
  type Readback,
  ReadbackBuffer,
} from "./readback.ts";
import { probeEagerReadback } from "./create_readback.ts";

/** Copies the values out, by a buffer of their own. */
function copied(
  device: GPUDevice,
  values: readonly number[],
  use: DeviceRead["use"],
): DeviceRead & { readonly source: GPUBuffer } {
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const source = device.createBuffer({ size: values.length * 4, usage, label: "source" });
  return {
    source,
    what: "copy the source",
    encode: (_, copyOut) => {
      device.queue.writeBuffer(source, 0, Int32Array.from(values));
      copyOut(source, 0, 0, values.length * 4);
    },
    use,
  };
}

/** Copies a list out and reads it, and does so again for each further list. */
function* echo(
  device: GPUDevice,
  lists: readonly (readonly number[])[],
): DeviceTask<number[][]> {
  const read: number[][] = [];
  for (const values of lists) yield copied(device, values, (words) => read.push([...words]));
  return read;
}

/** Copies out of a buffer that is gone, and tells what it is told of that. */
function* refused(device: GPUDevice, use: DeviceRead["use"] = () => {}): DeviceTask<unknown> {
  const read = copied(device, [9, 9], use);
  read.source.destroy();
  try {
    yield read;
  } catch (error) {
    return error;
  }
}

const LISTS = [[1, -2, 3, -4], [5, 6]];
const REFUSED = "Cannot copy the source as the device refused it: Buffer with 'source' label";

async function readbackOf(device: GPUDevice, name: string): Promise<Readback | undefined> {
  if (name === "eager" && !(await probeEagerReadback(device)).passed) return undefined;
  const buffer = await ReadbackBuffer.allocate(device, 16);
  return name === "eager" ? new EagerReadback(device, buffer) : new AwaitedReadback(device, buffer);
}

for (const name of ["eager", "awaited"]) {
  const onReadback = (
    says: string,
    test: (device: GPUDevice, readback: Readback) => Promise<void>,
  ) =>
    onDevice(`${says}, ${name}`, async ({ device }) => {
      const readback = await readbackOf(device, name);
      if (!readback) return;
      await test(device, readback);
      readback.destroy();
    });

  onReadback(
    "Readback.runAsync() reads what was copied, as often as asked",
    async (device, readback) => {
      for (let round = 0; round < 10; round++) {
        assertEquals(await readback.runAsync(echo(device, LISTS)), LISTS);
      }
      await readback.settle();
    },
  );

  onReadback("a submit that was refused is not read, and told of", async (device, readback) => {
    await readback.runAsync(echo(device, LISTS));
    for (let time = 0; time < 3; time++) {
      let used = 0;
      const task = function* (): DeviceTask<void> {
        const error = yield* refused(device, () => used++);
        assertEquals((error as DOMException).name, "OperationError");
        throw error;
      };
      await assertRejects(async () => await readback.runAsync(task()), DOMException, REFUSED);
      assertEquals(used, 0);
    }
    assertEquals(await readback.runAsync(echo(device, LISTS)), LISTS, "the next goes on");
  });

  onReadback("a task may go on after a refusal", async (device, readback) => {
    const task = function* (): DeviceTask<number[][]> {
      yield* refused(device);
      return yield* echo(device, LISTS);
    };
    assertEquals(await readback.runAsync(task()), LISTS);
  });

  onReadback("a readback unmaps when the reader throws", async (device, readback) => {
    const fail = () => {
      throw new Error("no");
    };
    const task = function* (): DeviceTask<void> {
      yield copied(device, [1], fail);
    };
    await assertRejects(async () => await readback.runAsync(task()), Error, "no");
    assertEquals(await readback.runAsync(echo(device, [[5, 6]])), [[5, 6]]);
  });

  onReadback("a readback that was destroyed says so", async (device, readback) => {
    readback.destroy();
    const run = async () => await readback.runAsync(echo(device, LISTS));
    await assertRejects(run, TypeError, "Cannot copy the source as its memory was destroyed");
  });

  onReadback("tasks that begin together run one behind the other", async (device, readback) => {
    const both = [
      readback.runAsync(echo(device, LISTS)),
      readback.runAsync(echo(device, [[7], [8]])),
    ];
    assertEquals(await Promise.all(both), [LISTS, [[7], [8]]]);
  });

  onReadback("a device that is lost in the middle is told of", async () => {
    const { device } = await requestGpuDevice();
    const readback = await readbackOf(device, name);
    const task = function* (): DeviceTask<void> {
      yield* echo(device, LISTS);
      device.destroy();
      yield* echo(device, LISTS);
    };
    const run = async () => await readback?.runAsync(task());
    await assertRejects(run, DOMException, "Cannot copy the source as the device was lost");
    await assertRejects(async () => await readback?.settle().then(run), DOMException, "was lost");
  });
}

onDevice("EagerReadback.run() throws when the device has refused", async ({ device }) => {
  const readback = await readbackOf(device, "eager");
  const error = readback?.run(refused(device)) as DOMException | undefined;
  assertEquals(
    error?.message.startsWith("Cannot copy the source as the device has not run it"),
    true,
  );
  readback?.destroy();
});

onDevice("AwaitedReadback.run() refuses before the task has begun", async ({ device }) => {
  const readback = new AwaitedReadback(device, await ReadbackBuffer.allocate(device, 16));
  let hasBegun = false;
  const task = function* (): DeviceTask<void> {
    hasBegun = true;
    yield copied(device, [1], () => {});
  };
  const { run } = readback as { run(task: DeviceTask<void>): void };
  assertThrows(() => run(task()), TypeError, "as the readback is awaited");
  assertEquals(hasBegun, false);
  readback.destroy();
});

Deno.test("EagerReadback reports at the next read that an earlier mapping failed", async () => {
  const mappings = [Promise.reject(new Error("lost")), Promise.resolve()];
  const buffer = { submit: () => {}, map: () => mappings.shift(), use: () => {} };
  const readback = new EagerReadback({} as GPUDevice, buffer as unknown as ReadbackBuffer);
  const read = { what: "read", encode: () => {}, use: () => {} };
  readback.read(read);
  await assertRejects(() => readback.settle(), Error, "lost");
  assertThrows(() => readback.read(read), Error, "lost");
});

onDevice("ReadbackBuffer.allocate() says that there is no room", async ({ device }) => {
  const allocate = () => ReadbackBuffer.allocate(device, 2 ** 34);
  await assertRejects(allocate, RangeError, "Cannot read back as the device refused it");
});

onDevice(
  "ReadbackBuffer.use() reads all that was copied out, behind the receipt",
  async ({ device }) => {
    const buffer = await ReadbackBuffer.allocate(device, 16);
    const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const source = device.createBuffer({ size: 16, usage });
    device.queue.writeBuffer(source, 0, Int32Array.of(1, 2, 3, 4));
    const lengths: number[][] = [];
    const read = {
      what: "read",
      encode: (
        _: GPUCommandEncoder,
        copyOut: (...copy: [GPUBuffer, number, number, number]) => void,
      ) => {
        copyOut(source, 8, 8, 4);
        copyOut(source, 0, 0, 8);
      },
      use: (words: Int32Array) => lengths.push([...words]),
    };
    for (let time = 0; time < 3; time++) {
      buffer.submit(read);
      await buffer.map();
      buffer.use(read);
    }
    assertEquals(lengths, [[1, 2, 3], [1, 2, 3], [1, 2, 3]]);
    await buffer.map();
    buffer.use(read); // the same results again, whose receipt is the right one
    assertEquals(await buffer.reasonOf("thrown"), "thrown");
    buffer.destroy();
    assertThrows(() => buffer.submit(read), TypeError, "Cannot read as its memory was destroyed");
  },
);
