import { assertEquals, assertThrows } from "@std/assert";
import { HeapAllocator } from "../../services/memory/heap_allocator.ts";
import { putArguments } from "./program_arguments.ts";

/** A heap in an array. */
function heapOf(sizeBytes: number) {
  const bytes = new Uint8Array(sizeBytes);
  const allocator = new HeapAllocator({ sizeBytes });
  const words = new Uint32Array(bytes.buffer);
  return {
    sizeBytes,
    malloc: (lengthBytes: number) => allocator.malloc(lengthBytes),
    write: (address: number, written: Uint8Array) => bytes.set(written, address),
    /** The texts that addresses lead to, up to the 0. */
    texts(address: number): string[] {
      const first = address / 4;
      const addresses = words.subarray(first, words.indexOf(0, first));
      return [...addresses].map((start) =>
        new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(0, start)))
      );
    },
  };
}

Deno.test("putArguments() puts texts, their addresses and a 0 into the heap", () => {
  const heap = heapOf(1024);
  const args = ["a.wgsl", "two words", "", "ünï"];
  const { argc, argv, envp } = putArguments(heap, { args, env: { HOME: "/root", EMPTY: "" } });
  assertEquals([argc, heap.texts(argv)], [4, args]);
  assertEquals(heap.texts(envp), ["HOME=/root", "EMPTY="]);
});

Deno.test("putArguments() has addresses even of nothing", () => {
  const heap = heapOf(64);
  const { argc, argv, envp } = putArguments(heap, { args: [], env: {} });
  assertEquals([argc, heap.texts(argv), heap.texts(envp)], [0, [], []]);
});

Deno.test("putArguments() refuses what does not fit, and what C cannot say", () => {
  const put = (sizeBytes: number, text: string) => () =>
    putArguments(heapOf(sizeBytes), { args: [text], env: {} });
  assertThrows(put(64, "x".repeat(64)), RangeError, "do not fit its heap of 64 bytes");
  assertThrows(put(64, "a\0b"), TypeError, String.raw`current value is "a\u0000b"`);
});
