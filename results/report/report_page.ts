import script from "./page/page.js" with { type: "text" };
import style from "./page/page.css" with { type: "text" };
import * as vega from "vega";
import {
  countText,
  pointName,
  type RunRecord,
  threeDigits,
  type UnmeasuredPoint,
} from "../../bench/record/record.ts";
import { Chart } from "../charts/chart.ts";
import { comparisonChart } from "../charts/comparison_chart.ts";
import { type PointSummary, secondsPerCall, summarize } from "../statistics/summary.ts";
import { compareRuns, comparisonText } from "./compare_runs.ts";
import { placeId } from "../../bench/record/merge_records.ts";
import { answersOf } from "./answer.ts";
import { historyOf, historyText, machineName } from "./runs/history.ts";
import { historyChart } from "../charts/history_chart.ts";
import { machineTable } from "./runs/machine_table.ts";
import { escaped, figureTable, jsonScript, section } from "./figure_table.ts";
import { rangedText, unmeasuredText } from "./table.ts";
import {
  type Judgement,
  judgeTargets,
  type TargetVerdict,
  wantedText,
  WORST_FIRST,
} from "./judge_targets.ts";
import { warningKinds } from "./warnings_text.ts";
import { compile, type TopLevelSpec } from "vega-lite";
import { makeCharts } from "../charts/make_charts.ts";
import { CURVES_MAX, ecdfChart, singleCallsChart } from "../charts/distribution_charts.ts";
import { heatMap } from "../charts/heat_map.ts";

/** What a report is made of besides records. */
export interface ReportOptions {
  /** Points without figures, with their reasons. */
  readonly unmeasured?: readonly UnmeasuredPoint[];
  /** Whether the targets of scenarios are judged. */
  readonly areTargetsTold?: boolean;
}

/** The records of one run on one machine: what may be summed up. */
interface Run {
  readonly name: string;
  readonly machine: string;
  readonly records: readonly RunRecord[];
}

/**
 * One or more runs as a page that needs nothing else, no network either: the answers first, then for each
 * question its charts and a table that can be sorted and filtered, verdicts, the machine and every
 * warning. Each point has the command that repeats it. Two runs or more are compared with the first,
 * where they share points; many are a history, with a mark where a point changed; several machines have
 * a column each, and nothing of them is pooled.
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
  const runs = runsOf(records);
  const names = [...new Set(records.map(({ runId }) => runId))];
  const title = names.length === 0 ? "portlab: no records" : `portlab: run ${names.join(" and ")}`;
  const history = historySection(runs);
  return page(title, [
    ...history === "" ? runs.slice(1).map((run) => comparison(runs[0]!, run)) : [history],
    machinesSection(runs),
    ...runs.map((run) => runSection(run, options)),
    section("Points without figures", {
      id: "unmeasured",
      content: preformatted(unmeasuredText(options.unmeasured ?? [])),
      level: 2,
    }),
  ], await libraryText());
}

/** A run of several machines is one for each of them. */
function runsOf(records: readonly RunRecord[]): Run[] {
  const runs = Map.groupBy(records, ({ runId }) => runId);
  return [...runs].flatMap(([runId, some]) => {
    const places = [...Map.groupBy(some, placeId)];
    return places.map(([, records], at) => ({
      name: places.length === 1 ? runId : `${runId}, machine ${at + 1}`,
      machine: machineName(records[0]!.machine),
      records,
    }));
  });
}

function historySection(runs: readonly Run[]): string {
  const histories = historyOf(runs.map(({ records }) => records));
  const groups = Map.groupBy(
    histories,
    ({ scenario, machine, isRatio }) => `${scenario} ${machine} ${isRatio}`,
  );
  const charts = [...groups.values()].map((some) => chartFigure(new Chart(historyChart(some))));
  const changed = histories.filter(({ changes }) => changes.length > 0).map(historyText);
  if (charts.length === 0) return "";
  const text = changed.length === 0
    ? `<p>No point changed, of ${histories.length}.</p>`
    : `<ul>${changed.map((one) => `<li>${escaped(one)}</li>`).join("")}</ul>`;
  const content = `${text}\n<div class="charts">${charts.join("\n")}</div>`;
  return section("History", { id: "history", content, level: 2 });
}

