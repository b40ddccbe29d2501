import type { AxisValue, Point } from "../../../scenarios/axis.ts";
import { answerText } from "../../../results/report/answer.ts";
import { wordsOf } from "../../../results/charts/panel/chart_plans.ts";
import { questionOrder } from "../../../results/report/question_order.ts";
import { aligned } from "../../../results/report/table.ts";
import { comparePoints } from "../../../results/statistics/compare_points.ts";
import { type PointSummary, summarize } from "../../../results/statistics/summary.ts";
import {
  countText,
  durationText,
  type RunRecord,
  sentenceOf,
  threeDigits,
  unitText,
} from "../../record/record.ts";

/** The questions that have a table; of further ones, the answers stand alone. */
const TABLES_MAX = 2;
/** What is left of a screen of 40 lines are the path of the records, what is doubtful, and what to do next. */
const LINES_MAX = 30;
/** Points of a scenario that compares: all of them, or none. */
const COMPARED_MAX = 8;
/** Costs that differ by less are told as the same. */
const SAME_SHARE = 0.05;
/** What a terminal shows at least. */
const COLUMNS = 80;

/**
 * What a run says, for somebody who sees such figures for the first time: of each question one call
 * beside its floor and its references, then how each axis changes it, by its least, middle and largest
 * value. Two questions fill 30 lines or less.
 *
 * @param records of one run
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../record/testdata/sample_record.ts";
 * import { frontText } from "./front_text.ts";
 * const text = frontText([sampleRecord]);
 * if (!text.includes("takes 2.00 times as long as")) throw new Error(text);
 * ```
 */
export function frontText(records: readonly RunRecord[]): string {
  const rows = summarize(records);
  const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
  const names = questionOrder(rows);
  const main = names.filter((name) => !isComparedWith(name, rows));
  const shown = main.length > 0 ? main : names;
  const told = new Set<string>();
  const tables = shown.slice(0, TABLES_MAX).map((name) => {
    const own = byScenario.get(name)!;
    const answer = () => wrapped(`${name}: ${answerText(records, name)}`);
    const isCounted = own[0]!.targets.some(({ figure }) => figure.kind === "counted");
    const lines = isCounted
      ? answer()
      : own[0]!.compares === undefined
      ? costLines(own, told)
      : [...comparedLines(own), ...answer()];
    return [...wrapped(own[0]!.question), ...lines].join("\n");
  });
  const head = [machineText(records), ...tables].filter((text) => text !== "").join("\n\n");
  const answers = shown.slice(TABLES_MAX).map((name) =>
    wrapped(`${name}: ${answerText(records, name)}`)
  );
  return [head, fitting(answers, LINES_MAX - head.split("\n").length - 2)]
    .filter((text) => text !== "").join("\n\n");
}

/** The answers for which there is room, and how many more there are. */
function fitting(answers: readonly (readonly string[])[], lineCount: number): string {
  const lines: string[] = [];
  for (const [at, answer] of answers.entries()) {
    if (lines.length + answer.length > lineCount) {
      lines.push(`and ${countText(answers.length - at, "question")} more`);
      break;
    }
    lines.push(...answer);
  }
  return lines.join("\n");
}

/** Whether a scenario is only there since others of the run are compared with it. */
function isComparedWith(name: string, rows: readonly PointSummary[]): boolean {
  return rows.some(({ scenario, control, timesFasterThan }) =>
    scenario !== name && (control === name || name in timesFasterThan)
  );
}

function machineText([first]: readonly RunRecord[]): string {
  if (first === undefined) return "";
  const { cpuModel, coreCount, os, arch, denoVersion } = first.machine;
  const place = `${cpuModel}, ${countText(coreCount, "core")}, ${os} ${arch}; Deno ${denoVersion}`;
  return wrapped(first.adapter === undefined ? place : `${place}; ${first.adapter}`).join("\n");
}

/** A figure of a table: what it is of, and how long that takes. */
interface Line {
  readonly what: string;
  /** What a call is compared with, if it is no call. */
  readonly kind?: "floor" | "reference";
  readonly seconds: number;
  /** In its floor; absent where there is none. */
  readonly floors?: number | undefined;
}

function costLines(rows: readonly PointSummary[], told: Set<string>): string[] {
  const base = baseOf(rows);
  const axes = Object.keys(base.point).map((axis) => alongAxis(rows, { base, axis }))
    .filter((some) => some.length > 1);
  const steps = axes.flatMap((some) => endsOf(some).filter((row) => row !== base));
  const others = beside(base).filter(({ what }) => !told.has(what));
  for (const { what } of others) told.add(what);
  return [
    ...tableOf([
      ...others,
      { what: callName(base.point), ...figuresOf(base) },
      ...steps.map((row) => ({ what: changeName(row, base), ...figuresOf(row) })),
    ]),
    ...wrapped(besideText(base, others)),
    ...axes.map((some) => axisText(some)),
  ];
}

function figuresOf({ latencySeconds, ratioToControl }: PointSummary): Omit<Line, "what"> {
  return { seconds: latencySeconds.center, floors: ratioToControl?.center };
}

/** The floor and the references of a point; without the one that the answer is about, an extreme of an axis. */
function beside(row: PointSummary): Line[] {
  const { latencySeconds, controlSeconds, ratioToControl, control, mainReference } = row;
  const floor: Line[] = control === undefined || control === row.scenario
    ? []
    : [{ what: titleOf(row, control), kind: "floor", seconds: controlSeconds!.center, floors: 1 }];
  const references = Object.entries(row.timesFasterThan)
    .filter(([name]) => name !== mainReference)
    .map(([name, { center }]): Line => ({
      what: titleOf(row, name),
      kind: "reference",
      seconds: latencySeconds.center * center,
      floors: ratioToControl && ratioToControl.center * center,
    }));
  return [...floor, ...references];
}

