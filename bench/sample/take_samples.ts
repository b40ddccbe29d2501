import type { Trial } from "../../scenarios/scenario.ts";
import type { Clock } from "./clock.ts";
import { timeBatch } from "./lap.ts";
import type { StoppingCriterion } from "./stopping.ts";

/** A warm trial and how many calls make one of its samples. */
export interface Contestant {
  readonly trial: Trial;
  readonly callsPerSample: number;
}

/**
 * Samples the contestants in turn, so that whatever the machine does meanwhile happens to all of
 * them: sample `i` of one pairs with sample `i` of each other. Every second round goes backwards, and
 * a drift within a round cancels out.
 *
 * @param contestants the trial, then the floor that the criterion takes its ratio to, then others
 * @returns seconds a call, in the order taken, for each contestant
 */
export async function takeSamples(
  contestants: readonly Contestant[],
  options: { readonly criterion: StoppingCriterion; readonly clock: Clock },
): Promise<number[][]> {
  const { criterion, clock } = options;
  const samples = contestants.map((): number[] => []);
  const forward = contestants.map((_, index) => index);
  const begin = clock();
  for (let round = 0; criterion.reason === undefined; round++) {
    for (const index of round % 2 === 0 ? forward : forward.toReversed()) {
      samples[index]!.push(await sampleOf(contestants[index]!, clock));
    }
    const floor = samples[1]?.[round] ?? 1;
    criterion.add(samples[0]![round]! / floor, clock() - begin);
  }
  return samples;
}

async function sampleOf({ trial, callsPerSample }: Contestant, clock: Clock): Promise<number> {
  return await timeBatch(trial, { callCount: callsPerSample, clock }) / callsPerSample;
}
