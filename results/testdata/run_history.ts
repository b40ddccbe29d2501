import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";

/**
 * Records of some runs, one a day, each of a commit of its own, whose name is the number of the run.
 *
 * @param levelOf how many times as long as the sample a run takes
 */
export function runHistory(runCount: number, levelOf: (run: number) => number): RunRecord[] {
  return Array.from({ length: runCount }, (_, run) => ({
    ...sampleRecord,
    runId: `run-${run}`,
    startedAt: `2026-01-${String(run + 1).padStart(2, "0")}T03:04:05.678Z`,
    machine: { ...sampleRecord.machine, commit: String(run).repeat(40).slice(0, 40) },
    latencySeconds: sampleRecord.latencySeconds.map((seconds) =>
      seconds * levelOf(run) * (1 + (run % 3) / 500)
    ),
  }));
}

/** Eight such runs, and six that took twice as long, of the same code on a crowded machine. */
export function crowdedHistory(): RunRecord[] {
  const noise = { otherShare: 0.9, wallStepSeconds: 0, collectedBytes: 0 };
  return runHistory(14, (run) => run < 8 ? 1 : 2)
    .map((record, run) => run < 8 ? record : { ...record, noise });
}
