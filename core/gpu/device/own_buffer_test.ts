import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createOwnBuffer, readOwnBuffer } from "./own_buffer.ts";
import { onDevice } from "./on_device_test.ts";

onDevice("readOwnBuffer() gives back what was written, and parts of it", async (gpu) => {
  const buffer = createOwnBuffer(gpu, Uint32Array.of(10, 11, 12, 13));
  assertEquals([...new Uint32Array(await readOwnBuffer(gpu, buffer))], [10, 11, 12, 13]);
  const read = async (
    part: { startByte?: number; bytes?: number },
  ) => [...new Uint32Array(await readOwnBuffer(gpu, buffer, part))];
  assertEquals(await read({ startByte: 8 }), [12, 13]);
  assertEquals(await read({ startByte: 4, bytes: 8 }), [11, 12]);
  for (const part of [{ startByte: 2 }, { startByte: 16 }, { bytes: 20 }, { bytes: 6 }]) {
    await assertRejects(() => read(part), RangeError, "16 bytes, at multiples of 4");
  }
  buffer.destroy();
});

onDevice("createOwnBuffer() makes zeros, and refuses a size that is none", async (gpu) => {
  const buffer = createOwnBuffer(gpu, 8);
  assertEquals([...new Uint8Array(await readOwnBuffer(gpu, buffer))], new Array(8).fill(0));
  buffer.destroy();
  for (const size of [0, 6, NaN, 1e18]) {
    assertThrows(() => createOwnBuffer(gpu, size), RangeError, `current value is ${size}`);
  }
});
