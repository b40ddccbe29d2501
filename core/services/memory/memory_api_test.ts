import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { ApiServer, connectApi } from "../../signature/mod.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { HeapAllocator } from "./heap_allocator.ts";
import { memoryApi, serveMemory } from "./memory_api.ts";

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
