import process from "node:process";
import { type Clock, timeBatch } from "./batch.ts";
import type { WarmTrial } from "./take_samples.ts";

const MICROSECONDS = 1e6;
/** As many batches as make a steady median; fewer where the time is over before. */
const BATCHES_MAX = 20;

/** Seconds that all threads of this process have had a processor, whichever it was. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS;
}

/**
 * The processor time of one call, of both sides together: a side that waits in a busy loop has it, too.
 * The trial is not sampled for its time meanwhile.
 *
 * @returns seconds a call, for each batch; one at least
 *
 * @example
 * ```ts
 * import { measureCpuTime } from "./cpu_time.ts";
 * let sum = 0;
 * const trial = {
 *   run(callCount: number) {
 *     for (let call = 0; call < callCount; call++) sum += Math.sqrt(call);
 *   },
 *   [Symbol.asyncDispose]: () => Promise.resolve(),
 * };
 * const warmTrial = { trial, callsPerSample: 1_000_000 };
 * const [seconds] = await measureCpuTime(warmTrial, { secondsMax: 0, clock: () => 0 });
 * if (!(seconds! > 0)) throw new Error("square roots take time");
 * ```
 */
export async function measureCpuTime(
  { trial, callsPerSample }: WarmTrial,
  options: { readonly secondsMax: number; readonly clock: Clock; readonly cpuClock?: Clock },
): Promise<number[]> {
  const { secondsMax, clock, cpuClock = cpuSeconds } = options;
  const batch = { callCount: callsPerSample, clock: cpuClock };
  const end = clock() + secondsMax;
  const perCall: number[] = [];
  do {
    perCall.push(await timeBatch(trial, batch) / callsPerSample);
  } while (perCall.length < BATCHES_MAX && clock() < end);
  return perCall;
}
