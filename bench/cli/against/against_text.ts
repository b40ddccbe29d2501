import { geometricMean, median } from "simple-statistics";
import { durationText, type RunRecord, threeDigits } from "../../record/record.ts";
import { aligned, rangeText } from "../../../results/report/table.ts";
import { comparePoints } from "../../../results/statistics/compare_points.ts";
import type { Interval } from "../../../results/statistics/interval.ts";
import { inverse } from "../../../results/statistics/ratio.ts";
import { type PointSummary, summarize } from "../../../results/statistics/summary.ts";

/** Floors that differ by more than this are those of two distances between the processors. */
const MODES_RATIO_MIN = 2;
const HEADINGS = ["point", "rounds", "a call", "floors", "range", "of before", "range"];

/**
 * Records of one run, told apart by their floors: a virtual machine may have its two processors near
 * to each other for a while, and far for another, and a call then costs another number of floors.
 *
 * @returns by what the records of a mode are to be called; all in one where the floors are alike
 */
export function modesOf(records: readonly RunRecord[]): ReadonlyMap<string, readonly RunRecord[]> {
  const floorOf = ({ controlSeconds }: RunRecord) => median([...controlSeconds]);
  const floors = records.map(floorOf);
  const [least, most] = [Math.min(...floors), Math.max(...floors)];
  const between = most > MODES_RATIO_MIN * least ? Math.sqrt(least * most) : Infinity;
  const names = between === Infinity ? ["alike", ""] : ["near", "far"];
  return Map.groupBy(
    records.toSorted((left, right) => floorOf(left) - floorOf(right)),
    (record) => names[Number(floorOf(record) > between)]!,
  );
}

/**
 * A table for each mode of the machine: the medians of the rounds with their ranges, a call in floors,
 * in calls of the tree before, and in those of what its scenario compares with. Below it the geometric
 * mean and the worst of the ratios to C, now and before.
 */
export function againstText(records: readonly RunRecord[]): string {
  return [...modesOf(records)].map(([name, some]) => {
    const floor = median(some.flatMap(({ controlSeconds }) => [...controlSeconds]));
    const rows = summarize(some).toSorted((left, right) =>
      left.scenario.localeCompare(right.scenario) || comparePoints(left.point, right.point)
    );
    const table = aligned([[...HEADINGS, "of the reference", "range"], ...rows.map(cellsOf)]);
    return [`floors ${name}: ${durationText(floor)}`, ...table, ...meansOf(rows)].join("\n");
  }).join("\n\n");
}

function cellsOf(row: PointSummary): string[] {
  const { scenario, pointId, roundCount, latencySeconds, ratioToControl, cpuSeconds } = row;
  const name = `${scenario} ${pointId}`.trim();
  if (cpuSeconds) { // of a millisecond: a thousand are a second
    const cells = [`${durationText(1000 * cpuSeconds.center)} CPU/s`, "-"];
    const scale = (seconds: number) => durationText(1000 * seconds);
    return [name, `${roundCount}`, ...cells, rangeText(cpuSeconds, scale), "-", "-", "-", "-"];
  }
  const [reference] = Object.keys(row.timesFasterThan).filter((name) => name !== "before");
  return [
    name,
    `${roundCount}`,
    durationText(latencySeconds.center),
    ...cellsFor(ratioToControl),
    ...cellsFor(timesOf(row, "before")),
    ...cellsFor(timesOf(row, reference), ` ${reference}`),
  ];
}

function cellsFor(interval?: Interval, unit = ""): [center: string, range: string] {
  if (interval === undefined) return ["-", "-"];
  return [threeDigits(interval.center) + unit, rangeText(interval, threeDigits)];
}

function timesOf({ timesFasterThan }: PointSummary, name = ""): Interval | undefined {
  const faster = timesFasterThan[name];
  return faster && inverse(faster);
}

/** Empty where no point was compared with C. */
function meansOf(rows: readonly PointSummary[]): string[] {
  const ratios = rows.flatMap((row) => {
    const [now, before] = [timesOf(row, "in_c")?.center, timesOf(row, "before")?.center];
    return now && before ? [{ now, before: now / before, pointId: row.pointId }] : [];
  });
  if (ratios.length === 0) return [];
  return (["before", "now"] as const).map((when) => {
    const worst = ratios.toSorted((left, right) => right[when] - left[when])[0]!;
    const mean = threeDigits(geometricMean(ratios.map((ratio) => ratio[when])));
    return `of in_c ${when}: geometric mean ${mean} of ${ratios.length} points, worst ${
      threeDigits(worst[when])
    } at ${worst.pointId}`;
  });
}
