import { quotient } from "../statistics/ratio.ts";
import type { PointSummary } from "../statistics/summary.ts";
import type { Target } from "./judge_targets.ts";

const ONE_CALL = "waveCount=1;callsPerWave=1;readback=";

/** What calls on a GPU are to cost. The adapter is named beside the figures of a run. */
export const gpuTargets: readonly Target[] = [
  {
    text: "one epoch with one call, in raw readbacks of the same bytes",
    bound: "at most",
    limit: 1.5,
    measure: (rows) => rowOf(rows, "gpu_epoch", `${ONE_CALL}eager`)?.ratioToControl,
  },
  {
    text: "an epoch of 4096 waves that call, in raw readbacks of the same bytes",
    bound: "at most",
    limit: 3,
    measure: (rows) =>
      rowOf(rows, "gpu_epoch", "waveCount=4096;callsPerWave=1;readback=eager")?.ratioToControl,
  },
  {
    text: "eager readback, times faster than awaited",
    bound: "at least",
    limit: 50,
    measure: (rows) => {
      const eager = rowOf(rows, "gpu_epoch", `${ONE_CALL}eager`);
      const awaited = rowOf(rows, "gpu_epoch", `${ONE_CALL}awaited`);
      return eager && awaited && quotient(awaited.latencySeconds, eager.latencySeconds);
    },
  },
  {
    text: "a live call between two workgroups, in bare ping-pongs of two atomics",
    bound: "at most",
    limit: 3,
    measure: (rows) =>
      rowOf(rows, "gpu_live", "portCount=1;laneCount=1;lock=fetch-or")?.ratioToControl,
  },
];

function rowOf(
  rows: readonly PointSummary[],
  scenario: string,
  pointId: string,
): PointSummary | undefined {
  return rows.find((row) => row.scenario === scenario && row.pointId === pointId);
}
