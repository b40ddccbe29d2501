// Runs whose truth is known, as records: how often does a comparison say what is not so, and how often
// does it find what is?
//
//   deno run -A results/statistics/testdata/simulated_runs.ts 1000
import type { RunRecord } from "../../../bench/record/record.ts";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { seededRandom } from "../../../bench/sweep/plan_sweep.ts";
import { compareRuns } from "../../report/compare_runs.ts";

/** How a machine and its rounds are. Shares are standard deviations of logarithms. */
export interface Law {
  /** How far rounds lie apart: the call, and the floor on its own. */
  readonly roundShare: number;
  readonly floorShare: number;
  /** How many samples have a tail by Pareto's law, of exponent 1.2. */
  readonly tailShare: number;
  /** How many rounds are of a tail by Student's law with 2 degrees of freedom, in place of a bell. */
  readonly hasWildRounds: boolean;
  /** By which the second run is slower, call and floor alike; more within a run. */
  readonly drift: number;
  readonly driftWithin: number;
  /** By which the floor is longer in half of the rounds, and whether the call is, too. */
  readonly modeFactor: number;
  readonly isCallInModes: boolean;
  /** By which the call is longer in a share of the rounds, as processes may be of two kinds. */
  readonly kindFactor: number;
  readonly kindShare: number;
  /** By which one round of each run is slower, call and floor alike or the call alone. */
  readonly badFactor: number;
  readonly isFloorBad: boolean;
}

const USUAL: Law = {
  ...{ roundShare: 0.02, floorShare: 0.02, tailShare: 0.02, hasWildRounds: false },
  ...{ drift: 0, driftWithin: 0, modeFactor: 1, isCallInModes: false },
  ...{ kindFactor: 1, kindShare: 0, badFactor: 1, isFloorBad: true },
};

/** The laws by which verdicts are judged, by their names. */
export const LAWS: Readonly<Record<string, Law>> = {
  "rounds 2 % apart": USUAL,
  "a steady floor": { ...USUAL, floorShare: 0.002 },
  "heavy tails in 30 % of samples": { ...USUAL, tailShare: 0.3 },
  "rounds with heavy tails": { ...USUAL, hasWildRounds: true },
  "drift of 5 %": { ...USUAL, drift: 0.05 },
  "drift of 10 %": { ...USUAL, drift: 0.1 },
  "drift of 10 %, a steady floor": { ...USUAL, drift: 0.1, floorShare: 0.002 },
  "drift of 10 %, a floor 15 % apart": { ...USUAL, drift: 0.1, floorShare: 0.15 },
  "drift of 10 % within each run": { ...USUAL, driftWithin: 0.1 },
  "a bad round": { ...USUAL, badFactor: 3 },
  "a bad round of the call alone": { ...USUAL, badFactor: 3, isFloorBad: false },
  "a floor of two modes": { ...USUAL, modeFactor: 2 },
  "two modes, and a drift of 8 %": { ...USUAL, modeFactor: 2, drift: 0.08 },
  "two modes of call and floor": { ...USUAL, modeFactor: 4, isCallInModes: true },
  "a bad round, half as slow again": { ...USUAL, badFactor: 1.5, isFloorBad: false },
  "half of processes slower by 20 %": { ...USUAL, kindFactor: 1.2, kindShare: 0.5 },
  "a fifth slower by half": { ...USUAL, kindFactor: 1.5, kindShare: 0.2, floorShare: 0.002 },
  "rounds 10 % apart": { ...USUAL, roundShare: 0.1, floorShare: 0.1 },
};

const SAMPLES = 30;
/** A call takes ten floors. */
const CALL_SECONDS = 1e-6;
const FLOOR_SECONDS = 1e-7;

/** What is simulated beside the law. */
export interface SimulatedRun {
  readonly seed: number;
  readonly roundCount: number;
  /** 1 for the first run. */
  readonly factor: number;
  /** Whether it is the later run, on which a drift falls. */
  readonly isLater: boolean;
  readonly pointCount?: number;
}

