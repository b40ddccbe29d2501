import type { RunRecord } from "../../bench/record/record.ts";
import { durationText } from "../../bench/record/duration_text.ts";
import { chartsOf, type NamedChart } from "../charts/charts_of.ts";
import { NEAR_CONTROL, type NearFloor, nearFloor } from "../statistics/near_floor.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";
import { targetsText } from "./judge_targets.ts";

/** From this share of near samples on, nothing is left out: the figures would be the same. */
const WHOLE_SHARE = 0.98;

/**
 * The charts of a run, drawn from the samples taken while the floor was near: otherwise two points
 * could differ because the machine changed between them. See {@linkcode nearFloor}.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { runCharts } from "./run_view.ts";
 * if (runCharts([sampleRecord])[0]?.name !== "round_trip") throw new Error("a chart");
 * ```
 */
export function runCharts(records: readonly RunRecord[]): NamedChart[] {
  const near = partView(records);
  if (!near) return chartsOf(summarize(records));
  // Records with another floor keep all of their samples.
  const notesOn = ([row]: readonly PointSummary[]) =>
    row!.control === NEAR_CONTROL ? ["Of " + near.notes[0], ...near.notes.slice(1)] : [];
  return chartsOf(near.rows, { notesOn });
}

/**
 * The targets of a run: by all samples, and by those taken while the floor was near.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { runTargetsText } from "./run_view.ts";
 * if (!runTargetsText([sampleRecord]).startsWith("missed")) throw new Error("2.00 is over 1.8");
 * ```
 */
export function runTargetsText(records: readonly RunRecord[]): string {
  const whole = targetsText(summarize(records));
  const near = partView(records);
  if (!near || whole === "") return whole;
  return `By all samples:\n${whole}\n\nBy ${near.notes.join(", ")}:\n${targetsText(near.rows)}`;
}

/** A part of a run's samples. */
interface PartView {
  readonly rows: readonly PointSummary[];
  /** Which samples they are, in parts of a sentence. */
  readonly notes: readonly string[];
}

function partView(records: readonly RunRecord[]): PartView | undefined {
  const near = nearFloor(records);
  if (!near || near.share > WHOLE_SHARE) return undefined;
  return { rows: summarize(near.records), notes: notesOf(near) };
}

function notesOf({ share, limitSeconds, wholePointCount }: NearFloor): string[] {
  const percent = Math.round(100 * share);
  const limit = durationText(limitSeconds);
  const note = `the ${percent} % of samples taken while the floor was at most ${limit}`;
  if (wholePointCount === 0) return [note];
  const points = wholePointCount === 1 ? "1 point" : `${wholePointCount} points`;
  return [note, `and all samples of ${points} with too few of those`];
}
