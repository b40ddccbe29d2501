import type { Interval } from "./interval.ts";
import type { PointSummary } from "./summary.ts";

/** What one call costs where a turn of a scenario makes several; in nanoseconds, as axes show it. */
export interface CallCost {
  readonly callNanoseconds: number;
  readonly loNanoseconds: number;
  readonly hiNanoseconds: number;
  /** The control's turn, shared out over as many calls. */
  readonly floorNanoseconds: number;
}

/** @param callsPerTurn calls that the scenario makes in what it counts as one */
export function callCost(summary: PointSummary, callsPerTurn: number): CallCost | undefined {
  const { latencySeconds, controlSeconds } = summary;
  if (!controlSeconds) return undefined;
  const scale = 1e9 / callsPerTurn;
  const scaled = ({ center, lo, hi }: Interval) => [center, lo, hi].map((value) => value * scale);
  const [callNanoseconds, loNanoseconds, hiNanoseconds] = scaled(latencySeconds);
  return {
    callNanoseconds: callNanoseconds!,
    loNanoseconds: loNanoseconds!,
    hiNanoseconds: hiNanoseconds!,
    floorNanoseconds: controlSeconds.center * scale,
  };
}
