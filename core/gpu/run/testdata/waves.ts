import { each, ME, OUT, out, type Program, SQUARE, square } from "./program.ts";

const INCREMENT = "@service(40000) fn increment(x: u32) -> u32;\n";
const INCREMENTS =
  "fn serve(opcode: u32) { packet_set(0u, select(packet_get(0u) * packet_get(0u), packet_get(0u) + 1u, opcode == 40000u)); }";

function increment(x: number): number {
  return (x + 1) >>> 0;
}

/** Each lane asks as often as its number says, and keeps the sum of the answers. */
const LOOP = `${INCREMENT}${OUT}struct Frame { count: u32, sum: u32 }
  fn me() -> u32 { return wave_index * LANE_COUNT + lane_index; }
  fn step_0() {
    if frame.count == 1u + me() % 5u { go(2u); return; }
    packet_set(0u, me() * 100u + frame.count);
    call(40000u);
  }
  fn step_1() { frame.sum += reply(0u); frame.count++; go(0u); }
  fn step_2() { out[me()] = frame.sum; }`;

function loopSums(laneTotal: number): number[] {
  return each(
    laneTotal,
    (me) =>
      each(1 + me % 5, (count) => me * 100 + count + 1).reduce((sum, value) => sum + value, 0),
  );
}

function looping(name: string, shape: NonNullable<Exclude<Program["run"], () => void>>): Program {
  const laneTotal = shape.laneCount! * shape.waveCount!;
  return {
    name: `steps call in loops of different lengths, ${name}`,
    source: LOOP,
    run: { ...shape, functions: { increment }, buffers: out(laneTotal) },
    leaves: { out: loopSums(laneTotal) },
    ...shape.lock && { not: NO_LOCKS },
    ...shape.wavesPerGroup && { not: NO_GROUPS },
    server: INCREMENTS,
  };
}

const NO_LOCKS = { live: "no option lock here", subgroups: "no option lock here" };
const NO_GROUPS = Object.fromEntries(
  ["live", "subgroups", "one dispatch"].map((way) => [way, "no option wavesPerGroup"]),
);

