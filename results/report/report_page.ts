import type { RunRecord, UnmeasuredPoint } from "../../bench/record/record.ts";
import { Chart } from "../charts/chart.ts";
import { comparisonChart } from "../charts/comparison_chart.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";
import { compareRuns } from "./compare_runs.ts";
import { comparisonText } from "./comparison_text.ts";
import { chartFigure, chartFigures } from "./page/chart_figures.ts";
import { figureTable } from "./page/figure_table.ts";
import { findingsList, warningsList } from "./page/findings.ts";
import { escaped, section } from "./page/html.ts";
import script from "./page/page.js" with { type: "text" };
import style from "./page/page.css" with { type: "text" };
import { unmeasuredText } from "./unmeasured_text.ts";

/** What a report is made of besides records. */
export interface ReportOptions {
  /** Points without figures, with their reasons. */
  readonly unmeasured?: readonly UnmeasuredPoint[];
}

/**
 * One or more runs as a page that needs nothing else, no network either: verdicts, interactive charts,
 * a table that can be sorted and filtered, the machine and every warning. Each point has the command
 * that repeats it. Two runs or more are compared with the first, where they share points.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { reportPage } from "./report_page.ts";
 * const page = await reportPage([sampleRecord]);
 * if (!page.includes("deno task bench --scenario round_trip")) throw new Error("to repeat a point");
 * ```
 */
export async function reportPage(
  records: readonly RunRecord[],
  options: ReportOptions = {},
): Promise<string> {
  const runs = [...Map.groupBy(records, ({ runId }) => runId).values()];
  const names = runs.map(([first]) => first!.runId);
  const title = names.length === 0 ? "portlab: no records" : `portlab: run ${names.join(" and ")}`;
  return page(title, [
    ...runs.slice(1).map((run) => comparison(runs[0]!, run)),
    ...runs.map(runSection),
    section("Points without figures", {
      id: "unmeasured",
      content: preformatted(unmeasuredText(options.unmeasured ?? [])),
      level: 2,
    }),
  ], await libraryText());
}

function runSection(records: readonly RunRecord[]): string {
  const rows = summarize(records);
  const { runId: name } = records[0]!;
  const ids = new Map(rows.map((row, index) => [nameOf(row), `${name}-${index + 1}`]));
  const idOf = (row: PointSummary) => ids.get(nameOf(row))!;
  const parts = [
    ["Findings", findingsList(rows)],
    [
      "Charts",
      `<p>In a chart: point at a dot for its figures, follow it to its row, choose lines in
the legend, zoom by Ctrl and the wheel, move by dragging.</p>
<div class="charts">${chartFigures({ rows, records, idOf })}</div>`,
    ],
    ["Figures", figureTable(rows, { idOf, name })],
    ["Warnings", warningsList(rows, { idOf })],
  ] as const;
  const content = parts.map(([heading, content]) =>
    section(heading, { id: `${heading.toLowerCase()}-of-${escaped(name)}`, content })
  );
  return section(`Run ${name}`, {
    id: `run-${escaped(name)}`,
    content: [`<p>${escaped(contextText(records[0]))}</p>`, ...content].join("\n"),
    level: 2,
  });
}

function nameOf({ scenario, pointId }: PointSummary): string {
  return `${scenario} ${pointId}`;
}

/** How a run differs from the first, where both measured a point. */
function comparison(baseline: readonly RunRecord[], candidate: readonly RunRecord[]): string {
  const keyOf = ({ scenario, pointId }: RunRecord) => `${scenario} ${pointId}`;
  const known = new Set(baseline.map(keyOf));
  if (!candidate.some((record) => known.has(keyOf(record)))) return "";
  const compared = compareRuns(baseline, candidate);
  const chart = comparisonChart(compared);
  const name = candidate[0]!.runId;
  return section(`Run ${name}, compared with ${baseline[0]!.runId}`, {
    id: `comparison-${escaped(name)}`,
    content: (chart ? chartFigure(new Chart(chart)) : "") +
      preformatted(comparisonText(compared, "text")),
    level: 2,
  });
}

/**
 * Where and with what a run was measured, in one sentence.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { contextText } from "./report_page.ts";
 * if (!contextText(sampleRecord).includes("2 cores")) throw new Error("where it was measured");
 * ```
 */
export function contextText(record: RunRecord | undefined): string {
  if (record === undefined) return "No records.";
  const { machine, startedAt, seed, adapter } = record;
  const changes = machine.hasLocalChanges ? " with local changes" : "";
  return `${startedAt}: ${machine.cpuModel}, ${machine.coreCount} cores, ${machine.os} ` +
    `${machine.arch}, load ${machine.loadAverage[0]?.toFixed(2)} before; Deno ` +
    `${machine.denoVersion}, V8 ${machine.v8Version}; commit ${machine.commit.slice(0, 12)}` +
    `${changes}; seed ${seed}${adapter === undefined ? "" : `; adapter ${adapter}`}.`;
}

function preformatted(text: string): string {
  return text === "" ? "" : `<pre class="scroll" tabindex="0">${escaped(text)}</pre>`;
}

/** The library that draws, as one script; nothing in it may end the element that holds it. */
async function libraryText(): Promise<string> {
  const file = new URL("./vega.min.js", import.meta.resolve("vega"));
  return (await Deno.readTextFile(file)).replaceAll("</script", "<\\/script");
}

function page(title: string, parts: readonly string[], library: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>
${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${parts.filter((part) => part !== "").join("\n")}
</main>
<script>${library}</script>
<script>${script}</script>
</body>
</html>
`;
}
