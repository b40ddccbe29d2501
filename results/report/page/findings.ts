import { threeDigits } from "../../../bench/record/duration_text.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";
import type { PointSummary } from "../../statistics/summary.ts";
import { type Judgement, judgeTargets, type TargetVerdict } from "../judge_targets.ts";
import { rangeText } from "../table.ts";
import { warningKinds } from "../warnings_text.ts";
import { escaped } from "./html.ts";

/** A sign beside the word, because a colour alone tells not everybody. */
const SIGNS: Readonly<Record<TargetVerdict, string>> = {
  reached: "✓",
  missed: "✗",
  undecided: "?",
  unreliable: "!",
  "not measured": "–",
};

/** What wants attention comes first. */
const ORDER: readonly TargetVerdict[] = [
  ...["missed", "undecided", "unreliable", "reached", "not measured"] as const,
];

/** What a run says about the targets of its scenarios, as a list; empty when there are none. */
export function findingsList(rows: readonly PointSummary[]): string {
  const judged = judgeTargets(rows).sort((left, right) =>
    ORDER.indexOf(left.verdict) - ORDER.indexOf(right.verdict)
  );
  if (judged.length === 0) return "";
  return `<ul class="findings">\n${judged.map(itemOf).join("\n")}\n</ul>`;
}

function itemOf(judgement: Judgement): string {
  const { target, verdict, figure, pointId, pointCount, scenario, roundCount } = judgement;
  const measured = figure
    ? `<strong>${threeDigits(figure.center)}</strong> (${rangeText(figure, threeDigits)}), `
    : "";
  const worst = pointCount > 1 ? `; the worst of ${pointCount} points, ${escaped(pointId!)}` : "";
  const doubt = roundCount !== undefined && roundCount < ROUNDS_MIN
    ? `; too few rounds to be sure: ${roundCount}`
    : "";
  return `<li><span class="verdict ${verdict.replace(" ", "-")}">${
    SIGNS[verdict]
  } ${verdict}</span> ` +
    `${escaped(scenario)}: ${escaped(target.text)}: ${measured}wanted ${target.bound} ` +
    `${target.limit}${worst}${doubt}</li>`;
}

/** Every warning of a run, each kind with the points that it is about and its own numbers. */
export function warningsList(
  rows: readonly PointSummary[],
  options: { readonly idOf: (row: PointSummary) => string },
): string {
  const all = rows.flatMap((row) => row.warnings.map((warning) => ({ warning, row })));
  return warningKinds(all).map(({ text, found }) => {
    const pointCount = new Set(found.map(({ row }) => row)).size;
    const points = pointCount === 1 ? "1 point" : `${pointCount} points`;
    const items = found.map(({ warning, row }) => {
      const name = escaped(`${row.scenario} ${row.pointId}`.trim());
      return `<li><a href="#${escaped(options.idOf(row))}">${name}</a>: ${escaped(warning)}</li>`;
    });
    return `<details><summary>${escaped(text)} (${points})</summary>` +
      `<ul>${items.join("")}</ul></details>`;
  }).join("\n");
}
