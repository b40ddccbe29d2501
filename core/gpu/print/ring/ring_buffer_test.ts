import { assertEquals, assertThrows } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { RingBuffer, ringHeadWords } from "./ring_buffer.ts";

Deno.test("ringHeadWords() counts counters, filter and calls", () => {
  assertEquals([ringHeadWords(0), ringHeadWords(1), ringHeadWords(5)], [7, 7, 11]);
});

onDevice("RingBuffer has its own bytes behind the head, and one binding or two", ({ device }) => {
  const shape = { binding: 4, visibility: GPUShaderStage.COMPUTE, callCount: 3 };
  const ring = new RingBuffer(device, { ...shape, hasDispatch: true }, 64);
  assertEquals(ring.buffer.size, 64 + (4 + 3) * 4);
  const bindings = [ring.layoutEntries, ring.entries(9)].map((all) =>
    all.map((one) => one.binding)
  );
  assertEquals(bindings, [[4, 5], [4, 5]]);
  const alone = new RingBuffer(device, { ...shape, hasDispatch: false }, 64);
  assertEquals([alone.layoutEntries.length, alone.entries(0).length], [1, 1]);
  assertThrows(() => ring.setFilter({ lane: -1 }), RangeError);
  ring.buffer.destroy();
  alone.buffer.destroy();
});
