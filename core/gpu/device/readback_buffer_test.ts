import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { onDevice } from "./on_device_test.ts";
import { ReadbackBuffer } from "./readback_buffer.ts";

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
