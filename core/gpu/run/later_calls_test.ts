import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { onDevice } from "../device/on_device_test.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { openGpu } from "./gpu.ts";
import { Futures } from "./later_calls.ts";
import { runText } from "./run_text.ts";

/** Lanes take different ways, keep several calls open over others, and end them in another order. */
const SOURCE = `
  struct Offer { price: f32, isOpen: bool }
  var<storage, read_write> found: array<f32>;
  @service fn ask(item: u32, wave_index: vec2f) -> Offer;
  @service fn twice(x: u32) -> u32;
  fn kernel() {
    let id = wave_index * LANE_COUNT + lane_index;
    var later: array<u32, 3>;
    for (var i = 0u; i < 1u + id % 3u; i++) { later[i] = begin_ask(10u * id + i, vec2f(0.5, 1.0)); }
    var sum = 0.0;
    if id % 2u == 1u {
      let other = begin_twice(id);
      sum = f32(twice(1000u));
      sum += f32(end_twice(other));
    }
    for (var i = i32(id % 3u); i >= 0; i--) {
      let offer = end_ask(later[i]);
      if offer.isOpen { sum += offer.price; }
    }
    found[id] = sum;
  }`;

onDevice("calls that do not wait overlap, whichever lanes make them", async () => {
  using gpu = await openGpu();
  const laneCount = 5;
  for (const [waveCount, portCount, callCount] of [[1, 1, 9], [3, 8, 30]] as const) {
    // None is answered before all are begun.
    const all = Promise.withResolvers<void>();
    let begunCount = 0;
    const { buffers } = await gpu.run(SOURCE, {
      functions: {
        async ask(item: number, [x, y]: number[]) {
          if (++begunCount === callCount) all.resolve();
          await all.promise;
          return { price: item + x! + y!, isOpen: item % 7 !== 0 };
        },
        twice: (x: number) => 2 * x,
      },
      buffers: { found: new Float32Array(laneCount * waveCount) },
      ...{ laneCount, waveCount, portCount, signal: AbortSignal.timeout(60_000) },
    });
    const wanted = Array.from(buffers.found, (_, id) => {
      const items = Array.from({ length: 1 + id % 3 }, (_, i) => 10 * id + i);
      const offers = items.map((item) => item % 7 === 0 ? 0 : item + 1.5);
      return offers.reduce((sum, one) => sum + one, id % 2 === 1 ? 2000 + 2 * id : 0);
    });
    assertEquals([...buffers.found], wanted);
  }
});

onDevice("a future that no lane has is refused, and so is one that is used up", async () => {
  using gpu = await openGpu();
  const faults = [
    ["_ = end_ask(begin_ask(1u) + 1u);", "Cannot wait for ask as the lane has begun 1 calls"],
    ["_ = end_ask(0u);", "begun 0 calls: current value is 0: hand over what begin_ask gave, once"],
    ["let a = begin_ask(1u); _ = end_ask(a); _ = end_ask(a);", "the answer of this call is taken"],
    ["end_note(begin_ask(1u));", "this is a call of ask"],
  ] as const;
  const declared = "@service fn ask(x: u32) -> u32;\n@service fn note();\n";
  const functions = { ask: (x: number) => Promise.resolve(x), note: () => {} };
  for (const [body, reason] of faults) {
    const run = gpu.run(`${declared}fn kernel() {\n${body} }`, { functions });
    const { message } = await assertRejects(() => run, CallError, reason);
    assertEquals(/of end_(ask|note) in line 4 /.test(message), true, message);
  }
});

