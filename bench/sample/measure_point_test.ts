import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertLess,
  assertMatch,
  assertRejects,
} from "@std/assert";
import type { Point } from "../../scenarios/axis.ts";
import type { Control, Scenario } from "../../scenarios/scenario.ts";
import type { NoiseMeter } from "../machine/noise.ts";
import { measurePoint, type PointBudget } from "./measure_point.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

const budget: PointBudget = {
  seconds: 1,
  sampleSeconds: 0.002,
  samplesMin: 20,
  samplesMax: 50,
  relativeErrorMax: -1, // never precise enough: samples or time decide
  heapCallsMax: 0,
};
/** A machine on which nothing else happens. */
const calm = { otherShare: 0, stealShare: 0, wallStepSeconds: 0, collectedBytes: 0 };
function watch(): Pick<NoiseMeter, "stop"> {
  return { stop: () => calm };
}

type Latency = (batchIndex: number) => number;

function simulated(
  time: SimulatedTime,
  latencies: { readonly trial: Latency; readonly floor: Latency; readonly other: Latency },
): Scenario {
  const [floor, other] = (["floor", "other"] as const).map((name): Control => ({
    name,
    setup: () => Promise.resolve(time.trial(name, latencies[name])),
  }));
  return {
    name: "simulated",
    question: "Is it real?",
    axes: {},
    floor: floor!,
    references: [other!],
    setup: () => Promise.resolve(time.trial("trial", latencies.trial)),
  };
}

Deno.test("measurePoint() names the floor and the references, all samples in pairs", async () => {
  const time = new SimulatedTime();
  const scenario = simulated(time, { trial: () => 2e-7, floor: () => 1e-7, other: () => 5e-5 });
  const measured = await measurePoint(scenario, { point: {}, budget, clock: time.clock, watch });
  assertEquals(measured.control, "floor");
  assertEquals(Object.keys(measured.references), ["other"]);
  for (const samples of [measured.controlSeconds, measured.references.other!.latencySeconds]) {
    assertEquals(samples.length, measured.latencySeconds.length);
  }
  assertAlmostEquals(measured.latencySeconds[0]! / measured.controlSeconds[0]!, 2);
  assertAlmostEquals(measured.callsPerSample * 2e-7, budget.sampleSeconds, 1e-5);
  assertEquals(measured.warnings, []);
});

Deno.test("measurePoint() keeps to its time, and ends what it has prepared", async () => {
  const time = new SimulatedTime();
  const noisy = (batch: number) => (2 + batch % 3) * 1e-7;
  const scenario = simulated(time, { trial: noisy, floor: () => 1e-7, other: () => 5e-5 });
  const measured = await measurePoint(scenario, {
    point: {},
    budget: { ...budget, samplesMax: 1e6 },
    clock: time.clock,
    watch,
  });
  assertEquals(measured.stopReason, "time");
  assertAlmostEquals(time.seconds, budget.seconds, 0.1);
  const ended = time.log.filter((entry) => entry.endsWith("dispose"));
  assertEquals(ended, ["other dispose", "floor dispose", "trial dispose"]);
});

Deno.test("measurePoint() warns of what is doubtful", async () => {
  const time = new SimulatedTime();
  const scenario = simulated(time, {
    trial: (batch) => batch % 8 === 1 ? 1e-6 : 2e-7,
    floor: () => time.seconds > 0.5 ? 4e-7 : 1e-7,
    other: (batch) => 1e-4 * 0.98 ** batch,
  });
  const { warnings } = await measurePoint(scenario, {
    point: {},
    budget,
    clock: time.clock,
    watch,
  });
  assertMatch(warnings.join("; "), /Perhaps other was not warm: its speed moved for \d+ batches/);
  assertMatch(warnings.join("; "), /The trial took over 2 times its median/);
  assertMatch(warnings.join("; "), /The control moved from 100 ns to 400 ns/);
});

