import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { memoryApi, serveMemory } from "../../services/memory_api.ts";
import { f64, fn, hostApi, string, u32 } from "../../signature/mod.ts";
import { onDevice } from "../device/on_device_test.ts";
import { PrintfError } from "../print/printf_error.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { openGpu } from "./gpu.ts";
import { type HostLibrary, hostLibrary } from "./host_functions.ts";
import type { GpuRunOptions, RunBuffer } from "./run_options.ts";

onDevice("own buffers go in and come out by their names", async () => {
  using gpu = await openGpu();
  const source = `
    var<storage, read> items: array<u32>;
    var<storage, read_write> totals: array<f32>;
    var<uniform> factor: vec4f;
    @service fn price(item: u32) -> f32;
    fn kernel() { totals[wave_index] += factor.y * price(items[wave_index]); }`;
  const items = Uint32Array.of(2, 0, 1);
  const totals = Float32Array.of(100, 200, 300);
  const { buffers, packetCount } = await gpu.run(source, {
    functions: { price: (item: number) => [10, 1, 0.25][item] },
    buffers: { totals, items, factor: Float32Array.of(0, 2, 0, 0) },
    waveCount: 3,
    laneCount: 1,
  });
  const { totals: changed }: { totals: Float32Array } = buffers;
  assertEquals(changed, Float32Array.of(100.5, 220, 302));
  assertEquals([totals[0], buffers.items, buffers.items !== items], [100, items, true]);
  assertEquals(packetCount, 3);
});

onDevice("a GPUBuffer stays on the device, from run to run", async () => {
  using gpu = await openGpu();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const [one, other] = [0, 1].map(() => gpu.device.createBuffer({ size: 4, usage }));
  const source = `
    var<storage, read_write> count: atomic<u32>;
    var<storage, read_write> seen: array<u32>;
    fn kernel() { seen[0] = atomicAdd(&count, 1u); }`;
  const seen = Uint32Array.of(9);
  for (const [count, wanted] of [[one!, 0], [one!, 1], [other!, 0], [one!, 2]] as const) {
    const { buffers } = await gpu.run(source, { buffers: { count, seen }, laneCount: 1 });
    assertEquals([buffers.seen[0], buffers.count === count], [wanted, true]);
  }
});

onDevice("functions of a declared API are called by its name, with texts of the heap", async () => {
  using gpu = await openGpu();
  const words = hostApi("words", {
    length: fn([string], u32),
    half: fn([f64], f64),
    never: fn([u32], u32),
  });
  const library = hostLibrary(words, {
    length: async (text) => await Promise.resolve(text.length),
    half: (x) => x / 2,
    never: () => 0,
  });
  const memory: HostLibrary = {
    api: memoryApi,
    serve: (apis, { heap }) => serveMemory(apis, heap.allocator),
  };
  const source = `fn kernel() {
    let room = memory_malloc(16u);
    printf("%u %.2f %u\\n", words_length("four"), words_half(0.5), heap_u32(room));
    heap_set_u32(room, 5u);
    memory_free(room);
  }`;
  let disposedCount = 0;
  const noted: HostLibrary = {
    api: words,
    serve(apis, kernel) {
      const served = library.serve(apis, kernel);
      return {
        [Symbol.dispose]() {
          disposedCount++;
          served[Symbol.dispose]!();
        },
      };
    },
  };
  const printed = async () => {
    let text = "";
    const print = (part: string) => text += part;
    const libraries = [noted, memory];
    await gpu.run(source, { libraries, heapBytes: 4096, laneCount: 1, print });
    return text;
  };
  assertEquals(await printed(), "4 0.25 0\n");
  assertEquals(await printed(), "4 0.25 0\n", "with a new heap");
  assertEquals(disposedCount, 2);
  await assertRejects(
    () => gpu.run(source, { libraries: [library, memory] }),
    KernelCompileError,
    "heapBytes",
  );
});

onDevice(
  "an error stands where the author has written it, in front of what was left out",
  async () => {
    using gpu = await openGpu();
    const source = `@service fn square(x: u32) -> u32; fn kernel() { let y = square(1); oh(y); }`;
    const functions = { square: (x: number) => x };
    const wrong = await assertRejects(
      () => gpu.run(source, { functions }),
      KernelCompileError,
      "`oh`",
    );
    assertEquals(wrong.column, source.indexOf("oh(") + 1);
    assertStringIncludes(wrong.message, `1 | ${source}`);
    const print = `@service fn square(x: u32) -> u32; fn kernel() { printf("%s", square(1)); }`;
    const unprinted = await assertRejects(() => gpu.run(print, { functions }), PrintfError);
    assertEquals(unprinted.line, 1);
    assert(unprinted.column >= print.indexOf("printf"), `column ${unprinted.column}`);
    assertStringIncludes(unprinted.message, `1 | ${print}`);
  },
);

/** Declares a function and a buffer. */
const BOTH = `
  @service fn square(x: u32) -> u32;
  var<storage, read_write> squares: array<u32>;
  fn kernel() { squares[lane_index] = square(lane_index); }`;