onDevice("a run waits for the calls that no lane waits for, and fails with them", async () => {
  using gpu = await openGpu();
  const source = "@service fn ask(x: u32); fn kernel() { _ = begin_ask(lane_index); }";
  const seen: number[] = [];
  const ask = async (x: number) => {
    await new Promise((resolve) => setTimeout(resolve, 3));
    seen.push(x);
    if (x === 2) throw new RangeError("two");
  };
  const options = { functions: { ask }, laneCount: 4 };
  const { cause } = await assertRejects(() => gpu.run(source, options), CallError, "of begin_ask");
  assertEquals((cause as Error).message, "two");
  const { refusedCallCount } = await gpu.run(source, { ...options, refusals: "count" });
  assertEquals([refusedCallCount, seen.toSorted()], [1, [0, 0, 1, 1, 2, 2, 3, 3]]);

  const endless = { functions: { ask: () => new Promise(() => {}) } };
  const signal = AbortSignal.timeout(20);
  await assertRejects(() => gpu.run(source, { ...endless, signal }), DOMException, "timeout");
});

onDevice(
  "a function that throws at once fails the lane that began the call, and no other",
  async () => {
    using gpu = await openGpu();
    const source = `@service fn ask(x: u32) -> u32; var<storage, read_write> got: array<u32>;
    fn kernel() {
      let later = begin_ask(lane_index);
      if lane_index != 1u { got[lane_index] = end_ask(later); }
    }`;
    const ask = (x: number) => {
      if (x === 1) throw new RangeError("one");
      return 10 * x;
    };
    const options = { functions: { ask }, laneCount: 3, buffers: { got: new Uint32Array(3) } };
    await assertRejects(
      () => gpu.run(source, options),
      CallError,
      "of begin_ask as its handler threw: one",
    );
    const { buffers } = await gpu.run(source, { ...options, refusals: "count" });
    assertEquals([...buffers.got], [0, 0, 20]);
  },
);

Deno.test("a call may be waited for before the cast that begins it is served", async () => {
  const source = "@service fn f(); @service fn g(); fn kernel() { begin_f(); begin_g(); }";
  const { later: [f, g] } = runText(source, { apis: [], laneWords: 16 });
  const futures = new Futures();
  const waiting = [1, 2, 3].map((number) => futures.end(f!.service)(7, number, 3));
  assertThrows(() => futures.end(f!.service)(7, 2, 3), RangeError, "is taken");
  futures.begin(f!.service, () => "b")(7, 2);
  futures.begin(f!.service, () => Promise.resolve("a"))(7, 1);
  futures.begin(g!.service, () => "c")(7, 3);
  assertEquals(await Promise.all(waiting.slice(0, 2)), ["a", "b"]);
  await assertRejects(() => waiting[2] as Promise<unknown>, RangeError, "this is a call of g");
  assertThrows(() => futures.end(f!.service)(7, 1, 3), RangeError, "is taken");
  assertEquals(await futures.left(), []);
});

Deno.test("laterCalls() declares what a text calls, unless it has its own", () => {
  const textOf = (source: string, laneWords = 16) => runText(source, { apis: [], laneWords });
  const { later, services } = textOf(
    "@service(65534) fn f(x: vec3f); @service fn g() -> u32; fn kernel() { _ = begin_g(); end_f(1u); }",
  );
  assertEquals(services.map(({ name }) => name), ["f", "g"]);
  assertEquals(
    later.map(({ begin, end }) => [begin.opcodeNumber, begin.isCast, end.opcodeNumber, end.result]),
    [[65_533, true, 65_532, undefined], [65_531, true, 65_530, { name: "u32", args: [] }]],
  );
  const own = "@service fn g(); fn begin_g() {} fn kernel() { begin_g(); }";
  assertEquals(textOf(own).later, []);
  const faults = [
    ["@service @cast fn g();\nfn kernel() { begin_g(); }", 2, "call g"],
    [
      "var<private>\nlane_index: u32; @service fn g(); fn kernel() { begin_g(); }",
      2,
      "later calls",
    ],
    ["@service\nfn g(a: array<u32, 15>); fn kernel() { begin_g(); }", 2, "begin_g takes 17 words"],
  ] as const;
  for (const [source, line, reason] of faults) {
    const error = assertThrows(() => textOf(source), KernelCompileError, reason);
    assertEquals(error.line, line);
  }
});
