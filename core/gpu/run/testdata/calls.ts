import { Status } from "../../../memory/status.ts";
import {
  CASTS_UNHEARD,
  each,
  ME,
  NOT_RESIDENT,
  OUT,
  out,
  type Program,
  SQUARE,
  square,
  throwing,
} from "./program.ts";

const ASK = "@service fn ask(x: u32) -> u32;\n";
const NO_SQUARE = new RangeError("no such square");

/** Waits until as many calls are under way; a run in which they do not overlap ends by its signal. */
function together(callCount: number) {
  const all = Promise.withResolvers<void>();
  let begunCount = 0;
  return async () => {
    if (++begunCount === callCount) all.resolve();
    await all.promise;
  };
}

async function later<T>(value: T, milliseconds = 1): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return value;
}

/** A function that fails for one value, and answers the others. */
function failingAt(wrong: number, answer: (x: number) => unknown = (x) => x) {
  return (x: number) => x === wrong ? throwing(new RangeError(`no ${x}`))() : answer(x);
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function thrice(x: number): number {
  return x * 3 + 1;
}

/** What each of 12 lanes asks for in turn, four a wave. */
const LANES = each(12, (me) => {
  const [wave, lane] = [Math.floor(me / 4), me % 4];
  const values = [me];
  for (let time = 0; time < lane; time++) values.push(thrice(values.at(-1)!));
  const even = values.slice(1).filter((x) => x % 2 === 0);
  return { wave, lane, asked: values.slice(0, -1), even, last: values.at(-1)! };
});

/** Lanes take different ways, keep several calls open over others, and end them in another order. */
function overlapping(
  [waveCount, portCount, callCount]: readonly [number, number, number],
): Program {
  return {
    name: `${callCount} calls that do not wait overlap, ${portCount} ports`,
    ...waveCount > 1 && { without: NOT_RESIDENT },
    source: `struct Offer { price: f32, isOpen: bool } var<storage, read_write> found: array<f32>;
      @service fn ask(item: u32, wave_index: vec2f) -> Offer; @service fn twice(x: u32) -> u32;
      fn kernel() { let id = wave_index * LANE_COUNT + lane_index;
        var later: array<u32, 3>;
        for (var i = 0u; i < 1u + id % 3u; i++) { later[i] = begin_ask(10u * id + i, vec2f(0.5, 1.0)); }
        var sum = 0.0;
        if id % 2u == 1u { let other = begin_twice(id); sum = f32(twice(1000u)); sum += f32(end_twice(other)); }
        for (var i = i32(id % 3u); i >= 0; i--) { let offer = end_ask(later[i]); if offer.isOpen { sum += offer.price; } }
        found[id] = sum;
      }`,
    run: () => {
      const meet = together(callCount);
      return {
        functions: {
          async ask(item: number, [x, y]: number[]) {
            await meet();
            return { price: item + x! + y!, isOpen: item % 7 !== 0 };
          },
          twice: (x: number) => 2 * x,
        },
        buffers: { found: new Float32Array(5 * waveCount) },
        ...{ laneCount: 5, waveCount, portCount, signal: AbortSignal.timeout(20_000) },
      };
    },
    leaves: {
      found: each(5 * waveCount, (id) => {
        const items = each(1 + id % 3, (i) => 10 * id + i);
        const prices = items.map((item) => item % 7 === 0 ? 0 : item + 1.5);
        return prices.reduce((sum, one) => sum + one, id % 2 === 1 ? 2000 + 2 * id : 0);
      }),
    },
  };
}

/** A wrong use of what begins a call, in line 4. */
function wrongFuture(body: string, reason: string): Program {
  return {
    name: `a future is refused: ${body}`,
    source: `${ASK}@service fn note();\nfn kernel() {\n${body} }`,
    run: { functions: { ask: (x: number) => Promise.resolve(x), note: () => {} }, laneCount: 2 },
    fails: ["CallError", /end_note/.test(body) ? "of end_note" : "of end_ask", "line 4", reason],
  };
}

/** A function that fails, and what is told of it. */
function failing(name: string, square: (x: number) => unknown): Program {
  return {
    name: `a function of the host that ${name} fails its call, and the run tells what it was`,
    source: `${SQUARE}${OUT}fn kernel() {\n  out[lane_index] = square(lane_index) * 0u + 7u;\n}`,
    run: { functions: { square }, buffers: out(2), laneCount: 2 },
    fails: ["CallError", "the call of square in line 4 as its handler threw: no such square"],
  };
}

/** Functions of the host: when they are called, and how they fail. */
export const CALLS: readonly Program[] = [
  {
    name: "64 lanes call a function of the host, and print",
    source: `@service fn hypot(x: f32, y: f32) -> f32;
      fn kernel() { let lane = f32(wave_index * LANE_COUNT + lane_index);
        printf("%.0f %.1f\\n", lane, hypot(3.0 * lane, 4.0 * lane)); }`,
    run: { functions: { hypot: Math.hypot }, waveCount: 2 },
    lines: each(64, (lane) => `${lane} ${5 * lane}.0`),
  },
  ...[1, 2].map((waveCount): Program => ({
    name: `functions may return promises, and lanes of ${waveCount} waves wait together`,
    source: `${ASK}${OUT}fn kernel() { ${ME} out[me] = ask(ask(me)); }`,
    ...waveCount > 1 && { without: NOT_RESIDENT },
    run: () => {
      const meet = together(4 * waveCount - 1);
      return {
        functions: {
          async ask(x: number) {
            if (x === 3) return 100; // one that does not wait
            await meet();
            return later(x + 1);
          },
        },
        buffers: out(4 * waveCount),
        ...{ waveCount, laneCount: 4, signal: AbortSignal.timeout(20_000) },
      };
    },
    leaves: { out: [2, 3, 100, 101, 6, 7, 8, 9].slice(0, 4 * waveCount) },
  })),
  {
    name: "structs come from promises, and some lanes ask for none",
    source: `var<storage, read> items: array<u32>; var<storage, read_write> prices: array<f32>;
      var<uniform> factor: vec4f; struct Offer { price: f32, isOpen: bool }
      @service fn ask(item: u32, at: vec2f) -> Offer;
      fn kernel() {
        if lane_index >= arrayLength(&items) { return; }
        let offer = ask(items[lane_index], vec2f(factor.y, f32(lane_index)));
        if offer.isOpen { prices[lane_index] += offer.price; }
      }`,
    run: {
      functions: {
        ask: (item: number, [x, y]: number[]) =>
          later({ price: item * x! + y!, isOpen: item !== 7 }),
      },
      buffers: {
        items: Uint32Array.of(5, 6, 7),
        prices: Float32Array.of(0, 0.5, 1),
        factor: Float32Array.of(1, 2, 3, 4),
      },
      laneCount: 4,
    },
    calls: ["ask(5, [2,0])", "ask(6, [2,1])", "ask(7, [2,2])"],
    leaves: { items: [5, 6, 7], prices: [10, 13.5, 1], factor: [1, 2, 3, 4] },
  },
  {
    name: "a cast is served without an answer, also by a function that waits",
    source: "@service @cast fn note(x: u32); fn kernel() { note(lane_index); note(10u); }",
    run: { functions: { note: () => later(undefined, 2) }, laneCount: 2 },
    calls: ["note(0)", "note(1)", "note(10)", "note(10)"],
  },
  {
    name: "casts, lines and calls of loops come in the order of their lane",
    source: `@cast @service fn note(x: u32); @service fn next(x: u32) -> u32;
      fn kernel() {
        var x = wave_index * LANE_COUNT + lane_index;
        for (var time = 0u; time < lane_index; time++) {
          x = next(x);
          if x % 2u == 0u { note(x); printf("%u of %u\\n", x, wave_index); }
        }
        if lane_index == 1u { put("put "); put_u32(x); put("\\n"); print(); }
      }`,
    run: { functions: { note: () => {}, next: thrice }, waveCount: 3, laneCount: 4 },
    calls: LANES.flatMap(({ asked, even }) => [
      ...asked.map((x) => `next(${x})`),
      ...even.map((x) => `note(${x})`),
    ]),
    lines: LANES.flatMap(({ wave, lane, even, last }) => [
      ...even.map((x) => `${x} of ${wave}`),
      ...lane === 1 ? [`put ${last}`] : [],
    ]),
  },
  {
    name: "casts may be the last that waves do, and cost no epoch",
    source:
      "@cast @service fn note(x: u32); fn kernel() { note(wave_index * LANE_COUNT + lane_index); }",
    run: { functions: { note: () => {} }, waveCount: 3, laneCount: 4 },
    calls: each(12, (me) => `note(${me})`),
    counts: { epochCount: 1, packetCount: 3 },
  },
  {
    name: "a cast that fails after its wave has ended fails the run",
    source: "@cast @service fn note(); fn kernel() { note(); }",
    run: { functions: { note: () => later(1, 5).then(failingAt(1)) }, laneCount: 1 },
    fails: ["CallError", "no 1"],
    without: CASTS_UNHEARD,
  },
  failing("throws", throwing(NO_SQUARE)),
  failing("rejects with what is no error", () => Promise.reject("no such square")),
  failing("rejects", () => Promise.reject(NO_SQUARE)),
  failing("throws a long text", throwing(new Error(`no such square ${"for long ".repeat(50)}end`))),
  {
    name: "all lanes of a call that failed go on, and then the run rejects",
    source: `@service fn ask(x: u32) -> vec2f; @service fn tell(at: vec2f) -> u32;
      fn kernel() { _ = tell(ask(lane_index) * 0.0); }`,
    run: { functions: { ask: failingAt(1, () => [5, 6]), tell: () => 0 }, laneCount: 3 },
    fails: ["CallError", "the call of ask in line 2", "no 1 (1 failed call in this run)"],
  },
  {
    name: "a lane that throws ends the call, whatever the lanes before it wait for",
    source: `${ASK}fn kernel() { _ = ask(lane_index); }`,
    run: { functions: { ask: failingAt(1, () => Promise.reject(NO_SQUARE)) } },
    fails: ["CallError", "threw: no 1"],
  },
  {
    name: "refused calls are counted where that is wanted, and the kernel sees which",
    source: `${ASK}${OUT}fn kernel() {
        for (var x = 0u; x < 3u; x++) { out[x + 3u] = ask(x) + 1u; out[x] = reply_status(); }
      }`,
    run: {
      functions: { ask: failingAt(1, (x) => x + 5) },
      ...{ buffers: out(6), laneCount: 1, refusals: "count" },
    },
    leaves: { out: [Status.ok, Status.handlerFailed, Status.ok, 6, 1, 8] },
    counts: { refusedCallCount: 1, packetCount: 3 },
  },
  {
    name: "each failed call is counted, and the first one told",
    source: `${ASK}fn kernel() { if wave_index != 1u { _ = ask(wave_index); _ = ask(5u); } }`,
    run: { functions: { ask: throwing(new Error("no")) }, laneCount: 1, waveCount: 3 },
    fails: ["CallError", "the call of ask in line 2", "no (4 failed calls in this run)"],
  },
  {
    name: "a failed call is told with its chain of calls",
    source: `@service fn ask(x: u32) -> f32;
      fn middle(x: u32) -> f32 {
        return ask(x);
      }
      fn kernel() {
        _ = middle(3u);
        _ = middle(lane_index);
      }`,
    run: { functions: { ask: failingAt(2) }, laneCount: 4 },
    fails: [
      "CallError",
      `Cannot finish the call of ask in line 3 as its handler threw: no 2 (1 failed call in this run)
    at middle (line 3)
    at kernel (line 7)`,
    ],
  },
  {
    name: "of failed calls of one function the first is told with its place",
    source: `${ASK}fn middle(x: u32) -> u32 {\n  return ask(x);\n}
      fn kernel() {
        _ = middle(1u);
        _ = ask(1u);
        _ = middle(1u);
      }`,
    run: { functions: { ask: failingAt(1) }, laneCount: 1 },
    fails: [
      "CallError",
      "(3 failed calls in this run)\n    at middle (line 3)\n    at kernel (line 6)",
    ],
  },
  overlapping([1, 1, 9]),
  overlapping([3, 8, 30]),
  {
    name: "calls that were begun end in another order, and beside one that waits",
    source: `${ASK}${OUT}fn kernel() { ${ME}
        var later: array<u32, 3>;
        for (var i = 0u; i <= me % 3u; i++) { later[i] = begin_ask(me * 10u + i); }
        if me == 5u { out[me] = ask(1u); }
        for (var i = 1u + me % 3u; i > 0u; i--) { out[me] += end_ask(later[i - 1u]); }
      }`,
    run: {
      functions: { ask: (x: number) => x % 2 === 0 ? x : later(x, x % 5) },
      buffers: out(12),
      ...{ waveCount: 3, laneCount: 4 },
    },
    leaves: {
      out: each(
        12,
        (me) => each(1 + me % 3, (i) => 10 * me + i).reduce((sum, x) => sum + x, me === 5 ? 1 : 0),
      ),
    },
  },
  wrongFuture(
    "_ = end_ask(begin_ask(1u) + 1u);",
    "Cannot wait for ask as the lane has begun 1 calls",
  ),
  wrongFuture(
    "_ = end_ask(0u);",
    "begun 0 calls: current value is 0: hand over what begin_ask gave",
  ),
  wrongFuture(
    "let a = begin_ask(1u); _ = end_ask(a); _ = end_ask(a);",
    "the answer of this call is taken",
  ),
  wrongFuture("end_note(begin_ask(1u));", "this is a call of ask"),
  {
    name: "a run waits for the calls that no lane waits for, and fails with them",
    source: "@service fn ask(x: u32); fn kernel() { _ = begin_ask(lane_index); }",
    run: { functions: { ask: (x: number) => later(x, 3).then(failingAt(2)) }, laneCount: 4 },
    calls: each(4, (x) => `ask(${x})`),
    fails: ["CallError", "of begin_ask", "no 2"],
  },
  {
    name: "a call that nobody waits for is counted where that is wanted",
    source: "@service fn ask(x: u32); fn kernel() { _ = begin_ask(lane_index); }",
    run: {
      functions: { ask: (x: number) => later(x % 2, 3).then(failingAt(1)) },
      ...{ laneCount: 4, refusals: "count" },
    },
    counts: { refusedCallCount: 2 },
  },
  ...(["reject", "count"] as const).map((refusals): Program => ({
    name: `a call that fails as it begins fails its lane and no other, ${refusals}`,
    source: `${ASK}${OUT}fn kernel() {
        let later = begin_ask(lane_index);
        if lane_index != 1u { out[lane_index] = end_ask(later); }
      }`,
    run: {
      functions: { ask: failingAt(1, (x) => 10 * x) },
      ...{ buffers: out(3), laneCount: 3, refusals },
    },
    ...refusals === "reject"
      ? { fails: ["CallError", "of begin_ask as its handler threw: no 1"] }
      : { leaves: { out: [0, 0, 20] }, counts: { refusedCallCount: 1 } },
  })),
  {
    name: "a signal ends a run that waits for a function",
    source: `${SQUARE}fn kernel() { _ = square(1u); }`,
    run: () => ({ functions: { square: never }, signal: AbortSignal.timeout(20) }),
    fails: ["TimeoutError"],
  },
  {
    name: "a signal ends a run that waits for a call that no lane waits for",
    source: "@service fn ask(); fn kernel() { _ = begin_ask(); }",
    run: () => ({ functions: { ask: never }, signal: AbortSignal.timeout(20) }),
    fails: ["TimeoutError"],
  },
  {
    name: "a run that is aborted before it begins rejects with the reason",
    source: `${SQUARE}fn kernel() { loop { if square(1u) == 9u { break; } } }`,
    run: { functions: { square }, laneCount: 1, signal: AbortSignal.abort(new Error("enough")) },
    fails: ["Error", "enough"],
  },
];