function machinesSection(runs: readonly Run[]): string {
  const machines = [...new Set(runs.map(({ machine }) => machine))];
  if (machines.length < 2) return "";
  const content = machineTable(
    runs.map(({ name, machine, records }) => ({
      heading: `${name}: ${machine}`,
      rows: summarize(records),
    })),
  );
  return section("Machines side by side", { id: "machines", content, level: 2 });
}

function runSection({ name, records }: Run, { areTargetsTold = false }: ReportOptions): string {
  const rows = summarize(records);
  const ids = new Map(rows.map((row, index) => [pointName(row), `${idText(name)}-${index + 1}`]));
  const idOf = (row: PointSummary) => ids.get(pointName(row))!;
  const answers = answersOf(records);
  const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
  const parts = [
    [
      "Answers",
      `${answerList(byScenario, { answers, name })}\n<p>${escaped(contextText(records[0]))}</p>`,
    ],
    ["Targets", areTargetsTold ? findingsList(rows) : ""],
    ...[...answers].map(([scenario, answer]) => {
      const own = byScenario.get(scenario)!;
      const content = `<p class="answer">${escaped(answer)}.</p>
<div class="charts">${chartFigures({ rows: own, records, idOf })}</div>
${figureTable(own, { idOf, name: `${name}-${scenario}` })}`;
      return [own[0]!.question, content, scenario] as const;
    }),
    ["Warnings", warningsList(rows, { idOf })],
  ] as const;
  const content = parts.map(([heading, content, id = heading.toLowerCase()]) =>
    section(heading, { id: `${id}-of-${idText(name)}`, content })
  );
  return section(`Run ${name}`, {
    id: `run-${idText(name)}`,
    content: content.join("\n"),
    level: 2,
  });
}

/** The id of an element holds no blank. */
function idText(name: string): string {
  return escaped(name.replace(/[ ,]+/g, "-"));
}

function answerList(
  byScenario: ReadonlyMap<string, readonly PointSummary[]>,
  { answers, name }: { readonly answers: ReadonlyMap<string, string>; readonly name: string },
): string {
  const items = [...answers].map(([scenario, answer]) => {
    const { question } = byScenario.get(scenario)![0]!;
    return `<dt><a href="#${scenario}-of-${idText(name)}">${escaped(question)}</a></dt>
<dd>${escaped(answer)}.</dd>`;
  });
  return `<dl class="answers">\n${items.join("\n")}\n</dl>
<p class="note">In a chart: point at a dot for its figures, follow it to its row, choose lines in the
legend, zoom by Ctrl and the wheel, move by dragging. Each figure is also in a table.</p>`;
}

