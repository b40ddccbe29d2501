import { allPoints, type Point, pointId } from "../../scenarios/axis.ts";
import { checkTrial } from "../../scenarios/check_scenario.ts";
import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import { Partner } from "../../scenarios/partner/partner.ts";
import {
  type Control,
  hasFixedFloor,
  type Scenario,
  type Trial,
} from "../../scenarios/scenario.ts";
import { bringGpu } from "../adapters/bring_gpu.ts";
import { placeApart } from "../machine/machine.ts";
import { clockSeconds, warmUp } from "../sample/take_samples.ts";
import { benchName } from "./deno_bench_json.ts";

/** Wanted length of a batch of the warm-up, from which the time of a call is known. */
const BATCH_SECONDS = 0.001;
/** For each point, before `deno bench` begins: it does not warm up code that takes over 10 µs. */
const WARM_UP_SECONDS = 0.2;
/** The slowest trial's iteration takes this at most: `deno bench` makes a dozen or more. */
const ITERATION_SECONDS_MAX = 0.1;
/** For all benches of a file together: `deno bench -A` ends within a minute or so. */
const BENCHES_SECONDS = 40;
/** As long as `deno bench` takes for one by itself. */
const BENCH_SECONDS_MAX = 0.5;
/** Iterations from which the time of one is known. */
const TRIED_ITERATIONS = 3;
/** Iterations of a bench at least: fewer make no percentile. */
const ITERATIONS_MIN = 10;
/** The fastest trial's takes this at least: `deno bench` ignores `bench.start()` below 10 µs. */
const ITERATION_SECONDS_MIN = 50e-6;

/**
 * Registers every point of some scenarios with `Deno.bench`, each scenario with its floor first, for
 * those who know its tables. All benches make the same number of calls in an iteration, so that the
 * times in a table can be compared by eye; register all scenarios of a file at once. `deno bench`
 * measures all points in one isolate, keeps their order and throws the samples away: figures to rely
 * on come from `deno task bench`.
 *
 * @example
 * ```ts
 * // in a file named `..._bench.ts`, which `deno bench -A` runs
 * import { pingPong } from "../../scenarios/worker/ping_pong.ts";
 * import { registerBenches } from "./register_benches.ts";
 * await registerBenches(pingPong);
 * ```
 */
export async function registerBenches(...scenarios: readonly Scenario[]): Promise<void> {
  const prepared: PreparedBench[] = [];
  for (const scenario of scenarios) prepared.push(...await prepare(scenario));
  const callsPerSample = commonCallCount(prepared.map(({ secondsPerCall }) => secondsPerCall));
  const seconds = Math.min(BENCH_SECONDS_MAX, BENCHES_SECONDS / prepared.length);
  for (const bench of prepared) {
    const iterationSeconds = await secondsOf(bench, callsPerSample);
    const iterations = Math.max(ITERATIONS_MIN, Math.round(seconds / iterationSeconds));
    register(bench, { callsPerSample, iterations });
  }
}

/** A trial that is warm, and what it is called. */
interface PreparedBench {
  readonly trial: Trial;
  /** Name of the scenario whose point or floor it is. */
  readonly group: string;
  /** Whether it is the floor of the group. */
  readonly isFloor: boolean;
  readonly name: string;
  readonly id: string;
  readonly secondsPerCall: number;
  /** Processors on which this thread runs the trial. */
  readonly cpus: readonly number[];
}

async function prepare(scenario: Scenario): Promise<PreparedBench[]> {
  if (scenario.needsAdapter) await bringGpu();
  const partner = new Partner();
  const allCpus = allowedCpus();
  const placement = scenario.isPair ? await placeApart(partner) : undefined;
  globalThis.addEventListener("unload", () => {
    keepOnCpus(allCpus); // the next file may run on the same thread
    void partner[Symbol.asyncDispose]();
  });
  const sampleSeconds = Math.max(BATCH_SECONDS, scenario.sampleSecondsMin ?? 0);
  const cpus = placement ? [placement.clientCpu] : allCpus;
  const points = [...scenario.points?.() ?? allPoints(scenario.axes)]
    .filter((point) => scenario.skip?.(point) === undefined);
  const benches: PreparedBench[] = [];
  async function warm(control: Control, point: Point, isFloor: boolean): Promise<void> {
    const trial = checkTrial(await control.setup(point, partner), control.name);
    const { callsPerSample } = await warmUp(trial, {
      name: control.name,
      sampleSeconds,
      secondsMax: WARM_UP_SECONDS,
      clock: clockSeconds,
    });
    benches.push({
      trial,
      group: scenario.name,
      isFloor,
      name: control.name,
      id: isFloor ? "" : pointId(scenario.axes, point),
      secondsPerCall: sampleSeconds / callsPerSample,
      cpus,
    });
  }
  const { floor } = scenario;
  // A floor that follows the point is another one at each. And among more Workers than cores it would
  // measure the scheduler, for seconds a batch.
  const isOther = floor?.name !== scenario.name && !scenario.sampleSecondsMin;
  if (floor && isOther && hasFixedFloor(scenario)) {
    await warm(floor, points[0]!, true);
  }
  for (const point of points) await warm(scenario, point, false);
  // Workers inherit the processors of the thread that starts them: those of the next scenario would
  // all share the one processor that this thread is kept on.
  keepOnCpus(allCpus);
  return benches;
}

/** An iteration with what is not timed of it: to wake a partner and to send it to sleep. */
async function secondsOf(
  { trial, cpus }: PreparedBench,
  callsPerSample: number,
): Promise<number> {
  stayOn(cpus);
  const begin = clockSeconds();
  for (let iteration = 0; iteration < TRIED_ITERATIONS; iteration++) {
    trial.wake?.();
    await trial.run(callsPerSample);
    trial.rest?.();
  }
  return (clockSeconds() - begin) / TRIED_ITERATIONS;
}

function register(
  bench: PreparedBench,
  { callsPerSample, iterations }: { readonly callsPerSample: number; readonly iterations: number },
): void {
  const { trial, group, isFloor, name, id, cpus } = bench;
  Deno.bench({
    name: benchName({ scenario: name, pointId: id, callsPerSample }),
    group,
    baseline: isFloor,
    n: iterations,
    warmup: 1, // it is warm
    async fn(bench) {
      stayOn(cpus);
      trial.wake?.();
      bench.start();
      const running = trial.run(callsPerSample);
      if (running) await running;
      bench.end();
      trial.rest?.();
    },
  });
}

let currentCpus: readonly number[] | undefined;

/** Moves this thread when another scenario's benches begin, and does nothing between iterations. */
function stayOn(cpus: readonly number[]): void {
  if (cpus === currentCpus) return;
  keepOnCpus(cpus);
  currentCpus = cpus;
}

/**
 * A count of calls for all: the largest power of ten with which the slowest takes no too long, or the
 * smallest with which the fastest takes long enough, where the two are too far apart.
 */
export function commonCallCount(secondsPerCall: readonly number[]): number {
  const most = ITERATION_SECONDS_MAX / Math.max(...secondsPerCall);
  const least = ITERATION_SECONDS_MIN / Math.min(...secondsPerCall);
  return Math.max(
    1,
    10 ** Math.floor(Math.log10(most)),
    10 ** Math.ceil(Math.log10(least)),
  );
}
