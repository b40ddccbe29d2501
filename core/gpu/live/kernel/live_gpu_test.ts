import { assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../../call/call_error.ts";
import { fn, hostApi, u32 } from "../../../signature/mod.ts";
import { onDevice } from "../../device/on_device_test.ts";
import { openGpu } from "../../run/gpu.ts";
import { type HostLibrary, hostLibrary } from "../../run/host_functions.ts";
import { LiveGpu, openLiveGpu } from "./live_gpu.ts";
import type { KernelGpu, KernelRunOptions } from "../../run/run_options.ts";
import { liveObstacle, onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";

const words = hostApi("words", { longest: fn([u32, u32], u32) });

type Options = Omit<KernelRunOptions, "print">;

/** Kernels, with what they are run with. */
const KERNELS: Readonly<Record<string, readonly [source: string, options: Options]>> = {
  "words of the library, bools in structs, results of WGSL, and constants": [
    `override count = 2u;
    struct Frame { on: bool, list: array<bool, 2> }
    var<storage, read_write> payload: array<f32>;
    var<private> lane: u32; const sent = 3u;
    @service fn twice(x: u32) -> u32;
    fn port_obstacle(x: u32) -> u32 { return x + sent; }
    fn send(x: u32) -> u32 { lane = port_obstacle(x); return lane; }
    fn kernel() {
      var frame: Frame; frame.list[1] = send(lane_index) > 3u;
      let parts = modf(2.5); let scaled = frexp(f32(count));
      let wave = twice(count);
      if frame.list[1] { payload[lane_index] = parts.fract + f32(wave + lane) + scaled.fract; }
    }`,
    {
      functions: { twice: (x: number) => x * 2 },
      buffers: { payload: new Float32Array(3) },
      constants: { count: 4 },
      laneCount: 3,
    },
  ],
  "functions, structs, promises and buffers": [
    `var<storage, read> items: array<u32>;
    var<storage, read_write> prices: array<f32>;
    var<uniform> factor: vec4f;
    struct Offer { price: f32, isOpen: bool }
    @service fn ask(item: u32, at: vec2f) -> Offer;
    fn kernel() {
      if lane_index >= arrayLength(&items) { return; }
      let offer = ask(items[lane_index], vec2f(factor.y, f32(lane_index)));
      if offer.isOpen { prices[lane_index] += offer.price; }
    }`,
    {
      functions: {
        ask: async (item: number, [x, y]: number[]) => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          return { price: item * x! + y!, isOpen: item !== 7 };
        },
      },
      buffers: {
        items: Uint32Array.of(5, 6, 7),
        prices: new Float32Array(3),
        factor: Float32Array.of(1, 2, 3, 4),
      },
      laneCount: 4,
    },
  ],
  "printf, casts, loops and waves": [
    `@cast @service fn note(x: u32);
    @service fn next(x: u32) -> u32;
    fn kernel() {
      var x = wave_index * LANE_COUNT + lane_index;
      for (var time = 0u; time < lane_index; time++) {
        x = next(x);
        if x % 2u == 0u { note(x); printf("%u of %u\\n", x, wave_index); }
      }
      if lane_index == 1u { put("put "); put_u32(x); put("\\n"); print(); }
    }`,
    { functions: { note: () => {}, next: (x: number) => x * 3 + 1 }, waveCount: 3, laneCount: 4 },
  ],
  "workgroup memory and barriers between calls": [
    `struct Tile { sums: array<f32, 40>, count: atomic<u32> }
    var<workgroup> tile: Tile; var<workgroup> values: array<f32, 8>;
    var<workgroup> saved: array<bool, 3>; var<workgroup> first: vec3f;
    var<storage, read_write> out: array<f32>;
    @service fn ask(x: f32) -> f32;
    fn sum_of_all() -> f32 {
      workgroupBarrier();
      var sum = 0.0;
      for (var i = 0u; i < LANE_COUNT; i++) { sum += values[i]; }
      workgroupBarrier();
      return sum;
    }
    fn kernel() {
      let me = wave_index * LANE_COUNT + lane_index;
      values[lane_index] = f32(me);
      atomicAdd(&tile.count, 1u);
      if lane_index == 1u { saved[2] = true; first = vec3f(ask(7.0), 2.0, 3.0); }
      workgroupBarrier();
      if lane_index == 2u { _ = ask(1.0); _ = ask(2.0); }
      let next = values[(lane_index + 1u) % LANE_COUNT];
      storageBarrier();
      values[lane_index] = ask(next);
      let total = sum_of_all();
      if saved[2] { tile.sums[lane_index + 30u] = total + first.x; }
      let parts = vec2f(f32(workgroupUniformLoad(&tile.count)), workgroupUniformLoad(&first).y);
      for (var step = 1u; step < LANE_COUNT; step *= 2u) {
        let other = min(lane_index + step, LANE_COUNT);
        workgroupBarrier();
        let value = select(0.0, values[other], other < LANE_COUNT);
        workgroupBarrier();
        values[lane_index] += value;
      }
      out[me] = tile.sums[30u + (lane_index + 1u) % LANE_COUNT] + dot(parts, vec2f(1000, 0.125)) +
        values[lane_index] * 10000.0;
    }`,
    {
      functions: { ask: (x: number) => x * 2 },
      buffers: { out: new Float32Array(12) },
      waveCount: 3,
      laneCount: 4,
    },
  ],
  "calls that do not wait": [
    `var<storage, read_write> out: array<u32>;
    @service fn ask(x: u32) -> u32;
    fn kernel() {
      let me = wave_index * LANE_COUNT + lane_index;
      var later: array<u32, 3>;
      for (var i = 0u; i <= me % 3u; i++) { later[i] = begin_ask(me * 10u + i); }
      if me == 5u { out[me] = ask(1u); }
      for (var i = 1u + me % 3u; i > 0u; i--) { out[me] += end_ask(later[i - 1u]); }
    }`,
    {
      functions: {
        ask: (x: number) =>
          x % 2 === 0 ? x : new Promise((resolve) => setTimeout(() => resolve(x), x % 5)),
      },
      buffers: { out: new Uint32Array(12) },
      waveCount: 3,
      laneCount: 4,
    },
  ],
  "an assert that fails, with its values and its chain of calls": [
    `@service fn ask(x: u32) -> f32;
    fn leaf(x: f32, list: array<i32, 2>) -> f32 {
      assert(x < 3.0, "%.1f %v %s %b", x, list, "so", x > 2.0,);
      return x * 2.0;
    }
    fn middle(x: f32) -> f32 { return leaf(ask(u32(x)), array(-1, 7)) + 1.0; }
    fn kernel() {
      assert(lane_index < 4u);
      printf_if(lane_index > 1u && ask(1u) > 0.0, "lane %u\\n", lane_index);
      for (var i = 0u; i < 2u; i++) {
        printf("%v\\n", middle(f32(lane_index + i)));
      }
    }`,
    { functions: { ask: (x: number) => x }, laneCount: 3 },
  ],
  "a fault of the heap, with its chain of calls": [
    `fn inner(a: u32) -> u32 { printf("x\\n"); return heap_u32(a); }
    fn kernel() { let x = inner(lane_index * 48u + 16u); printf("%u\\n", x); }`,
    { heapBytes: 128, laneCount: 4 },
  ],
  "a call that fails, with its chain of calls": [
    `@service fn ask(x: u32) -> f32;
    fn middle(x: u32) -> f32 {
      return ask(x);
    }
    fn kernel() {
      _ = middle(3u);
      _ = middle(lane_index);
    }`,
    {
      functions: {
        ask: (x: number) => {
          if (x === 2) throw new Error("no 2");
          return x;
        },
      },
      laneCount: 4,
    },
  ],
  "casts as the last that waves do": [
    `@cast @service fn note(x: u32);
    fn kernel() { note(wave_index * LANE_COUNT + lane_index); }`,
    { functions: { note: () => {} }, waveCount: 3, laneCount: 4 },
  ],
  "lines of several packets": [
    `fn kernel() {
      for (var time = 0u; time < 30u + 10u * lane_index; time++) {
        printf("%u of lane %u, wave %u\\n", time, lane_index, wave_index);
      }
    }`,
    { waveCount: 3, laneCount: 4, laneBytes: 64 },
  ],
  "libraries": [
    `fn kernel() { printf("%u\\n", words_longest(lane_index, 2u)); }`,
    { libraries: [hostLibrary(words, { longest: Math.max })], laneCount: 4 },
  ],
};

/** The messages of those that fail. */
const ERRORS: Readonly<Record<string, string>> = {
  "an assert that fails, with its values and its chain of calls":
    `Cannot finish wave 0 in line 3 as an assertion failed in lane 2: x < 3.0: 3.0 [-1, 7] so true
    at leaf (line 3)
    at middle (line 6)
    at kernel (line 11)`,
  "a fault of the heap, with its chain of calls":
    `Cannot finish wave 0 from line 1 on as a lane used an address that does not lie in the heap (null, or beyond heapBytes), or is no multiple of 4 where one has to be
    at inner (line 1)
    at kernel (line 2)`,
  "a call that fails, with its chain of calls":
    `Cannot finish the call of ask in line 3 as its handler threw: no 2 (1 failed call in this run)
    at middle (line 3)
    at kernel (line 7)`,
};

/** What a run printed, line by line in any order, what it called and what it left in its buffers. */
async function outcome(gpu: KernelGpu, source: string, options: Options) {
  let text = "";
  const calls: string[] = [];
  const functions = Object.fromEntries(
    Object.entries(options.functions ?? {}).map(([name, work]) => [name, (...values: unknown[]) => {
      calls.push(`${name}(${JSON.stringify(values)})`);
      return work(...values);
    }]),
  );
  const run = gpu.run(source, { ...options, functions, print: (part) => text += part });
  const done = await run.then(
    ({ buffers, refusedCallCount }) => ({ buffers, refusedCallCount }),
    ({ message }: Error) => message,
  );
  return { lines: text.split("\n").sort(), calls: calls.sort(), done };
}

for (const [name, [source, options]] of Object.entries(KERNELS)) {
  onDevice(`a kernel does the same live and by epochs: ${name}`, async () => {
    if (liveObstacle) return console.log(`skipped: ${liveObstacle}`);
    using gpu = await openGpu();
    using live = await openLiveGpu({
      translate: (module) => {
        // Some drivers take a storage buffer for a uniform one.
        assertEquals(module.match(/var<uniform>/), null);
        return translate(module);
      },
    });
    const epochs = await outcome(gpu, source, options);
    assertEquals(await outcome(live, source, options), epochs);
    assertEquals(typeof epochs.done === "string" ? epochs.done : undefined, ERRORS[name]);
  });
}

onLiveDevice("LiveGpu.run() has the errors of Gpu.run", async (device) => {
  const gpu = new LiveGpu(device, translate);
  const run = (source: string, options: object = {}) =>
    gpu.run(source, { laneCount: 1, ...options });
  await assertRejects(
    () => run("@service fn ask() -> u32;\nfn kernel() { _ = ask(); }"),
    TypeError,
    "Cannot run the kernel as its function of the host ask is missing",
  );
  await assertRejects(
    () =>
      run("var<storage> x: u32;\nfn kernel() {\n  let y: f32 = x;\n}", {
        buffers: { x: Uint32Array.of(1) },
      }),
    Error,
    "Cannot compile the kernel as line 3, column 7 is wrong",
  );
  for (const name of ["epochsMax", "lock", "timed"]) {
    const error = await assertRejects(() => run("fn kernel() {}", { [name]: 1 }), TypeError);
    assertEquals(
      error.message.startsWith(`Cannot run the kernel as there is no option ${name} here: `),
      true,
    );
  }
  const needsHeap: HostLibrary = {
    api: words,
    serve: (_, kernel) => {
      void kernel.heap;
      return {};
    },
  };
  await assertRejects(
    () => run("fn kernel() { _ = words_longest(1u, 2u); }", { libraries: [needsHeap] }),
    TypeError,
    "Cannot use the heap as the kernel has none: give it heapBytes",
  );
});

onLiveDevice(
  "LiveGpu.run() ends by a signal, even lanes that go on without calls",
  async (device) => {
    const source = `@group(1) @binding(0) var<storage, read_write> x: array<u32>;
    @service fn ask() -> u32;
    fn kernel() { var count = 0u; loop { count++; if count == 0u { x[0] = ask(); } } }`;
    await assertRejects(
      () =>
        new LiveGpu(device, translate).run(source, {
          functions: { ask: () => 1 },
          buffers: { x: new Uint32Array(1) },
          signal: AbortSignal.timeout(20),
          waveCount: 3,
          laneCount: 2,
        }),
      DOMException,
      "timeout",
    );
  },
);

onLiveDevice("a LiveBuffer stays on the device, and a kernel is compiled once", async (device) => {
  let compiledCount = 0;
  using gpu = new LiveGpu(device, (source) => {
    compiledCount++;
    return translate(source);
  });
  const [one, other] = [0, 1].map(() => device.createBuffer(4, "host"));
  for (const { words } of [one!, other!]) new Uint32Array(words!).fill(0);
  const source = `
    var<storage, read_write> count: atomic<u32>;
    var<storage, read_write> seen: array<u32>;
    var<storage, read> unread: array<u32>;
    fn kernel() { seen[0] = atomicAdd(&count, 1u) + unread[0]; }`;
  const buffers = { seen: Uint32Array.of(9), unread: Uint32Array.of(100) };
  for (const [count, wanted] of [[one!, 100], [one!, 101], [other!, 100], [one!, 102]] as const) {
    const { buffers: after } = await gpu.run(source, {
      buffers: { ...buffers, count },
      laneCount: 1,
    });
    assertEquals([after.seen[0], after.count === count], [wanted, true]);
    assertEquals([buffers.seen[0], after.unread[0]], [9, 100]);
  }
  assertEquals(compiledCount, 2);
});

onLiveDevice(
  "a LiveGpu refuses what is no buffer, and runs nothing once it is closed",
  async (device) => {
    const gpu = new LiveGpu(device, translate);
    await assertRejects(
      () => gpu.run("fn kernel() {}", { buffers: { x: [1] } } as object),
      TypeError,
      "the buffer x must be an array such as a Float32Array",
    );
    gpu[Symbol.dispose]();
    await assertRejects(() => gpu.run("fn kernel() {}"), TypeError, "the GPU was destroyed");
  },
);

onLiveDevice(
  "a function of the host that throws fails its calls, and its lanes go on",
  async (device) => {
    using gpu = new LiveGpu(device, translate);
    using epochs = await openGpu();
    const thrown = new RangeError("no such item");
    const both: readonly KernelGpu[] = [gpu, epochs];
    const messages = await Promise.all(both.map(async (one) => {
      const error = await assertRejects(
        () =>
          one.run("@service fn ask(x: u32) -> u32;\nfn kernel() {\n  _ = ask(lane_index);\n}", {
            functions: {
              ask() {
                throw thrown;
              },
            },
            waveCount: 2,
            laneCount: 2,
          }),
        CallError,
      );
      assertEquals(error.cause, thrown);
      return error.message;
    }));
    assertEquals(messages[0], messages[1]);
  },
);

Deno.test("openLiveGpu() rejects where there is no Vulkan", async () => {
  const library = "/nowhere/libvulkan.so";
  const error = await assertRejects(() => openLiveGpu({ translate, library }), DOMException);
  assertEquals([error.name, error.message.includes(library)], ["NotSupportedError", true]);
});
