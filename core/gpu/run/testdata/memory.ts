import { memoryApi, serveMemory } from "../../../services/memory_api.ts";
import { f64, fn, hostApi, string, u32 } from "../../../signature/mod.ts";
import { type HostLibrary, hostLibrary } from "../host_functions.ts";
import type { RunArray } from "../run_options.ts";
import { each, OUT, out, type Program } from "./program.ts";

const words = hostApi("words", {
  length: fn([string], u32),
  half: fn([f64], f64),
  longest: fn([u32, u32], u32),
});
const wordsLibrary = hostLibrary(words, {
  length: async (text) => await Promise.resolve(text.length),
  half: (x) => x / 2,
  longest: Math.max,
});
const memory: HostLibrary = {
  api: memoryApi,
  serve: (apis, { heap }) => serveMemory(apis, heap.allocator),
};

const ROOM = new ArrayBuffer(16);
const DECLARED =
  "struct Item { price: f32, count: u32 } alias Real = f32; alias Reals = array<Real>;\n";

/** An array that is not made of the variable's numbers. */
function wrongArray(type: string, value: RunArray, reason: string): Program {
  return {
    name: `a variable of type ${type} takes no ${value.constructor.name}`,
    source: `${DECLARED}var<storage, read_write> a: ${type}; fn kernel() {}`,
    run: { buffers: { a: value } },
    fails: ["TypeError", reason],
  };
}

/** Arrays whose bytes are what the variable holds. */
function rightArray(type: string, value: RunArray): Program {
  return {
    name: `a variable of type ${type} takes a ${value.constructor.name}`,
    source: `${DECLARED}var<storage, read_write> a: ${type}; fn kernel() {}`,
    run: { buffers: { a: value }, laneCount: 1 },
  };
}

/** One wrong access in line 4, between calls. */
function wrongAddress(access: string, laneCount = 1): Program {
  return {
    name: `an address that is none is told with its line: ${access}`,
    source: `@service fn ask(x: u32) -> u32;
      fn kernel() {
        _ = ask(1u);
        ${access}
        _ = ask(2u);
        printf("goes on");
      }`,
    run: { functions: { ask: (x: number) => x }, heapBytes: 4096, laneCount },
    prints: "",
    fails: ["KernelError", "an address that does not lie in the heap (null, or beyond heapBytes)"],
  };
}