/** How a run differs from the first, where both measured a point. */
function comparison(first: Run, { name, records: candidate }: Run): string {
  const baseline = first.records;
  const known = new Set(baseline.map(pointName));
  if (!candidate.some((record) => known.has(pointName(record)))) return "";
  const compared = compareRuns(baseline, candidate);
  const chart = comparisonChart(compared);
  return section(`Run ${name}, compared with ${first.name}`, {
    id: `comparison-${idText(name)}`,
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

/** A sign beside the word, because a colour alone tells not everybody. */
const SIGNS: Readonly<Record<TargetVerdict, string>> = {
  reached: "✓",
  missed: "✗",
  undecided: "?",
  unreliable: "!",
  "not measured": "–",
};

/** What a run says about the targets of its scenarios, as a list; empty when there are none. */
export function findingsList(rows: readonly PointSummary[]): string {
  const judged = judgeTargets(rows).sort((left, right) =>
    WORST_FIRST.indexOf(left.verdict) - WORST_FIRST.indexOf(right.verdict)
  );
  if (judged.length === 0) return "";
  return `<ul class="findings">\n${judged.map(itemOf).join("\n")}\n</ul>`;
}

function itemOf(judgement: Judgement): string {
  const { target, verdict, figure, scenario } = judgement;
  const measured = figure
    ? `<strong>${rangedText(figure, threeDigits).replace(/^\S+/, "$&</strong>")}, `
    : "";
  return `<li><span class="verdict ${verdict.replace(" ", "-")}">${
    SIGNS[verdict]
  } ${verdict}</span> ` +
    `${escaped(scenario)}: ${escaped(target.text)}: ${measured}${
      escaped(wantedText(judgement))
    }</li>`;
}

/** Every warning of a run, each kind with the points that it is about and its own numbers. */
export function warningsList(
  rows: readonly PointSummary[],
  options: { readonly idOf: (row: PointSummary) => string },
): string {
  const all = rows.flatMap((row) => row.warnings.map((warning) => ({ warning, row })));
  return warningKinds(all).map(({ text, found }) => {
    const pointCount = new Set(found.map(({ row }) => row)).size;
    const points = countText(pointCount, "point");
    const items = found.map(({ warning, row }) => {
      const name = escaped(pointName(row));
      return `<li><a href="#${escaped(options.idOf(row))}">${name}</a>: ${escaped(warning)}</li>`;
    });
    return `<details><summary>${escaped(text)} (${points})</summary>` +
      `<ul>${items.join("")}</ul></details>`;
  }).join("\n");
}

interface ChartSources {
  readonly rows: readonly PointSummary[];
  readonly records: readonly RunRecord[];
  /** Names the row of a table that a dot leads to. */
  readonly idOf: (row: PointSummary) => string;
}

/** The charts of a run for the script of the page, each with its question and its words. */
export function chartFigures({ rows, records, idOf }: ChartSources): string {
  const linkOf = (row: PointSummary) => `#${idOf(row)}`;
  const charts = makeCharts(rows, { isInteractive: true, linkOf, records });
  const byScenario = Map.groupBy(charts, ({ scenario }) => scenario);
  return [...byScenario].flatMap(([scenario, some]) => {
    const own = rows.filter((row) => row.scenario === scenario);
    const [map, calls] = [heatMap(own), singleCallsChart(own)];
    return [
      ...some.map(({ chart }) => chart),
      ...[map, calls].flatMap((spec) => spec ? [new Chart(spec)] : []),
      scatterChart(own, records),
    ].map(chartFigure);
  }).join("\n");
}

function scatterChart(rows: readonly PointSummary[], records: readonly RunRecord[]): Chart {
  const series = rows.slice(0, CURVES_MAX).map(({ scenario, pointId }) => ({
    name: pointId || scenario,
    seconds: records.filter((one) => one.scenario === scenario && one.pointId === pointId)
      .flatMap(secondsPerCall),
  }));
  const question = `How do the samples of ${rows[0]!.scenario} scatter?`;
  return new Chart(ecdfChart(series, { question, leftOut: rows.length - series.length }));
}

/**
 * A chart for the script of the page. Its title is text of the page, which wraps where a picture's
 * title would be cut.
 */
function chartFigure(chart: Chart): string {
  const { title, description: _, ...spec } = chart.spec;
  const { text, subtitle } = title as { text: string | string[]; subtitle: readonly string[] };
  const wide = "layer" in spec || "mark" in spec
    ? { width: "container", autosize: { type: "fit-x", contains: "padding" } }
    : {};
  const config = { ...Object(spec.config), aria: false }; // its place has the words
  const whole = { ...spec, ...wide, config } as unknown as TopLevelSpec;
  // Its only warning is of the heights that follow from rows, which are wanted.
  const { spec: compiled } = compile(whole, { logger: vega.logger(vega.Error) });
  return `<figure>
<figcaption><strong>${escaped([text].flat().join(" "))}</strong>
${subtitle.map((line) => `<span>${escaped(line)}</span>`).join("\n")}</figcaption>
<div class="chart" role="img" aria-label="${escaped(chart.alt)}"></div>
${jsonScript(compiled)}
</figure>`;
}
