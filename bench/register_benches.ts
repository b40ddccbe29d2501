import { allPoints, type Point, pointId } from "../scenarios/axis.ts";
import { Partner } from "../scenarios/partner.ts";
import type { Scenario, Trial } from "../scenarios/scenario.ts";
import { callsPerBatch } from "./batch.ts";
import { benchName } from "./bench_name.ts";
import { clockSeconds } from "./clock.ts";

/**
 * An iteration is a batch of about this length: above 10 µs `deno bench` believes its explicit
 * timers, and a batch is long against waking the other side.
 */
const BATCH_SECONDS = 0.001;

/**
 * Registers every point of a scenario with `Deno.bench`, and its floor as the group's baseline. For
 * the ecosystem's sake: `deno bench` shares one isolate among the points, keeps their order and
 * throws the samples away, so that `deno task bench` is the one to believe.
 *
 * @example
 * ```ts
 * // in a file named `..._bench.ts`, which `deno bench -A` runs
 * import { pingPong } from "../scenarios/ping_pong.ts";
 * import { registerBenches } from "./register_benches.ts";
 * await registerBenches(pingPong);
 * ```
 */
export async function registerBenches(scenario: Scenario): Promise<void> {
  const partner = new Partner();
  globalThis.addEventListener("unload", () => void partner[Symbol.asyncDispose]());
  const points = [...scenario.points?.() ?? allPoints(scenario.axes)];
  const [floor] = scenario.controls ?? [];
  if (floor && floor.name !== scenario.name) {
    const trial = await floor.setup(points[0]!, partner);
    await register(trial, { name: floor.name, id: "", group: scenario.name, isBaseline: true });
  }
  for (const point of points) {
    const trial = await scenario.setup(point, partner);
    await register(trial, benchOf(scenario, point));
  }
}

interface BenchOf {
  readonly name: string;
  readonly id: string;
  readonly group: string;
  readonly isBaseline: boolean;
}

function benchOf({ name, axes }: Scenario, point: Point): BenchOf {
  return { name, id: pointId(axes, point), group: name, isBaseline: false };
}

async function register(trial: Trial, { name, id, group, isBaseline }: BenchOf): Promise<void> {
  const callsPerSample = roundNumber(
    await callsPerBatch(trial, { sampleSeconds: BATCH_SECONDS, clock: clockSeconds }),
  );
  Deno.bench({
    name: benchName({ scenario: name, pointId: id, callsPerSample }),
    group,
    baseline: isBaseline,
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