onDevice(
  "functions and buffers that a text does not declare are refused, and those that lack",
  async () => {
    using gpu = await openGpu();
    const functions = { square: (x: number) => x * x };
    const buffers = { squares: new Uint32Array(32) };
    const faults: [GpuRunOptions, string][] = [
      [{ buffers }, "its function of the host square is missing: give it in the option functions"],
      [{ functions }, "its buffer squares is missing: give it in the option buffers"],
      [
        { buffers, functions: { sqare: functions.square } },
        "function of the host sqare: did you mean",
      ],
      [
        { functions, buffers: { square: buffers.squares } },
        "no buffer square: did you mean squares",
      ],
      [{ functions, buffers, laneBytes: 100 }, "laneBytes"],
      [{ functions, buffers, laneCount: 65 }, "laneCount must be an integer from 1 to 64"],
      [{ functions, buffers, waveCount: 70_000 }, "waveCount must be an integer from 1 to 65535"],
      [{ functions, buffers, heapBytes: 5 }, "heapBytes"],
    ];
    for (const [options, reason] of faults) {
      const { message } = await assertRejects(() => gpu.run(BOTH, options), Error);
      assertStringIncludes(message, reason);
    }
    await gpu.run(BOTH, { functions, buffers });
    await assertRejects(
      () => gpu.run(BOTH, { buffers }),
      TypeError,
      "is missing",
      "when it is kept",
    );
    const bare = "fn kernel() {}";
    await assertRejects(
      () => gpu.run(bare, { buffers }),
      TypeError,
      "write var<storage, read_write>",
    );
    await assertRejects(() => gpu.run(bare, { functions }), TypeError, "write @service fn square(");
  },
);

onDevice("an array whose numbers are of another type than the variable's is refused", async () => {
  using gpu = await openGpu();
  const run = (type: string, a: RunBuffer) => {
    const declared =
      "struct Item { price: f32, count: u32 } alias Real = f32; alias Reals = array<Real>;";
    const source = `${declared} var<storage, read_write> a: ${type}; fn kernel() {}`;
    return gpu.run(source, { buffers: { a } });
  };
  const room = new ArrayBuffer(16);
  const faults: [string, RunBuffer, string][] = [
    [
      "array<f32>",
      new Uint32Array(4),
      "a is of type array<f32>: give a Float32Array, or an ArrayBuffer",
    ],
    [
      "array<f32>",
      new Float64Array(4),
      "a Float32Array, or an ArrayBuffer or DataView with its bytes",
    ],
    [
      "array<u32>",
      new Uint8Array(4),
      "give a Uint32Array, or an ArrayBuffer or DataView with its bytes, instead of the Uint8Array",
    ],
    ["i32", new Uint32Array(4), "give an Int32Array"],
    ["array<atomic<u32>>", new Int32Array(4), "of type array<atomic<u32>>: give a Uint32Array"],
    ["array<vec2<i32>>", new Float32Array(4), "give an Int32Array"],
    ["vec4u", new Float32Array(4), "of type vec4<u32>: give a Uint32Array"],
    ["mat2x2f", new Int32Array(4), "give a Float32Array"],
    ["array<vec2h>", new Float32Array(4), "give a Float16Array or a Uint16Array, or"],
    ["Reals", new Int32Array(4), "give a Float32Array"],
    ["array<array<f32, 2>>", new Int32Array(4), "give a Float32Array"],
    [
      "array<Item>",
      new Float64Array(4),
      "of type array<Item>: give an array of another type, as WGSL has no f64",
    ],
  ];
  for (const [type, value, reason] of faults) {
    const { message } = await assertRejects(() => run(type, value), TypeError, undefined, type);
    assertStringIncludes(message, reason);
  }
  const fits: [string, RunBuffer][] = [
    ["array<f32>", new DataView(room)],
    ["array<vec2i>", new Int32Array(room)],
    ["array<Item>", new Uint8Array(room)],
    ["Item", new Float32Array(room)],
    ["Item", new Float16Array(room)],
    ["atomic<u32>", new Uint32Array(room)],
    ["Reals", new Float32Array(room)],
  ];
  for (const [type, value] of fits) assertEquals((await run(type, value)).buffers.a, value);
  // Without the feature the text does not compile: the arrays were taken.
  for (const a of [new Float16Array(room), new Uint16Array(room)]) {
    await assertRejects(() => run("array<vec2h>", a), KernelCompileError);
  }
  await run("array<f32>", new Float32Array(room));
  await assertRejects(() => run("array<f32>", new Uint32Array(room)), TypeError, "give", "kept");
});

onDevice("an ArrayBuffer goes in as bytes and comes out as one", async () => {
  using gpu = await openGpu();
  const source = `
    var<storage, read> a: array<u32>;
    var<storage, read_write> b: array<f32>;
    fn kernel() { if lane_index == 0u { b[1] += f32(a[0]); } }`;
  const a = Uint32Array.of(7).buffer;
  const { buffers } = await gpu.run(source, { buffers: { a, b: Float32Array.of(1, 2).buffer } });
  assertEquals([buffers.a, buffers.a === a], [a, false]);
  assertEquals(buffers.b, Float32Array.of(1, 9).buffer);
});