function titleOf({ titles = {} }: PointSummary, name: string): string {
  return titles[name] ?? wordsOf(name);
}

function tableOf(lines: readonly Line[]): string[] {
  const hasFloor = lines.some(({ floors }) => floors !== undefined);
  const cells = lines.map(({ what, seconds, floors }) => [
    cut(what),
    ...hasFloor ? [floors === undefined ? "-" : threeDigits(floors)] : [],
    durationText(seconds),
    unitText(1 / seconds, "/s"),
  ]);
  const headings = ["", ...hasFloor ? ["x floor"] : [], "a call", "calls"];
  return aligned([headings, ...cells]).map((line) => `  ${line}`);
}

/** Leaves room for three figures. */
const NAME_MAX = 42;

function cut(name: string): string {
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 3)}...` : name;
}

/** All points, each by what it is; none where they would fill a screen. */
function comparedLines(rows: readonly PointSummary[]): string[] {
  if (rows.length > COMPARED_MAX) return [];
  const sorted = rows.toSorted((left, right) => comparePoints(left.point, right.point));
  return tableOf(sorted.map((row) => ({ what: valuesText(row.point), ...figuresOf(row) })));
}

/**
 * The point that others are read beside: most of them differ from it in one axis alone. Of several such
 * points the one with the least numbers.
 */
function baseOf(rows: readonly PointSummary[]): PointSummary {
  const neighbours = (row: PointSummary) =>
    rows.filter((other) => differing(row.point, other.point) === 1).length;
  const counts = new Map(rows.map((row) => [row, neighbours(row)]));
  const most = Math.max(...counts.values());
  const [base] = rows.filter((row) => counts.get(row) === most)
    .toSorted((left, right) => comparePoints(left.point, right.point));
  return base!;
}

function differing(left: Point, right: Point): number {
  return Object.keys(left).filter((axis) => left[axis] !== right[axis]).length;
}

/** The points that differ from the base in this axis alone, and the base: by number, or by time. */
function alongAxis(
  rows: readonly PointSummary[],
  { base, axis }: { readonly base: PointSummary; readonly axis: string },
): readonly PointSummary[] {
  const isNumeric = typeof base.point[axis] === "number";
  const keyOf = (row: PointSummary) => isNumeric ? Number(row.point[axis]) : costOf(row);
  return rows.filter(({ point }) => differing({ ...base.point, [axis]: point[axis]! }, point) === 0)
    .toSorted((left, right) => keyOf(left) - keyOf(right));
}

/** Of one machine and minute: in the floor of the same moment, where all points have the same floor. */
function costOf({ hasFixedFloor, ratioToControl, latencySeconds }: PointSummary): number {
  return hasFixedFloor && ratioToControl ? ratioToControl.center : latencySeconds.center;
}

/** The first, the middle and the last of some points. */
function endsOf(rows: readonly PointSummary[]): readonly PointSummary[] {
  return rows.length <= 3 ? rows : [rows[0]!, rows[Math.floor(rows.length / 2)]!, rows.at(-1)!];
}

/** A call in times of its floor, and what its references take in times of a call. */
function besideText(base: PointSummary, others: readonly Line[]): string {
  return sentenceOf(
    others.map(({ what, kind, seconds }) =>
      kind === "floor"
        ? `A call takes ${threeDigits(base.ratioToControl!.center)} times as long as ${what}`
        : `${what} takes ${
          threeDigits(seconds / base.latencySeconds.center)
        } times as long as a call`
    ).join("; "),
  );
}

/** `64 lanes cost 1.4 times 1 lane.` */
function axisText(rows: readonly PointSummary[]): string {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const [axis] = Object.keys(first.point).filter((name) => first.point[name] !== last.point[name]);
  const ratio = costOf(last) / costOf(first);
  const [least, most] = [first, last].map(({ point }) => valueText(axis!, point[axis!]!));
  const verb = /^\d+ .*s$/.test(most!) ? "cost" : "costs";
  if (Math.abs(ratio - 1) < SAME_SHARE) return `${most} ${verb} what ${least} costs.`;
  return `${most} ${verb} ${threeDigits(ratio)} times ${least}.`;
}

/** `1 port`, `64 lanes`, `entries 16`, `spin+spin`. */
function valueText(axis: string, value: AxisValue): string {
  if (typeof value === "string") return value;
  const [, counted] = /^(\w+)Count$/.exec(axis) ?? [];
  return counted === undefined
    ? `${wordsOf(axis)} ${value}`
    : `${value} ${wordsOf(counted)}${value === 1 ? "" : "s"}`;
}

function valuesText(point: Point): string {
  return Object.entries(point).map(([axis, value]) => valueText(axis, value)).join(", ");
}

function callName(point: Point): string {
  const values = valuesText(point);
  return values === "" ? "a call" : `a call: ${values}`;
}

/** What of a point differs from the base. */
function changeName({ point }: PointSummary, base: PointSummary): string {
  return Object.keys(point).filter((axis) => point[axis] !== base.point[axis])
    .map((axis) => `  with ${valueText(axis, point[axis]!)}`).join(",");
}

/** Lines that a terminal shows whole, further ones indented. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").filter((one) => one !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < COLUMNS) {
      lines[lines.length - 1] += ` ${word}`;
    } else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines;
}