/** What kernels have of the host's memory, and of their heap. */
export const MEMORY: readonly Program[] = [
  {
    name: "buffers go in and come out by their names",
    source: `var<storage, read> items: array<u32>; var<storage, read_write> totals: array<f32>;
      var<uniform> factor: vec4f; @service fn price(item: u32) -> f32;
      fn kernel() { totals[wave_index] += factor.y * price(items[wave_index]); }`,
    run: {
      functions: { price: (item: number) => [10, 1, 0.25][item] },
      buffers: {
        totals: Float32Array.of(100, 200, 300),
        items: Uint32Array.of(2, 0, 1),
        factor: Float32Array.of(0, 2, 0, 0),
      },
      ...{ waveCount: 3, laneCount: 1 },
    },
    leaves: { totals: [100.5, 220, 302], items: [2, 0, 1] },
    counts: { packetCount: 3 },
  },
  {
    name: "an ArrayBuffer goes in as bytes and comes out as one",
    source: `var<storage, read> a: array<u32>; var<storage, read_write> b: array<f32>;
      fn kernel() { if lane_index == 0u { b[1] += f32(a[0]); } }`,
    run: { buffers: { a: Uint32Array.of(7).buffer, b: Float32Array.of(1, 2).buffer } },
    leaves: { a: [7], b: [...new Uint32Array(Float32Array.of(1, 9).buffer)] },
  },
  {
    name: "buffers keep the bindings that they have, beside others",
    source:
      `var<storage, read_write> b: array<u32>; @group(1) @binding(0) var<storage, read> a: array<u32>;
      ${OUT}fn kernel() { b[0] = a[1] + 1u; out[0] = arrayLength(&a) * 10u + arrayLength(&b); }`,
    run: { buffers: { ...out(1), a: Uint32Array.of(5, 6), b: new Uint32Array(3) }, laneCount: 1 },
    leaves: { a: [5, 6], b: [7, 0, 0], out: [23] },
  },
  wrongArray(
    "array<f32>",
    new Uint32Array(4),
    "a is of type array<f32>: give a Float32Array, or an ArrayBuffer",
  ),
  wrongArray(
    "array<f32>",
    new Float64Array(4),
    "a Float32Array, or an ArrayBuffer or DataView with its bytes",
  ),
  wrongArray(
    "array<u32>",
    new Uint8Array(4),
    "give a Uint32Array, or an ArrayBuffer or DataView with its bytes, instead of the Uint8Array",
  ),
  wrongArray("i32", new Uint32Array(4), "give an Int32Array"),
  wrongArray(
    "array<atomic<u32>>",
    new Int32Array(4),
    "of type array<atomic<u32>>: give a Uint32Array",
  ),
  wrongArray("array<vec2<i32>>", new Float32Array(4), "give an Int32Array"),
  wrongArray("vec4u", new Float32Array(4), "of type vec4<u32>: give a Uint32Array"),
  wrongArray("mat2x2f", new Int32Array(4), "give a Float32Array"),
  wrongArray("array<vec2h>", new Float32Array(4), "give a Float16Array or a Uint16Array, or"),
  wrongArray("Reals", new Int32Array(4), "give a Float32Array"),
  wrongArray("array<array<f32, 2>>", new Int32Array(4), "give a Float32Array"),
  wrongArray(
    "array<Item>",
    new Float64Array(4),
    "of type array<Item>: give an array of another type, as WGSL has no f64",
  ),
  rightArray("array<f32>", new DataView(ROOM)),
  rightArray("array<vec2i>", new Int32Array(ROOM)),
  rightArray("array<Item>", new Uint8Array(ROOM)),
  rightArray("Item", new Float32Array(ROOM)),
  rightArray("Item", new Float16Array(ROOM)),
  rightArray("atomic<u32>", new Uint32Array(ROOM)),
  rightArray("Reals", new Float32Array(ROOM)),
  // Without the feature the text does not compile: the arrays were taken.
  ...[new Float16Array(ROOM), new Uint16Array(ROOM)].map((value): Program => ({
    ...rightArray("array<vec2h>", value),
    fails: ["KernelCompileError"],
  })),
  {
    name: "lanes that write neighbouring bytes do not lose each other's",
    source: `${OUT}fn kernel() {
        let place = wave_index * LANE_COUNT + lane_index;
        heap_set_u8(17u + place, place * 5u);
        _ = heap_add_u32(1024u, place);
        storageBarrier();
        out[place] = heap_u8(17u + place);
        if wave_index == 0u && lane_index == 0u { heap_set_u32(2048u, 0x01020304u); out[448] = heap_u8(2049u) + heap_u8(2051u) * 10u; }
      }`,
    run: { heapBytes: 4096, buffers: out(449), laneCount: 64, waveCount: 7 },
    leaves: { out: [...each(448, (place) => place * 5 % 256), 13] },
  },
  {
    name: "values of every kind are written to the heap and read back",
    source: `${OUT}fn kernel() {
        heap_set_i32(32u, -7i); heap_set_f32(36u, 3.0); heap_set_f64(40u, heap_f64(64u) - 0.25);
        heap_set_vec2u(48u, vec2u(5u, 1u)); heap_set_u8(57u, 3u + 256u);
        heap_set_u8(58u, heap_u8("text" + 1u));
        out[0] = u32(heap_i32(32u) + 10); out[1] = u32(heap_f32(36u)); out[2] = bitcast<u32>(heap_f32(44u));
        out[3] = heap_vec2u(48u).x; out[4] = heap_u32(52u); out[5] = heap_u32(56u); out[6] = u32(heap_f64(40u) * -4.0);
        out[7] = heap_add_u32(48u, 7u) + heap_u32(48u) + heap_u32(4092u);
      }`,
    run: { heapBytes: 4096, buffers: out(8), laneCount: 1 },
    leaves: {
      // The high word of -0.25 as a double, and the second letter behind a 3.
      out: [3, 3, 0xbfd00000, 5, 1, 0x650300, 1, 17],
    },
  },
  wrongAddress("_ = heap_u8(0u);"),
  wrongAddress("heap_set_u32(14u, 7u);"),
  wrongAddress("_ = heap_u32(4096u);", 2),
  wrongAddress("heap_set_u8(0xffffffffu, 7u);"),
  wrongAddress("_ = heap_add_u32(18u, 1u);"),
  wrongAddress("heap_set_u32(33u, 7u);"),
  {
    name: "an address that is none is told where a live kernel runs as it is written",
    source: "@service fn ask(x: u32) -> u32; fn kernel() { heap_set_u32(18u * ask(1u), 7u); }",
    run: { functions: { ask: (x: number) => x }, heapBytes: 4096, laneCount: 1 },
    fails: ["KernelError", "an address that does not lie in the heap"],
  },
  {
    name: "the last byte of a heap is its lanes'",
    source: `${OUT}fn kernel() { heap_set_u8(4095u, 7u); out[0] = heap_u32(4092u); }`,
    run: { heapBytes: 4096, buffers: out(1), laneCount: 1 },
    leaves: { out: [7 * 2 ** 24] },
  },
  {
    name: "a fault of the heap is told with its chain of calls",
    source: `fn inner(a: u32) -> u32 { printf("x\\n"); return heap_u32(a); }
    fn kernel() { let x = inner(lane_index * 48u + 16u); printf("%u\\n", x); }`,
    run: { heapBytes: 128, laneCount: 4 },
    lines: ["x", "x", "x", "x", "0", "0", "0"],
    fails: [
      "KernelError",
      `Cannot finish wave 0 from line 1 on as a lane used an address that does not lie in the heap (null, or beyond heapBytes), or is no multiple of 4 where one has to be
    at inner (line 1)
    at kernel (line 2)`,
    ],
  },
  ...[0, 8, 20, -16, NaN, 2 ** 40].map((heapBytes): Program => ({
    name: `a heap of ${heapBytes} bytes is refused`,
    source: "fn kernel() {}",
    run: { heapBytes },
    fails: [
      "RangeError",
      "Cannot make a heap as heapBytes must be",
      `current value is ${heapBytes}`,
    ],
  })),
  {
    name: "a heap too small for the texts of its kernel is refused",
    source: `fn kernel() { _ = "${"x".repeat(100)}"; }`,
    run: { heapBytes: 128 },
    fails: ["RangeError", "from 144, for the texts of the kernel"],
  },
  ...['_ = §"text";', "§heap_set_u32(16u, 1u);"].map((use): Program => ({
    name: `without a heap there is none to use: ${use}`,
    source: `fn kernel() {\n  ${use} }`,
    fails: ["KernelCompileError", "give the kernel heapBytes"],
  })),
  {
    name: "functions of a declared API are called by its name, with texts of the heap",
    source: `fn kernel() {
        let room = memory_malloc(16u);
        printf("%u %.2f %u\\n", words_length("four"), words_half(0.5), heap_u32(room));
        heap_set_u32(room, 5u);
        memory_free(room);
      }`,
    run: { libraries: [wordsLibrary, memory], heapBytes: 4096, laneCount: 1 },
    prints: "4 0.25 0\n",
  },
  {
    name: "a library without texts needs no heap",
    source: `fn words_half(x: u32) -> u32 { return x + 1u; } // which is the text's own
      fn kernel() { printf("%u\\n", words_longest(words_half(lane_index), 2u)); }`,
    run: { libraries: [wordsLibrary], laneCount: 4 },
    lines: ["2", "2", "3", "4"],
  },
  {
    name: "texts want a heap",
    source: 'fn kernel() { _ = words_length("four"); }',
    run: { libraries: [wordsLibrary] },
    fails: ["KernelCompileError", "heapBytes"],
  },
  {
    name: "a library that wants a heap is told that there is none",
    source: "fn kernel() { _ = memory_malloc(1u); }",
    run: { libraries: [memory], laneCount: 1 },
    fails: ["TypeError", "Cannot use the heap as the kernel has none: give it heapBytes"],
  },
  {
    name: "lanes that run take memory, fill it for the host, and give it back",
    source: `fn kernel() {
        for (var time = 0u; time < 20u; time++) {
          let length = 1u + (7u * wave_index + lane_index + time) % 50u;
          let text = memory_malloc(length + 1u);
          for (var at = 0u; at < length; at++) { heap_set_u8(text + at, 97u + wave_index); }
          heap_set_u8(text + length, 0u);
          let found = words_length(text);
          if found != length || heap_u8(text + length - 1u) != 97u + wave_index { printf("%u instead of %u\\n", found, length); }
          memory_free(text);
        }
        let kept = memory_malloc(4u);
        heap_set_u32(kept, 5u);
        printf("%u %u\\n", heap_add_u32(kept, words_length("four")), heap_u32(kept));
      }`,
    run: { libraries: [wordsLibrary, memory], heapBytes: 1 << 14, waveCount: 4, laneCount: 3 },
    prints: "5 9\n".repeat(12),
  },
  ...[4096, 1 << 25].map((heapBytes): Program => ({
    name: `each run has a new heap, of ${heapBytes} bytes`,
    source: `fn kernel() {
        let room = memory_malloc(40u);
        printf("%u %u %u %u\\n", words_length("four"), room, heap_add_u32(room, 7u), heap_u8("four"));
        heap_set_u8("four" + 1u, 0u);
      }`,
    run: { libraries: [wordsLibrary, memory], heapBytes, laneCount: 1 },
    prints: "4 32 0 102\n",
  })),
];