/** Waves and the lanes in them: who calls together, who waits for whom, and what they share. */
export const WAVES: readonly Program[] = [
  ...[1, 3, 8, 33, 64].map((laneCount) =>
    looping(`${laneCount} lanes`, { laneCount, waveCount: 6, portCount: 8 })
  ),
  ...(["fetch-or", "cas", "fetch-add"] as const).map((lock) =>
    looping(`30 waves with 2 ports by ${lock}`, { lock, laneCount: 2, waveCount: 30, portCount: 2 })
  ),
  looping("slices of a workgroup", { laneCount: 4, waveCount: 10, portCount: 3, wavesPerGroup: 4 }),
  {
    name: "requests of the steps' own kind stand anywhere in a kernel",
    source: `${OUT}${INCREMENT}      fn kernel() {
        for (var i = 0u; i < 3u; i++) {
          packet_set(0u, i + lane_index);
          call(40000u);
          out[lane_index] = out[lane_index] * 10u + reply(0u);
        }
      }`,
    run: { functions: { increment: (x: number) => x + 1 }, laneCount: 2, buffers: out(2) },
    leaves: { out: [123, 234] },
  },
  {
    name: "steps by name lead to each other, and keep variables of their lane",
    source: `${OUT}${INCREMENT}      var<private> sum: u32 = 100u;
      struct Frame { count: u32 }
      fn step_ask() { packet_set(0u, frame.count + lane_index); call(40000u); }
      fn step_add() { sum += reply(0u); frame.count++; if frame.count < 3u { go(STEP_ASK); } }
      fn step_end() { out[lane_index] = sum; }`,
    run: { functions: { increment: (x: number) => x + 1 }, laneCount: 2, buffers: out(2) },
    leaves: { out: [106, 109] },
  },
  {
    name: "a kernel asks in one of two ways, as often as its lane says",
    source: `${INCREMENT}@service(50000) fn squared(value: u32) -> u32;\n${OUT}
      fn kernel() { ${ME}
        var sum = 0u;
        for (var count = 0u; count <= lane_index; count++) {
          if count % 2u == 0u { sum += increment(count); } else { sum = squared(sum) + 1u; }
        }
        out[me] = sum;
      }`,
    run: {
      functions: { increment, squared: square },
      ...{ buffers: out(12), portCount: 2, laneCount: 4, waveCount: 3 },
    },
    server: INCREMENTS,
    leaves: { out: each(12, (me) => [1, 2, 5, 26][me % 4]!) },
  },
  {
    name: "a frame of aliases and computed lengths is kept from step to step",
    source: `const HALF = 4u; alias List = array<u32, LANE_COUNT * (HALF << 1u)>;
      struct Frame { list: List, place: u32 } ${INCREMENT}${OUT}
      fn step_1() { frame.list[frame.place] = reply(0u); frame.place++; if frame.place < 16u { go(0u); } }
      fn step_0() { packet_set(0u, step_size()); call(40000u); } fn step_size() -> u32 { return frame.place; }
      fn step_2() { for (var i = 0u; i < 16u; i++) { out[lane_index] += (i + 1u) * frame.list[i]; } }`,
    run: { functions: { increment }, buffers: out(2), portCount: 4, laneCount: 2 },
    server: INCREMENTS,
    leaves: { out: [1496, 1496] },
  },
  {
    name: "lanes that do not ask are no part of the call of those that do",
    source: `@service fn note(x: u32) -> u32;
      fn kernel() { if lane_index == 3u || lane_index == 17u || lane_index == 35u { _ = note(lane_index); } }`,
    run: { functions: { note: () => 0 }, laneCount: 40 },
    calls: ["note(3)", "note(17)", "note(35)"],
    counts: { packetCount: 1 },
  },
  {
    name: "lanes beyond the first 32 call without them",
    source: `@service fn note(x: u32) -> u32; ${OUT}
      fn kernel() { if lane_index > 34u { out[lane_index] = note(lane_index); } }`,
    run: { functions: { note: (x: number) => x + 1 }, buffers: out(40), laneCount: 40 },
    calls: each(5, (at) => `note(${35 + at})`),
    counts: { packetCount: 1 },
    leaves: { out: each(40, (lane) => lane > 34 ? lane + 1 : 0) },
  },
  {
    name: "lanes that ask for different functions call one after another",
    source: `@service(50000) fn even(x: u32); @service(50001) fn odd(x: u32);
      fn step_0() { packet_set(0u, lane_index); call(50000u + lane_index % 2u); }`,
    run: { functions: { even: () => {}, odd: () => {} }, portCount: 2, laneCount: 4 },
    calls: ["even(0)", "even(2)", "odd(1)", "odd(3)"],
    counts: { packetCount: 2 },
  },
  {
    name: "each set of lanes makes its call together, and nobody else's",
    source: `@service fn ask(x: u32) -> u32; ${OUT}
      fn kernel() {
        for (var mask = 1u; mask < 1u << LANE_COUNT; mask++) {
          if ((mask >> lane_index) & 1u) == 1u { out[lane_index] += ask(mask); }
          workgroupBarrier(); // else lanes of several sets would call at the same time, which is one call
        }
      }`,
    run: { functions: { ask: (x: number) => x + 1 }, buffers: out(4), laneCount: 4, portCount: 2 },
    calls: each(15, (at) => each(4, (lane) => lane).filter((lane) => at + 1 >> lane & 1))
      .flatMap((lanes, at) => lanes.map(() => `ask(${at + 1})`)),
    counts: { packetCount: 15 },
    leaves: {
      out: each(
        4,
        (lane) => each(16, (mask) => mask >> lane & 1 ? mask + 1 : 0).reduce((sum, x) => sum + x),
      ),
    },
  },
  {
    name: "a packet that waits for a port arrives whole, all of its words",
    source: `@service fn take(list: array<u32, 16>) -> u32;
      fn kernel() { var list: array<u32, 16>; for (var i = 0u; i < 16u; i++) { list[i] = 100u * wave_index + i + 1u; } _ = take(list); }`,
    run: {
      functions: { take: () => 0 },
      ...{ portCount: 1, laneCount: 1, waveCount: 4, laneBytes: 64 },
    },
    calls: each(4, (wave) => `take(${JSON.stringify(each(16, (at) => 100 * wave + at + 1))})`),
  },
  ...[3, undefined].map((wavesAcross): Program => ({
    name: `wave_xy() counts waves in rows of ${wavesAcross ?? "all"}`,
    source: `${OUT}fn kernel() { out[wave_index] = 10u * wave_xy().y + wave_xy().x; }`,
    run: { buffers: out(7), laneCount: 1, waveCount: 7, ...wavesAcross && { wavesAcross } },
    leaves: { out: each(7, (at) => wavesAcross ? 10 * Math.floor(at / 3) + at % 3 : at) },
  })),
  ...([[257, 1], [5000, 1], [300, 4], [65_535, 1]] as const).map((
    [waveCount, laneCount],
  ): Program => ({
    name: `${waveCount} waves of ${laneCount} that ask for nothing all run`,
    source: "var<storage, read_write> out: atomic<u32>; fn kernel() { atomicAdd(&out, 1u); }",
    run: { buffers: out(1), waveCount, laneCount, portCount: 2 },
    leaves: { out: [waveCount * laneCount] },
  })),
  {
    name: "waves add to and swap words of all, by atomics that tell what was there",
    source:
      `${SQUARE}struct Shared { sum: atomic<u32>, most: atomic<i32>, turns: array<atomic<u32>, 2> }
      var<storage, read_write> shared_by_all: Shared; ${OUT}
      fn kernel() { ${ME}
        let place = atomicAdd(&shared_by_all.sum, square(1u));
        out[place] = 1u;
        atomicMax(&shared_by_all.most, i32(square(me)) - 100);
        loop {
          let old = atomicLoad(&shared_by_all.turns[1]);
          let done = atomicCompareExchangeWeak(&shared_by_all.turns[1], old, old + square(2u));
          if done.exchanged { break; }
        }
        if me == 7u { out[8] = atomicExchange(&shared_by_all.turns[0], 5u) + 1u; }
      }`,
    run: {
      functions: { square },
      ...{ buffers: { ...out(9), shared_by_all: new Uint32Array(4) }, laneCount: 2, waveCount: 4 },
    },
    leaves: { out: each(9, () => 1), shared_by_all: [8, 0, 5, 32] },
  },
  {
    name: "barriers and workgroup memory mean what they say, between calls as well",
    source: `${INCREMENT}var<workgroup> turns: array<u32, 3u * LANE_COUNT>; ${OUT}
      fn add_neighbour(sum: u32) -> u32 {
        workgroupBarrier();
        let found = turns[(lane_index + 1u) % LANE_COUNT * 3u];
        workgroupBarrier();
        return sum + found;
      }
      fn kernel() {
        for (var time = 0u; time < 50u; time++) {
          turns[lane_index * 3u] = lane_index * 100u + time;
          // Some lanes call while the others are at the barrier.
          if (lane_index + time) % 3u == 0u { turns[lane_index * 3u] = increment(turns[lane_index * 3u]); }
          out[lane_index] = add_neighbour(out[lane_index]);
        }
      }`,
    run: { functions: { increment }, buffers: out(4), laneCount: 4 },
    leaves: {
      out: each(4, (lane) => {
        const next = (lane + 1) % 4;
        return each(50, (time) => next * 100 + time + Number((next + time) % 3 === 0))
          .reduce((sum, x) => sum + x);
      }),
    },
  },
  {
    name: "workgroup memory of every kind is a wave's own, and is kept over calls",
    source: `struct Tile { sums: array<f32, 40>, count: atomic<u32> }
      var<workgroup> tile: Tile; var<workgroup> values: array<f32, 8>;
      var<workgroup> saved: array<bool, 3>; var<workgroup> first: vec3f;
      var<storage, read_write> found: array<f32>;
      @service fn ask(x: f32) -> f32;
      fn sum_of_all() -> f32 {
        workgroupBarrier();
        var sum = 0.0;
        for (var i = 0u; i < LANE_COUNT; i++) { sum += values[i]; }
        workgroupBarrier();
        return sum;
      }
      fn kernel() { ${ME}
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
        found[me] = tile.sums[30u + (lane_index + 1u) % LANE_COUNT] + dot(parts, vec2f(1000, 0.125)) +
          values[lane_index] * 10000.0;
      }`,
    run: {
      functions: { ask: (x: number) => x * 2 },
      ...{ buffers: { found: new Float32Array(12) }, waveCount: 3, laneCount: 4 },
    },
    leaves: {
      found: each(12, (me) => {
        const wave = Math.floor(me / 4);
        const doubled = each(4, (lane) => 2 * (4 * wave + (lane + 1) % 4));
        const total = doubled.reduce((sum, x) => sum + x);
        const rest = doubled.slice(me % 4).reduce((sum, x) => sum + x);
        return Math.fround(total + 14 + 4000.25 + 10_000 * rest);
      }),
    },
  },
  {
    name: "a wave sums up in turns, with values of the host, and an override for its length",
    source: `override length = 2u * 4u; ${SQUARE}${OUT}
      var<workgroup> sums: array<u32, LANE_COUNT>;
      fn kernel() { ${ME}
        sums[lane_index] = square(me + length);
        for (var reach = 1u; reach < LANE_COUNT; reach <<= 1u) {
          workgroupBarrier();
          var mine = sums[lane_index];
          if lane_index >= reach { mine += sums[lane_index - reach]; }
          workgroupBarrier();
          sums[lane_index] = mine;
        }
        out[me] = sums[lane_index];
      }`,
    run: { functions: { square }, buffers: out(8), laneCount: 4, waveCount: 2 },
    leaves: {
      out: each(
        8,
        (me) => each(1 + me % 4, (back) => (me - back + 8) ** 2).reduce((sum, x) => sum + x),
      ),
    },
  },
  ...["finish();", "go(END);"].map((end): Program => ({
    name: `${end} ends a lane when what it has asked for is done`,
    source: `${INCREMENT}${OUT}
      fn step_0() { packet_set(0u, 41u); call(40000u); ${end} if false { go(0u); } }
      fn step_1() { out[0] = 7u; }`,
    run: { functions: { increment }, buffers: out(1), laneCount: 2, waveCount: 2 },
    calls: each(4, () => "increment(41)"),
    counts: { packetCount: 2 },
    leaves: { out: [0] },
  })),
  {
    name: "casts cost no suspension",
    source: `@cast @service(50000) fn note(); struct Frame { count: u32 }
      fn step_0() { if frame.count == 10u { go(END); return; } frame.count++; cast_call(50000u); go(0u); }`,
    run: {
      functions: { note: () => {} },
      ...{ portCount: 64, laneCount: 1, waveCount: 4, searchAttempts: 64 },
    },
    not: { live: "no option searchAttempts", subgroups: "no option searchAttempts" },
    calls: each(40, () => "note()"),
    counts: { epochCount: 1, packetCount: 40 },
  },
  {
    name: "scarce ports are never idle",
    source: "@service fn ask(); fn kernel() { ask(); }",
    run: { functions: { ask: () => {} }, portCount: 2, laneCount: 2, waveCount: 600 },
    counts: { packetCount: 600 },
  },
  {
    name: "a kernel that asks for ever is stopped at its epoch limit",
    source: `${SQUARE}fn kernel() { loop { if square(1u) == 9u { break; } } }`,
    run: { functions: { square }, laneCount: 1, epochsMax: 20 },
    fails: ["TimeoutError", "within 20 epochs"],
    not: { live: "no option epochsMax here", subgroups: "no option epochsMax here" },
  },
  {
    name: "a kernel that never asks is stopped at its epoch limit too",
    source: "fn step_0() { go(0u); }",
    run: { laneCount: 1, epochsMax: 3, turnsMax: 2 },
    fails: ["TimeoutError", "its waves are limited"],
    not: { live: "no option", subgroups: "no option" },
  },
  {
    name: "waves that wait are stopped at their limit of rounds",
    source: `${SQUARE}fn kernel() { _ = square(1u); }`,
    run: () => ({
      functions: { square: () => new Promise((resolve) => setTimeout(resolve, 100, 1)) },
      ...{ laneCount: 1, roundsMax: 300 },
    }),
    fails: ["TimeoutError", "1 of 1 waves waited for longer than roundsMax"],
    not: { epochs: "no option roundsMax here: a wave is saved while it waits" },
  },
];
