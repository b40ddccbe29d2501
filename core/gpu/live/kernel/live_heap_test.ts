import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { memoryApi, serveMemory } from "../../../services/memory_api.ts";
import { fn, hostApi, string, u32 } from "../../../signature/mod.ts";
import { openGpu } from "../../run/gpu.ts";
import { type HostLibrary, hostLibrary } from "../../run/host_functions.ts";
import type { KernelGpu } from "../../run/run_options.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";
import { LiveGpu } from "./live_gpu.ts";
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

const words = hostApi("words", { length: fn([string], u32) });
const LIBRARIES: readonly HostLibrary[] = [
  hostLibrary(words, { length: (text) => text.length }),
  { api: memoryApi, serve: (apis, { heap }) => serveMemory(apis, heap.allocator) },
];

/** Each wave has memory given to it while all of them run, fills it, and has the host read it. */
const FILLS = `fn kernel() {
  for (var time = 0u; time < 20u; time++) {
    let length = 1u + (7u * wave_index + lane_index + time) % 50u;
    let text = memory_malloc(length + 1u);
    for (var at = 0u; at < length; at++) { heap_set_u8(text + at, 97u + wave_index); }
    heap_set_u8(text + length, 0u);
    let found = words_length(text);
    if found != length || heap_u8(text + length - 1u) != 97u + wave_index {
      printf("%u instead of %u\\n", found, length);
    }
    memory_free(text);
  }
  let kept = memory_malloc(4u);
  heap_set_u32(kept, 5u);
  printf("%u %u\\n", heap_add_u32(kept, words_length("four")), heap_u32(kept));
}`;

onLiveDevice(
  "waves that run take memory, fill it for the host, and give it back",
  async (device) => {
    const gpu = new LiveGpu(device, translate);
    let text = "";
    await gpu.run(FILLS, {
      libraries: LIBRARIES,
      heapBytes: 1 << 14,
      waveCount: 4,
      laneCount: 3,
      print: (part) => text += part,
    });
    assertEquals(text, "5 9\n".repeat(12));
  },
);

onLiveDevice(
  "a kernel with a heap is compiled once, and each run has a new heap",
  async (device) => {
    const gpu = new LiveGpu(device, (source) => (translatedCount++, translate(source)));
    let translatedCount = 0;
    let text = "";
    const print = (part: string) => text += part;
    const source = `fn kernel() {
    let room = memory_malloc(40u);
    printf("%u %u %u\\n", words_length("four"), room, heap_add_u32(room, 7u));
    heap_set_u8("four" + 1u, 0u);
  }`;
    for (const heapBytes of [4096, 4096, 1 << 25]) {
      await gpu.run(source, { libraries: LIBRARIES, heapBytes, laneCount: 1, print });
    }
    assertEquals(text, "4 32 0\n".repeat(3));
    assertEquals(translatedCount, 2);
  },
);

/** One faulty line each, and its own line in the text. */
const FAULTS = ["_ = heap_u8(0u);", "heap_set_u32(18u, 7u);", "_ = heap_u32(4096u);"];

onLiveDevice("an address that is none is named as by epochs", async (device) => {
  using epochs = await openGpu().catch(() => undefined)!;
  const live = new LiveGpu(device, translate);
  const messageOf = async (
    gpu: KernelGpu,
    fault: string,
    { heapBytes = 4096, laneCount = 1 } = {},
  ) => {
    const source = `@service(40000) fn ask(x: u32) -> u32;
      fn kernel() {
        _ = ask(1u);
        ${fault}
        _ = ask(2u);
      }`;
    const functions = { ask: (x: number) => x };
    const run = () => gpu.run(source, { heapBytes, laneCount, functions });
    return (await assertRejects(run, Error)).message;
  };
  for (const [at, fault] of FAULTS.entries()) {
    const shape = { laneCount: 1 + at % 2 };
    const message = await messageOf(live, fault, shape);
    assertEquals(message, await messageOf(epochs!, fault, shape));
    assertEquals(message.includes("an address that does not lie in the heap"), true, message);
  }
  // What cannot be a heap is refused with the bounds of the device.
  for (const heapBytes of [0, 24, 2 ** 40]) {
    const message = await messageOf(live, "_ = 0;", { heapBytes });
    assertEquals(message.startsWith("Cannot make a heap as heapBytes must be"), true, message);
  }
  await assertRejects(
    () => live.run("fn kernel() { heap_set_u32(16u, 1u); }", {}),
    Error,
    "heap_set_u32() is of the heap: give the kernel heapBytes",
  );
});
