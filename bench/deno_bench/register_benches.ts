import { allPoints, pointId } from "../../scenarios/axis.ts";
import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import { Partner } from "../../scenarios/partner/partner.ts";
import type { Scenario, Trial } from "../../scenarios/scenario.ts";
import { bringGpu } from "../adapters/bring_gpu.ts";
import { placeApart } from "../machine/placement.ts";
import { clockSeconds } from "../sample/batch.ts";
import { warmUp } from "../sample/warm_up.ts";
import { benchName } from "./deno_bench_json.ts";

/**
 * Wanted length of an iteration, which is a batch of calls. `deno bench` ignores `bench.start()` and
 * `bench.end()` below 10 µs; and a batch has to be far longer than the first call, which wakes the
 * other side.
 */
const BATCH_SECONDS = 0.001;
/** For each point, before `deno bench` begins: it does not warm up code that takes over 10 µs. */
const WARM_UP_SECONDS = 0.2;

/**
 * Registers every point of a scenario with `Deno.bench`, its floor first, for those who know its
 * tables. `deno bench` measures all points in one isolate, keeps their order and throws the samples
 * away: figures to rely on come from `deno task bench`.
 *
 * @example
 * ```ts
 * // in a file named `..._bench.ts`, which `deno bench -A` runs
 * import { pingPong } from "../../scenarios/worker/ping_pong.ts";
 * import { registerBenches } from "./register_benches.ts";
 * await registerBenches(pingPong);
 * ```
 */
export async function registerBenches(scenario: Scenario): Promise<void> {
  if (scenario.needsAdapter) await bringGpu();
  const partner = new Partner();
  const allCpus = allowedCpus();
  const placement = scenario.isPair ? await placeApart(partner) : undefined;
  globalThis.addEventListener("unload", () => {
    keepOnCpus(allCpus); // the next file may run on the same thread
    void partner[Symbol.asyncDispose]();
  });
  const batchSeconds = Math.max(BATCH_SECONDS, scenario.sampleSecondsMin ?? 0);
  const cpus = placement ? [placement.clientCpu] : allCpus;
  const points = [...scenario.points?.() ?? allPoints(scenario.axes)]
    .filter((point) => scenario.skip?.(point) === undefined);
  const { floor } = scenario;
  // Among more Workers than cores the floor would measure the scheduler, for seconds a batch.
  if (floor && floor.name !== scenario.name && !scenario.sampleSecondsMin) {
    const trial = await floor.setup(points[0]!, partner);
    await register(trial, { name: floor.name, id: "", batchSeconds, cpus });
  }
  for (const point of points) {
    const trial = await scenario.setup(point, partner);
    const id = pointId(scenario.axes, point);
    await register(trial, { name: scenario.name, id, batchSeconds, cpus });
  }
  // Workers inherit the processors of the thread that starts them: those of the next scenario would
  // all share the one processor that this thread is kept on.
  keepOnCpus(allCpus);
}

interface BenchOf {
  readonly name: string;
  readonly id: string;
  readonly batchSeconds: number;
  /** Processors on which this thread runs the trial. */
  readonly cpus: readonly number[];
}

async function register(trial: Trial, bench: BenchOf): Promise<void> {
  const { name, id, batchSeconds, cpus } = bench;
  const { callsPerSample: callsInTime } = await warmUp(trial, {
    sampleSeconds: batchSeconds,
    secondsMax: WARM_UP_SECONDS,
    clock: clockSeconds,
  });
  const callsPerSample = powerOfTen(callsInTime);
  Deno.bench({
    // No group and no baseline: `deno bench` would compare iterations of different call counts.
    name: benchName({ scenario: name, pointId: id, callsPerSample }),
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

/** The power of ten below a count, so that a point has the same name from run to run. */
function powerOfTen(callCount: number): number {
  return 10 ** Math.floor(Math.log10(callCount));
}
