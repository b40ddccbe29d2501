import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import { allPoints, pointId } from "../../scenarios/axis.ts";
import { Partner } from "../../scenarios/partner/partner.ts";
import type { Scenario, Trial } from "../../scenarios/scenario.ts";
import { benchName } from "./bench_name.ts";
import { clockSeconds } from "../sample/batch.ts";
import { placeApart } from "../machine/placement.ts";
import { warmUp } from "../sample/warm_up.ts";

/**
 * An iteration is a batch of about this length: above 10 µs `deno bench` believes its explicit
 * timers, and a batch is long against waking the other side.
 */
const BATCH_SECONDS = 0.001;
/** Of each point, before `deno bench` begins: it does not warm up code that takes over 10 µs. */
const WARM_UP_SECONDS = 0.2;

/**
 * Registers every point of a scenario with `Deno.bench`, its floor first. For the ecosystem's sake:
 * `deno bench` shares one isolate among the points, keeps their order and throws the samples away,
 * so that `deno task bench` is the one to believe.
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
  const partner = new Partner();
  const cpus = allowedCpus();
  if (scenario.isPair) await placeApart(partner);
  globalThis.addEventListener("unload", () => {
    keepOnCpus(cpus); // the next file may get the same thread
    void partner[Symbol.asyncDispose]();
  });
  const batchSeconds = Math.max(BATCH_SECONDS, scenario.sampleSecondsMin ?? 0);
  const points = [...scenario.points?.() ?? allPoints(scenario.axes)];
  const [floor] = scenario.controls ?? [];
  // Among more Workers than cores the floor would measure the scheduler, for seconds a batch.
  if (floor && floor.name !== scenario.name && !scenario.sampleSecondsMin) {
    const trial = await floor.setup(points[0]!, partner);
    await register(trial, { name: floor.name, id: "", batchSeconds });
  }
  for (const point of points) {
    const trial = await scenario.setup(point, partner);
    const id = pointId(scenario.axes, point);
    await register(trial, { name: scenario.name, id, batchSeconds });
  }
}

interface BenchOf {
  readonly name: string;
  readonly id: string;
  readonly batchSeconds: number;
}

async function register(trial: Trial, bench: BenchOf): Promise<void> {
  const { name, id, batchSeconds } = bench;
  const { callsPerSample: callsInTime } = await warmUp(trial, {
    sampleSeconds: batchSeconds,
    secondsMax: WARM_UP_SECONDS,
    clock: clockSeconds,
  });
  const callsPerSample = roundNumber(callsInTime);
  Deno.bench({
    // No group and no baseline: `deno bench` would compare iterations of different call counts.
    name: benchName({ scenario: name, pointId: id, callsPerSample }),
    async fn(bench) {
      trial.wake?.();
      bench.start();
      const running = trial.run(callsPerSample);
      if (running) await running;
      bench.end();
      trial.rest?.();
    },
  });
}

/** A power of ten, so that the same point has the same name from run to run. */
function roundNumber(callCount: number): number {
  return 10 ** Math.floor(Math.log10(callCount));
}