/** The records of a run under a law. */
export function simulatedRun(law: Law, run: SimulatedRun): RunRecord[] {
  const { seed, roundCount, isLater, pointCount = 1 } = run;
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const tail = () => random() < law.tailShare ? (1 - random()) ** (-1 / 1.2) : 1;
  const spread = (share: number) => {
    const width = law.hasWildRounds ? share / Math.sqrt(-Math.log(1 - random())) : share;
    return Math.exp(width * normal());
  };
  const bad = law.badFactor > 1 ? Math.floor(random() * roundCount) : -1;
  const roundsOf = (portCount: number) =>
    Array.from({ length: roundCount }, (_, round): RunRecord => {
      const machine = (isLater ? 1 + law.drift : 1) * (round === bad ? law.badFactor : 1);
      const mode = random() < 0.5 ? law.modeFactor : 1;
      const kind = random() < law.kindShare ? law.kindFactor : 1;
      const call = run.factor * kind * machine * spread(law.roundShare) *
        (law.isCallInModes ? mode : 1);
      const floor = mode * spread(law.floorShare) *
        (round === bad && !law.isFloorBad ? machine / law.badFactor : machine);
      const [latencySeconds, controlSeconds]: [number[], number[]] = [[], []];
      for (let sample = 0; sample < SAMPLES; sample++) {
        const moment = Math.exp(0.03 * normal()) *
          (1 + law.driftWithin * (round + sample / SAMPLES) / roundCount);
        latencySeconds.push(CALL_SECONDS * call * moment * tail() * Math.exp(0.03 * normal()));
        controlSeconds.push(FLOOR_SECONDS * floor * moment * tail() * Math.exp(0.03 * normal()));
      }
      const point = { portCount };
      return {
        ...sampleRecord,
        ...{ round, point, pointId: `portCount=${portCount}`, latencySeconds, controlSeconds },
        references: {},
      };
    });
  return Array.from({ length: pointCount }, (_, at) => roundsOf(at + 1)).flat();
}

/** How many of the comparisons of two simulated runs have a verdict at some point. */
export function verdictCounts(
  law: Law,
  options: Omit<SimulatedRun, "seed" | "isLater"> & { readonly comparisons: number },
): Readonly<Record<"slower" | "faster" | "same" | "alarm", number>> {
  const counts = { slower: 0, faster: 0, same: 0, alarm: 0 };
  for (let pair = 0; pair < options.comparisons; pair++) {
    const { points } = compareRuns(
      simulatedRun(law, { ...options, factor: 1, seed: 2 * pair, isLater: false }),
      simulatedRun(law, { ...options, seed: 2 * pair + 1, isLater: true }),
    );
    const verdicts = new Set(points.map(({ verdict }) => verdict));
    for (const verdict of ["slower", "faster", "same"] as const) {
      counts[verdict] += Number(verdicts.has(verdict));
    }
    counts.alarm += Number(verdicts.has("slower") || verdicts.has("faster"));
  }
  return counts;
}

function main([count = "1000"]: readonly string[]): void {
  const comparisons = Number(count);
  const percent = (part: number) => `${(100 * part / comparisons).toFixed(1)} %`;
  const lines = ["| law | rounds | alarms of equals | 8 points | 5 % found | 10 % | 20 % |"];
  for (const [name, law] of Object.entries(LAWS)) {
    for (const roundCount of [3, 5, 10]) {
      const of = (factor: number, pointCount = 1) =>
        verdictCounts(law, { roundCount, comparisons, factor, pointCount });
      const alarms = [of(1), of(1, 8)].map(({ alarm }) => percent(alarm));
      const found = [1.05, 1.1, 1.2].map((factor) => percent(of(factor).slower));
      lines.push(`| ${name} | ${roundCount} | ${[...alarms, ...found].join(" | ")} |`);
    }
  }
  console.log(lines.join("\n"));
}

if (import.meta.main) main(Deno.args);
