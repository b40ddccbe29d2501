import type { Trial } from "../../scenarios/scenario.ts";
import { type Clock, timeBatch } from "./batch.ts";
import type { StoppingCriterion } from "./stopping.ts";

/** A trial that is warm, and how many calls make one of its samples. */
export interface WarmTrial {
  readonly trial: Trial;
  readonly callsPerSample: number;
}

/**
 * Samples several trials in turn, so that a change of the machine meets all of them: sample `i` of
 * one trial pairs with sample `i` of each other. Every second round runs in the opposite order, so
 * that a steady drift of the machine favours none of them.
 *
 * @param trials the trial, then the floor that the criterion takes its ratio to, then references
 * @returns seconds a call, in the order taken, for each trial
 */
export async function takeSamples(
  trials: readonly WarmTrial[],
  options: { readonly criterion: StoppingCriterion; readonly clock: Clock },
): Promise<number[][]> {
  const { criterion, clock } = options;
  const samples = trials.map((): number[] => []);
  const forward = trials.map((_, index) => index);
  const begin = clock();
  for (let round = 0; criterion.reason === undefined; round++) {
    for (const index of round % 2 === 0 ? forward : forward.toReversed()) {
      samples[index]!.push(await sampleOf(trials[index]!, clock));
    }
    const floor = samples[1]?.[round] ?? 1;
    criterion.add(samples[0]![round]! / floor, clock() - begin);
  }
  return samples;
}

async function sampleOf({ trial, callsPerSample }: WarmTrial, clock: Clock): Promise<number> {
  return await timeBatch(trial, { callCount: callsPerSample, clock }) / callsPerSample;
}
