import { decodeFromCompressedBase64, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import type { RunRecord } from "../../bench/record/record.ts";
import {
  emptyHistogram,
  percentilesOf,
  type SingleCalls,
} from "../../bench/sample/single_calls.ts";

/**
 * The single calls of all rounds as one distribution: percentiles cannot be averaged, histograms can be
 * added. Nothing where no round has any.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { pooledCalls } from "./pooled_calls.ts";
 * if (pooledCalls([sampleRecord]).singleCalls) throw new Error("none were timed");
 * ```
 */
export function pooledCalls(
  rounds: readonly Pick<RunRecord, "singleCalls">[],
): { readonly singleCalls?: SingleCalls } {
  const timed = rounds.flatMap(({ singleCalls }) => singleCalls ?? []);
  if (timed.length < 2) return timed.length === 0 ? {} : { singleCalls: timed[0]! };
  const sum = emptyHistogram();
  for (const { histogram } of timed) sum.add(decodeFromCompressedBase64(histogram));
  return {
    singleCalls: {
      ...percentilesOf(sum),
      clockSeconds: Math.max(...timed.map(({ clockSeconds }) => clockSeconds)),
      histogram: encodeIntoCompressedBase64(sum),
    },
  };
}
