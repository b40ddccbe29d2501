import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { ApiServer, connectApi } from "../signature/mod.ts";
import { oneThread } from "../testing/fixtures/one_thread.ts";
import { HeapAllocator, memoryApi, serveMemory } from "./memory_api.ts";

Deno.test("memoryApi gives callers offsets into memory that they share", () => {
  const memory = new SharedArrayBuffer(1 << 10);
  const heap = new HeapAllocator({ sizeBytes: memory.byteLength });
  const { client, server } = oneThread({ portCount: 2, laneCount: 4 });
  serveMemory(new ApiServer(server), heap);
  const { malloc, free } = connectApi(client, memoryApi);
  const addresses = [malloc(100), malloc(8), malloc(1 << 20)];
  assertEquals(addresses, [16, 128, 0]);
  new Uint8Array(memory, addresses[0], 100).fill(7);
  free(addresses[0]!);
  assertThrows(() => free(addresses[0]!), CallError, "is free already");
  assertThrows(() => free(129), CallError, "not given by malloc");
  assertEquals(malloc.lanes([[16], undefined, [16]]), [16, undefined, 32], "lanes in their order");
  assertEquals(heap.blockCount, 3);
});

Deno.test("HeapAllocator gives out memory that is aligned and nobody else's, and takes it back", () => {
  const sizeBytes = 1 << 12;
  const step = fc.oneof(
    fc.record({ malloc: fc.integer({ min: 0, max: 600 }) }),
    fc.record({ free: fc.nat(50) }),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const heap = new HeapAllocator({ sizeBytes, startByte: 20 });
    const live: { address: number; bytes: number }[] = [];
    for (const one of steps) {
      if ("free" in one) {
        const [block] = live.splice(one.free % Math.max(1, live.length), 1);
        heap.free(block?.address ?? 0);
        continue;
      }
      const address = heap.malloc(one.malloc);
      if (address === 0) continue;
      assert(address % 16 === 0 && address >= 32 && address + one.malloc <= sizeBytes);
      for (const other of live) {
        const isApart = address + one.malloc <= other.address ||
          other.address + other.bytes <= address;
        assert(isApart && address !== other.address, `${address} and ${other.address}`);
      }
      live.push({ address, bytes: one.malloc });
    }
    for (const { address } of live) heap.free(address);
    assertEquals([heap.usedBytes, heap.blockCount], [0, 0]);
    assertEquals(heap.malloc(sizeBytes - 32), 32, "one block again");
  }));
});

Deno.test("HeapAllocator answers 0 where no room is, and goes on", () => {
  const heap = new HeapAllocator({ sizeBytes: 100 });
  assertEquals([heap.malloc(81), heap.malloc(0xffffffff), heap.malloc(64)], [0, 0, 16]);
  assertEquals([heap.malloc(17), heap.malloc(1), heap.malloc(1)], [0, 80, 0], "20 bytes are left");
  assertEquals(new HeapAllocator({ sizeBytes: 8 }).malloc(0), 0);
});

Deno.test("HeapAllocator refuses to free what it has not given out", () => {
  const heap = new HeapAllocator({ sizeBytes: 1 << 10 });
  const address = heap.malloc(40);
  heap.free(0);
  for (const foreign of [address + 16, address + 1, 4096, -1, NaN]) {
    assertThrows(() => heap.free(foreign), RangeError, `current value is ${foreign}`);
  }
  heap.free(address);
  assertThrows(() => heap.free(address), RangeError, "is free already");
  for (const size of [-1, 1.5, 2 ** 32, NaN]) {
    assertThrows(() => heap.malloc(size), RangeError, `current value is ${size}`);
    assertThrows(() => new HeapAllocator({ sizeBytes: size }), RangeError, "sizeBytes");
  }
});
