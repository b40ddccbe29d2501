import { assertEquals, assertThrows } from "@std/assert";
import type { LiveDevice } from "../device/live_device.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { LiveHeap } from "./live_heap.ts";

function heapOf(device: LiveDevice, texts: readonly string[] = []) {
  const placed = texts.map((text, at) => ({
    address: 16 + 16 * at,
    bytes: new TextEncoder().encode(`${text}\0`),
  }));
  return new LiveHeap(device, 1024, { texts: placed, endByte: 16 + 16 * texts.length });
}

onLiveDevice("a heap begins with its texts and zeros, and gives out the rest", (device) => {
  using heap = heapOf(device, ["text"]);
  assertEquals(heap.readText(16), new TextEncoder().encode("text"));
  assertEquals([heap.sizeBytes, heap.malloc(4), heap.malloc(4)], [1024, 32, 48]);
  assertEquals([...heap.read(20, 4)], [0, 0, 0, 0]);
  heap.write(48, Uint8Array.of(1, 2, 3));
  heap.write(0, new Uint8Array()); // an empty array may have any address
  assertEquals([...heap.read(47, 5)], [0, 1, 2, 3, 0]);
});

onLiveDevice("what was read of a heap stays, whatever waves write meanwhile", (device) => {
  using heap = heapOf(device, ["text"]);
  const [text, bytes] = [heap.readText(16), heap.read(16, 4)];
  heap.write(16, new TextEncoder().encode("else"));
  assertEquals([text, bytes], [new TextEncoder().encode("text"), new TextEncoder().encode("text")]);
});

onLiveDevice("addresses beyond a heap are refused", (device) => {
  using heap = heapOf(device);
  for (const [address, length] of [[15, 1], [1024, 1], [1000, 25], [16.5, 1], [16, -1]] as const) {
    assertThrows(() => heap.read(address, length), RangeError, "do not lie in it");
  }
  assertThrows(() => heap.write(1023, Uint8Array.of(1, 2)), RangeError, "2 bytes at address 1023");
  heap.write(1020, Uint8Array.of(1, 2, 3, 4));
  assertThrows(
    () => heap.readText(1020),
    RangeError,
    "no NUL ends it: its address is 1020 of 1024",
  );
});
