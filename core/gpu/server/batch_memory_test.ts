import { assertEquals } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import type { CopyOut } from "../device/readback.ts";
import { BatchMemory } from "./batch_memory.ts";

onDevice("BatchMemory brings packets there and back, each at its call", async ({ device }) => {
  const memory = await BatchMemory.create(device, { batchMax: 3, laneCount: 2, packetWords: 32 });
  for (const call of [0, 1]) {
    memory.set(call, new Uint32Array(32).fill(call + 7), { lo: 3, hi: 0, opcode: 40_000 });
  }
  memory.upload(device.queue, 2);
  const packets: number[][] = [];
  const read = function* () {
    const use = (words: Int32Array) => {
      for (const call of [0, 1]) packets.push([...memory.packetOf(words, call)]);
    };
    const encode = (_: GPUCommandEncoder, copyOut: CopyOut) => memory.copyOut(copyOut, 2);
    yield { what: "read", encode, use };
  };
  await memory.readback.run(read());
  assertEquals(packets, [7, 8].map((value) => new Array(32).fill(value)));
  await memory.readback.settle();
  memory.destroy();
});
