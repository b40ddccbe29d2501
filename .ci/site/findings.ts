import type { RunRecord } from "../../bench/record/record.ts";
import { answersOf } from "../../results/report/answer.ts";
import { escaped, pointCommand } from "../../results/report/figure_table.ts";
import { contextText } from "../../results/report/report_page.ts";
import { scenarios } from "../../scenarios/registry.ts";

/** A stored run, by the name of its file. */
export interface StoredRun {
  readonly name: string;
  readonly records: readonly RunRecord[];
}

/** What was found: each question of the stored runs with its answer, and what would refute that. */
export function findingsHtml(runs: readonly StoredRun[]): string {
  const findings = runs.flatMap(({ name, records }) =>
    [...answersOf(records)].map(([scenario, answer]) => ({ name, records, scenario, answer }))
  ).toSorted((left, right) => placeOf(left.scenario) - placeOf(right.scenario));
  return `<h1>portlab</h1>
<p>Calls through shared memory: a function in a worker thread, or on the host from inside a GPU kernel.
What was measured of them, and what would show that it is wrong. How to <a href="README.html">begin</a>,
how <a href="docs/lab.html">the lab</a> measures, and what <a href="docs/statistics.html">an interval
means</a>.</p>
<h2 id="findings">Questions and answers</h2>
${findings.map(findingHtml).join("\n")}`;
}

/** What other scenarios are only compared with is in no list of questions: it comes last. */
function placeOf(scenario: string): number {
  const place = scenarios.findIndex(({ name }) => name === scenario);
  const isFloor = scenarios.some(({ name, floor, references = [] }) =>
    name !== scenario && [floor, ...references].some((control) => control?.name === scenario)
  );
  return (place < 0 ? scenarios.length : place) + (isFloor ? 2 * scenarios.length : 0);
}

function findingHtml(
  { name, records, scenario, answer }: StoredRun & {
    readonly scenario: string;
    readonly answer: string;
  },
): string {
  const [first] = records.filter((record) => record.scenario === scenario) as [RunRecord];
  return `<article class="finding">
<h3 id="${scenario}-of-${name}">${escaped(first.question)}</h3>
<strong>${escaped(answer)}.</strong>
<p class="note">${
    escaped(contextText(first))
  } All of it: <a href="reports/${name}.html">the report</a>.</p>
<p class="note">It is refuted by ${refutation(first)}: <code>${escaped(commandOf(first))}</code></p>
</article>`;
}

function refutation({ compares }: RunRecord): string {
  return compares === undefined
    ? "a run on this machine whose interval lies outside of this one"
    : "a run in which another value is fastest at one of these points, with an interval that leaves " +
      "out 1";
}

/** The whole scenario again, with rounds enough for intervals. */
function commandOf({ repeatArguments }: RunRecord): string {
  const [option, scenario] = repeatArguments;
  return pointCommand({ repeatArguments: [option!, scenario!] });
}
