import { median } from "simple-statistics";
import type { Trial } from "../../scenarios/scenario.ts";
import { durationText } from "../record/record.ts";
import { callsPerBatch, clockSeconds, timeBatch } from "./take_samples.ts";

/** A call that takes longer than some cycles does something. */
const NOTHING_SECONDS_MAX = 2e-9;
/** What takes up to this many times an empty call is no more than the loop around it. */
const EMPTY_RATIO_MAX = 1.3;
const BATCHES = 5;
const BATCH_SECONDS = 0.0005;

/**
 * Says so where calls cost no more than empty ones: what is not used of a result may not have been computed
 * at all.
 *
 * @param seconds a call, of each sample
 * @param options `whose` names the trial; `emptySeconds` replaces what is measured here, in tests
 */
export async function emptyWarnings(
  seconds: readonly number[],
  options: { readonly whose: string; readonly emptySeconds?: number },
): Promise<string[]> {
  const taken = median([...seconds]);
  if (taken > NOTHING_SECONDS_MAX) return [];
  const { whose, emptySeconds = await emptyCallSeconds() } = options;
  if (taken > EMPTY_RATIO_MAX * emptySeconds) return [];
  return [
    `A call of ${whose} costs ${
      durationText(taken)
    }, no more than an empty one: perhaps its work was ` +
    "compiled away, as nobody uses what it makes",
  ];
}

/** The time of a call that does nothing: the turn of a loop. */
async function emptyCallSeconds(): Promise<number> {
  const trial: Trial = {
    run(callCount) {
      for (let call = 0; call < callCount; call++);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const clock = clockSeconds;
  const callCount = await callsPerBatch(trial, { sampleSeconds: BATCH_SECONDS, clock });
  const batches: number[] = [];
  while (batches.length < BATCHES) {
    batches.push(await timeBatch(trial, { callCount, clock }) / callCount);
  }
  return median(batches);
}
