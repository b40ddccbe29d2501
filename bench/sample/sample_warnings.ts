import { median } from "simple-statistics";
import { durationText } from "../record/record.ts";

/** The speed of the machine has changed when two levels of the control differ by this factor. */
const JUMP_RATIO = 1.25;
/** Samples on each side of a jump. Fewer are outliers. */
const JUMP_SAMPLES_MIN = 8;
/** Places that are tried for a jump at most, because each costs two medians. */
const JUMP_PLACES_MAX = 200;
/** A sample that takes longer than this many medians has stalled. */
const STALL_RATIO = 2;
/** Up to this share of stalled samples there is no warning. */
const STALL_SHARE_MAX = 0.1;

/**
 * What is doubtful about the samples of a control, in sentences: its level jumps, many samples stall,
 * or the two threads have shared a core. Jumps and stalls leave the ratio to the control usable,
 * because the trial was sampled in turn with it. They spoil figures in seconds.
 *
 * @param controlSeconds seconds a call, in the order taken
 * @param options `isPair` where the control is an exchange of two threads, which may share a core
 */
export function controlWarnings(
  controlSeconds: readonly number[],
  options: { readonly isPair?: boolean } = {},
): string[] {
  const jumps = jumpWarnings(controlSeconds);
  return [
    ...(jumps.length > 0 ? jumps : stallWarnings(controlSeconds, "The control")),
    ...(options.isPair ? sharedCoreWarnings(controlSeconds) : []),
  ];
}

/** Splits the samples where two levels describe them best, and compares the two levels. */
function jumpWarnings(seconds: readonly number[]): string[] {
  let best = { at: 0, misfit: Infinity };
  const stride = Math.ceil(seconds.length / JUMP_PLACES_MAX);
  for (let at = JUMP_SAMPLES_MIN; at <= seconds.length - JUMP_SAMPLES_MIN; at += stride) {
    const misfit = misfitOf(seconds.slice(0, at)) + misfitOf(seconds.slice(at));
    if (misfit < best.misfit) best = { at, misfit };
  }
  if (best.at === 0) return [];
  const [before, after] = [median(seconds.slice(0, best.at)), median(seconds.slice(best.at))];
  if (Math.max(before / after, after / before) < JUMP_RATIO) return [];
  return [
    `The control moved from ${durationText(before)} to ${durationText(after)} at sample ` +
    `${best.at + 1} of ${seconds.length}: trust ratios only`,
  ];
}

/** Sum of the distances of the samples from their median, each as the logarithm of a factor. */
function misfitOf(seconds: readonly number[]): number {
  const level = median([...seconds]);
  return seconds.reduce((sum, one) => sum + Math.abs(Math.log(one / level)), 0);
}

/**
 * The control's threads share a core when an exchange takes longer than this, in seconds. Between
 * two cores it takes a tenth of this at most; on one core it takes time slices of the scheduler.
 */
export const SHARED_CORE_SECONDS = 5e-6;

function sharedCoreWarnings(seconds: readonly number[]): string[] {
  const count = seconds.filter((one) => one > SHARED_CORE_SECONDS).length;
  if (count === 0) return [];
  return [
    `Both threads shared a core in ${count} of ${seconds.length} samples of the control: those ` +
    "measure the scheduler",
  ];
}

/** Says so when many samples took far longer than the median. */
export function stallWarnings(seconds: readonly number[], whose: string): string[] {
  if (seconds.length === 0) return [];
  const limit = STALL_RATIO * median([...seconds]);
  const count = seconds.filter((one) => one > limit).length;
  if (count <= STALL_SHARE_MAX * seconds.length) return [];
  return [
    `${whose} took over ${STALL_RATIO} times its median in ${count} of ${seconds.length} samples: ` +
    "something else ran on the machine",
  ];
}

/** Says so when this thread was taken off its processor in many samples. */
export function preemptedWarnings(count: number, sampleCount: number): string[] {
  if (count <= STALL_SHARE_MAX * sampleCount) return [];
  return [
    `This thread waited for a processor in ${count} of ${sampleCount} samples, which others had: the ` +
    "record says which",
  ];
}

/** Disposes trials, and says so where one cannot be: what was measured is not lost then. */
export async function disposeWarnings(trials: AsyncDisposableStack): Promise<string[]> {
  try {
    await trials.disposeAsync();
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`A trial could not be disposed: ${reason}`];
  }
}
