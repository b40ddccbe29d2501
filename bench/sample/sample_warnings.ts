import { median } from "simple-statistics";
import { durationText } from "../record/duration_text.ts";

/** A control that moves by this within a run says that the machine has changed. */
const JUMP_RATIO = 1.25;
/** Samples on each side of a jump: fewer are an outlier. */
const JUMP_SAMPLES_MIN = 8;
/** Places where a jump is looked for: each costs two medians. */
const JUMP_LOOKS_MAX = 200;
const OUTLIER_RATIO = 2;
const OUTLIER_SHARE_MAX = 0.1;

/**
 * What is doubtful about the samples of a control, in sentences: a jump of its level or stalls, and
 * samples that cannot be of two cores.
 * Paired ratios bear both; figures in seconds do not.
 *
 * @param options `onAdapter` where the control is a dispatch, which joins no two threads of ours
 *
 * @example
 * ```ts
 * import { controlDoubts } from "./sample_warnings.ts";
 * const near = Array.from({ length: 20 }, () => 100e-9);
 * const far = Array.from({ length: 20 }, () => 400e-9);
 * const [doubt] = controlDoubts([...near, ...far]);
 * if (!doubt?.includes("from 100 ns to 400 ns at sample 21 of 40")) throw new Error(doubt);
 * ```
 */
export function controlDoubts(
  controlSeconds: readonly number[],
  options: { readonly onAdapter?: boolean } = {},
): string[] {
  const jumps = jumpDoubts(controlSeconds);
  return [
    ...(jumps.length > 0 ? jumps : stallDoubts(controlSeconds, "The control")),
    ...(options.onAdapter ? [] : sharedCoreDoubts(controlSeconds)),
  ];
}

/** Splits the samples where two levels describe them best, and looks how far these are apart. */
function jumpDoubts(seconds: readonly number[]): string[] {
  let best = { at: 0, misfit: Infinity };
  const stride = Math.ceil(seconds.length / JUMP_LOOKS_MAX);
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

/** How far the samples lie from their median, in factors, all added up. */
function misfitOf(seconds: readonly number[]): number {
  const level = median([...seconds]);
  return seconds.reduce((sum, one) => sum + Math.abs(Math.log(one / level)), 0);
}

/** Flags between two cores take a tenth of this at worst: threads that take longer share a core. */
export const SHARED_CORE_SECONDS = 5e-6;

function sharedCoreDoubts(seconds: readonly number[]): string[] {
  const count = seconds.filter((one) => one > SHARED_CORE_SECONDS).length;
  if (count === 0) return [];
  return [
    `Both threads shared a core in ${count} of ${seconds.length} samples of the control: those ` +
    "measure the scheduler",
  ];
}

/** Says so when many samples took far longer than the median. */
export function stallDoubts(seconds: readonly number[], whose: string): string[] {
  if (seconds.length === 0) return [];
  const limit = OUTLIER_RATIO * median([...seconds]);
  const count = seconds.filter((one) => one > limit).length;
  if (count <= OUTLIER_SHARE_MAX * seconds.length) return [];
  return [
    `${whose} took over ${OUTLIER_RATIO} times its median in ${count} of ${seconds.length} samples: ` +
    "something else ran on the machine",
  ];
}
