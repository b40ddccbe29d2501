import { median } from "simple-statistics";
import {
  countText,
  durationText,
  percentText,
  type RunRecord,
  sentenceOf,
} from "../../record/record.ts";
import { ROUNDS_MIN } from "../../../results/statistics/over_rounds.ts";
import { summarize } from "../../../results/statistics/summary.ts";
import { aligned } from "../../../results/report/table.ts";
import { compareRuns } from "../../../results/report/compare_runs.ts";
import type { StopReason } from "../../sample/stopping.ts";

const MEANINGS: Readonly<Record<StopReason, string>> = {
  precise: "precise enough",
  settled: "its noise had settled",
  samples: "enough samples",
  time: "its time was over",
};

/** A floor whose medians differ by more than this from point to point makes times incomparable. */
const DRIFT_RATIO_MAX = 1.25;
/** Points with more than this share of other programs are counted. */
const OTHER_SHARE_MAX = 0.1;

/**
 * How a sweep went, in a line each: why the sampling of its points ended, and what was doubtful about
 * the machine from point to point. Empty where no record says it.
 */
export function sweepEndText(records: readonly RunRecord[]): string {
  return [...stopReasonLines(records), ...busyLines(records), ...driftLines(records)].join("\n");
}

/** What a run cannot tell, in a sentence: which changes two runs like it would tell apart. */
export function decidesText(records: readonly RunRecord[]): string {
  const changes = compareRuns(records, records).points.map(({ smallestChange }) => smallestChange);
  const typical = median(changes);
  // The median of two that are Infinity is NaN.
  if (!(typical <= CHANGE_MAX)) {
    const rounds = Math.min(...summarize(records).map(({ roundCount }) => roundCount));
    if (rounds >= ROUNDS_MIN) {
      return "Visits of a point differ too much to tell two such runs apart.";
    }
    const few = countText(rounds, "visit");
    return `A look, with ${few} of a point: ${ROUNDS_MIN} give ranges.`;
  }
  const where = changes.length > 1 ? " at half of their points" : "";
  return `Two runs like this one tell ${percentText(typical)} apart${where}.`;
}

/**
 * What is doubtful about a run, in a sentence or two: how sure it is, and what moved meanwhile.
 *
 * @returns nothing where there is no record
 */
export function doubtText(records: readonly RunRecord[]): string {
  if (records.length === 0) return "";
  const [moved] = [...busyLines(records), ...driftLines(records)];
  return [
    decidesText(records),
    ...moved === undefined ? [] : [sentenceOf(moved)],
  ].join(" ");
}

/** What one may do after a sweep, a line each. */
export function nextLines(records: readonly RunRecord[]): string[] {
  if (records.length === 0) return ["Next: see why above"];
  const isOwn = records.some(({ moduleUrl }) => moduleUrl !== undefined);
  const steps = [
    ["deno task bench --detail --from FILE.jsonl", "every point, and its warnings"],
    ["deno task bench --rounds 10", "ranges, and 5 % told apart"],
    isOwn
      ? ["deno task bench --against REF", "before and after a change"]
      : ["deno task bench --scenario ./mine.ts", "a question of yours"],
  ];
  const lines = aligned(steps, "padEnd");
  return lines.map((line, at) => `${at === 0 ? "Next:" : "     "} ${line}`);
}

/** Twice as long: who looks for that needs no statistics. */
const CHANGE_MAX = 1;

function stopReasonLines(records: readonly RunRecord[]): string[] {
  const reasons = records.flatMap(({ stopReason }) => stopReason ?? []);
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, some]) =>
    `${MEANINGS[reason]} ${some.length}`
  );
  return counts.length === 0 ? [] : [`sampling ended: ${counts.join(", ")}`];
}

function busyLines(records: readonly RunRecord[]): string[] {
  const shares = records.map(({ noise }) => noise?.otherShare ?? 0);
  const busyCount = shares.filter((share) => share > OTHER_SHARE_MAX).length;
  if (busyCount === 0) return [];
  const most = Math.round(100 * Math.max(...shares));
  return [
    `the machine was too busy at ${busyCount} of ${records.length} visits: other programs used up to ` +
    `${most} % of the processors' time; trust ratios, and repeat the sweep when it is idle`,
  ];
}

function driftLines(records: readonly RunRecord[]): string[] {
  const timed = records.filter(({ hasFixedFloor, controlSeconds }) =>
    controlSeconds.length > 0 && hasFixedFloor
  );
  const byFloor = Map.groupBy(timed, ({ control }) => control);
  return [...byFloor].flatMap(([floor, some]) => {
    const medians = some.map(({ controlSeconds }) => median([...controlSeconds]));
    const [lo, hi] = [Math.min(...medians), Math.max(...medians)];
    if (hi / lo < DRIFT_RATIO_MAX) return [];
    return [
      `the floor ${floor} took ${durationText(lo)} to ${durationText(hi)} from visit to visit: ` +
      "compare ratios, not times",
    ];
  });
}
