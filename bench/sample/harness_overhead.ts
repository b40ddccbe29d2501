// What the harness adds to a call, against a loop that is written by hand:
//
//   deno run bench/sample/harness_overhead.ts
import { median } from "simple-statistics";
import type { Trial } from "../../scenarios/scenario.ts";
import { PrecisionCriterion } from "./stopping.ts";
import { callsPerBatch, type Clock, clockSeconds, takeSamples } from "./take_samples.ts";

/** As long as a sample of an ordinary sweep. */
const SAMPLE_SECONDS = 0.002;
const ONE_SAMPLE = { samplesMin: 1, samplesMax: 1, secondsMax: 1, relativeErrorMax: 1 };
/** A call, in two forms that do the same. */
export interface Measured {
  /** As a scenario prepares it. */
  readonly trial: Trial;
  /** The loop of somebody who needs no harness. */
  readonly byHand: (callCount: number) => void;
}

/**
 * Times a call by the harness and by hand, in turn.
 *
 * @returns for each round the time by the harness in that by hand
 */
export async function harnessRatios(
  { trial, byHand }: Measured,
  options: { readonly rounds: number; readonly clock?: Clock },
): Promise<number[]> {
  const { rounds, clock = clockSeconds } = options;
  const sampleSeconds = SAMPLE_SECONDS;
  const callsPerSample = await callsPerBatch(trial, { sampleSeconds, clock });
  const ratios: number[] = [];
  while (ratios.length < rounds) {
    const [[sample] = []] = await takeSamples([{ trial, callsPerSample }], {
      criterion: new PrecisionCriterion(ONE_SAMPLE),
      clock,
    });
    const begin = clock();
    byHand(callsPerSample);
    ratios.push(sample! / ((clock() - begin) / callsPerSample));
  }
  return ratios;
}

/** Steps of a generator of random numbers that take about 200 ns: they cannot be left out. */
const STEPS = 100;

function work(state: number): number {
  for (let step = 0; step < STEPS; step++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
}

/** The median with its interval of 95 %, by the ranks of the samples alone. */
function medianRange(values: readonly number[]): Readonly<Record<"center" | "lo" | "hi", number>> {
  const sorted = values.toSorted((left, right) => left - right);
  const reach = 1.96 * Math.sqrt(sorted.length) / 2;
  const [lo, hi] = [-reach, reach].map((step) => sorted[Math.round(sorted.length / 2 + step)]!);
  return { center: median(sorted), lo: lo!, hi: hi! };
}

async function main(): Promise<void> {
  let state = 1;
  const trial: Trial = {
    run(callCount) {
      for (let call = 0; call < callCount; call++) state = work(state);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  function byHand(callCount: number): void {
    for (let call = 0; call < callCount; call++) state = work(state);
  }
  await harnessRatios({ trial, byHand }, { rounds: 50 }); // compiles both
  const begin = clockSeconds();
  byHand(100_000);
  const nanoseconds = (clockSeconds() - begin) * 1e4;
  const { center, lo, hi } = medianRange(await harnessRatios({ trial, byHand }, { rounds: 1000 }));
  const percent = (ratio: number) => `${(100 * (ratio - 1)).toFixed(2)} %`;
  const text = `a call of ${nanoseconds.toFixed(0)} ns: the harness adds ${percent(center)}, ` +
    `${percent(lo)} to ${percent(hi)} with 95 % confidence\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(text + (state === 0 ? " " : "")));
}

if (import.meta.main) await main();
