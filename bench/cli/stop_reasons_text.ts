import type { RunRecord } from "../record/record.ts";
import type { StopReason } from "../sample/stopping.ts";

const MEANINGS: Readonly<Record<StopReason, string>> = {
  precise: "precise enough",
  settled: "its noise had settled",
  samples: "enough samples",
  time: "its time was over",
};

/**
 * Why the sampling of points ended, in one line; empty where no record says it.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../record/testdata/sample_record.ts";
 * import { stopReasonsText } from "./stop_reasons_text.ts";
 * const text = stopReasonsText([sampleRecord, { ...sampleRecord, stopReason: "time" }]);
 * if (text !== "sampling ended: enough samples 1, its time was over 1") throw new Error(text);
 * ```
 */
export function stopReasonsText(records: readonly RunRecord[]): string {
  const reasons = records.flatMap(({ stopReason }) => stopReason ?? []);
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, some]) =>
    `${MEANINGS[reason]} ${some.length}`
  );
  return counts.length === 0 ? "" : `sampling ended: ${counts.join(", ")}`;
}