Deno.test("measurePoint() keeps what disturbed the machine, and warns of it", async () => {
  const time = new SimulatedTime();
  const scenario = simulated(time, { trial: () => 2e-7, floor: () => 1e-7, other: () => 5e-5 });
  const noise = { ...calm, stealShare: 0.5 };
  const measured = await measurePoint(scenario, {
    point: {},
    budget,
    clock: time.clock,
    watch: () => ({ stop: () => noise }),
  });
  assertEquals(measured.noise, noise);
  assertMatch(measured.warnings.join(), /The host gave 50 % of the processors' time/);
});

Deno.test("measurePoint() times single calls where they run one after another, within its time", async () => {
  const time = new SimulatedTime();
  const latencies = { trial: () => 2e-7, floor: () => 1e-7, other: () => 5e-5 };
  const options = {
    point: { size: 3 },
    budget: { ...budget, samplesMax: 1e6, singleCallsMax: 5000 },
    clock: time.clock,
    watch,
  };
  const scenario = {
    ...simulated(time, latencies),
    bytesPerCall: ({ size }: Point) => Number(size) * 100,
  };
  const measured = await measurePoint(scenario, options);
  assertEquals([measured.singleCalls!.callCount, measured.bytesPerCall], [5000, 300]);
  assertAlmostEquals(measured.singleCalls!.p99Seconds, 2e-7, 1e-9);
  assertAlmostEquals(time.seconds, budget.seconds, 0.15);
  const crowd = { ...simulated(time, latencies), sampleSecondsMin: 0.01 };
  const { singleCalls, bytesPerCall } = await measurePoint(crowd, options);
  assertEquals([singleCalls, bytesPerCall], [undefined, undefined]);
});

Deno.test("measurePoint() without a floor keeps its references, by their names", async () => {
  const time = new SimulatedTime();
  const latencies = { trial: () => 2e-7, floor: () => 1e-7, other: () => 5e-5 };
  const { floor: _, ...floorless } = simulated(time, latencies);
  const measured = await measurePoint(floorless, { point: {}, budget, clock: time.clock, watch });
  assertEquals([measured.control, measured.controlSeconds], [undefined, []]);
  assertAlmostEquals(measured.references.other!.latencySeconds[0]!, 5e-5, 1e-9);
});

Deno.test("measurePoint() without controls has samples and no ratios", async () => {
  const time = new SimulatedTime();
  const { floor: _, references: __, ...alone } = simulated(time, {
    trial: () => 2e-7,
    floor: () => 1e-7,
    other: () => 5e-5,
  });
  const measured = await measurePoint(alone, { point: {}, budget, clock: time.clock, watch });
  assertEquals([measured.control, measured.controlSeconds.length], [undefined, 0]);
  assert(measured.latencySeconds.length >= budget.samplesMin);
});

Deno.test("measurePoint() counts the heap of a scenario that says that it allocates nothing", async () => {
  const time = new SimulatedTime();
  const { floor: _, references: __, ...alone } = simulated(time, {
    trial: () => 2e-7,
    floor: () => 1e-7,
    other: () => 5e-5,
  });
  const allocationFree = { ...alone, isAllocationFree: true };
  const counting = { ...budget, heapCallsMax: 1_000_000 };
  const measured = await measurePoint(allocationFree, {
    point: {},
    budget: counting,
    clock: time.clock,
    watch,
  });
  assertEquals(measured.heapCallCount, 1_000_000);
  assert(measured.heapGrowthBytesPerCall! < 4);
  const slow = { ...allocationFree, setup: () => Promise.resolve(time.trial("slow", () => 1e-4)) };
  const few = await measurePoint(slow, { point: {}, budget: counting, clock: time.clock, watch });
  assertEquals(few.heapGrowthBytesPerCall, undefined);
});

Deno.test("measurePoint() rejects with what a scenario throws, and ends what was prepared", async () => {
  const time = new SimulatedTime();
  const scenario = simulated(time, {
    trial: () => 2e-7,
    floor: () => {
      throw new Error("no flag");
    },
    other: () => 5e-5,
  });
  const measured = measurePoint(scenario, { point: {}, budget, clock: time.clock, watch });
  await assertRejects(() => measured, Error, "no flag");
  assertEquals(time.log.filter((entry) => entry.endsWith("dispose")).length, 3);
});

Deno.test("measurePoint() counts processor time where the scenario asks for it", async () => {
  for (const countsCpuTime of [true, false]) {
    const time = new SimulatedTime();
    const plain = simulated(time, { trial: () => 2e-7, floor: () => 1e-7, other: () => 5e-5 });
    const scenario = { ...plain, countsCpuTime };
    const { cpuSecondsPerCall } = await measurePoint(scenario, {
      point: {},
      budget,
      clock: time.clock,
    });
    assertEquals((cpuSecondsPerCall ?? []).length > 0, countsCpuTime);
    assertLess(time.seconds, 1.1 * budget.seconds);
  }
});

Deno.test("measurePoint() keeps what it measured where a trial cannot be disposed, and says so", async () => {
  const time = new SimulatedTime();
  const plain = simulated(time, { trial: () => 2e-7, floor: () => 1e-7, other: () => 5e-5 });
  const setup = async (...given: Parameters<typeof plain.setup>) => {
    const trial = await plain.setup(...given);
    return { ...trial, [Symbol.asyncDispose]: () => Promise.reject(new Error("it is in use")) };
  };
  const scenario = { ...plain, setup };
  const { latencySeconds, warnings } = await measurePoint(scenario, {
    ...{ point: {}, budget, clock: time.clock, watch },
  });
  assertEquals(latencySeconds.length > 0, true);
  assertEquals(warnings.at(-1), "A trial could not be disposed: it is in use");
});

Deno.test("measurePoint() keeps what a trial counted, and joins its doubts", async () => {
  const time = new SimulatedTime();
  const findings = () => ({ counts: { weak: 2 }, warnings: ["2 were weak"] });
  const scenario: Scenario = {
    ...{ name: "counting", question: "How many?", axes: {} },
    setup: () => Promise.resolve({ ...time.trial("trial", () => 2e-7), findings }),
  };
  const { counts, warnings } = await measurePoint(scenario, {
    ...{ point: {}, budget, clock: time.clock, watch },
  });
  assertEquals([counts, warnings.includes("2 were weak")], [{ weak: 2 }, true]);
});
