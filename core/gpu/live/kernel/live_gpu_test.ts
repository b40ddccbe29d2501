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
  const { buffers, refusedCallCount } = await gpu.run(source, {
    ...options,
    functions,
    print: (part) => text += part,
  });
  return { lines: text.split("\n").sort(), calls: calls.sort(), buffers, refusedCallCount };
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
    assertEquals(await outcome(live, source, options), await outcome(gpu, source, options));
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
