import {
  durationText,
  type PointContext,
  threeDigits,
  unitText,
} from "../../bench/record/record.ts";
import type { Interval } from "../statistics/interval.ts";
import { compareRows } from "../statistics/compare_points.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { rangeText } from "./table.ts";
import { ROUNDS_MIN } from "../statistics/over_rounds.ts";

/** A column: its heading, its text for a row, and by what it is sorted where that is not the text. */
interface Column {
  readonly heading: string;
  readonly textOf: (row: PointSummary) => string;
  readonly numberOf?: (row: PointSummary) => number | undefined;
}

const COLUMNS: readonly Column[] = [
  { heading: "Scenario", textOf: ({ scenario }) => scenario },
  { heading: "Point", textOf: ({ pointId }) => pointId.replaceAll(";", "; ") || "-" },
  numeric("Rounds", (row) => row.roundCount, String),
  numeric("A call", (row) => row.latencySeconds.center, durationText),
  range((row) => row.latencySeconds, durationText),
  numeric("Low (a tenth)", (row) => row.lowSeconds, durationText),
  numeric("Calls a second", (row) => row.callsPerSecond.center, (value) => unitText(value, "/s")),
  numeric("Times the floor", (row) => row.ratioToControl?.center, threeDigits),
  range((row) => row.ratioToControl, threeDigits),
  {
    heading: "Times faster than",
    textOf: ({ timesFasterThan }) =>
      Object.entries(timesFasterThan).map(([name, { center }]) => `${threeDigits(center)} ${name}`)
        .join(", ") || "-",
    numberOf: ({ timesFasterThan }) => Object.values(timesFasterThan)[0]?.center,
  },
  numeric("Bytes a second", (row) => row.bytesPerSecond?.center, (value) => unitText(value, "B/s")),
  numeric(
    "Half of single calls or turns within",
    (row) => row.singleCalls?.p50Seconds,
    durationText,
  ),
  numeric("99 % within", (row) => row.singleCalls?.p99Seconds, durationText),
  numeric("99.9 % within", (row) => row.singleCalls?.p999Seconds, durationText),
  numeric("The longest", (row) => row.singleCalls?.maxSeconds, durationText),
  numeric("Bytes allocated a call", (row) => row.heapGrowthBytesPerCall, threeDigits),
  numeric("Warnings", (row) => row.warnings.length, String),
];

function numeric(
  heading: string,
  numberOf: (row: PointSummary) => number | undefined,
  textOf: (value: number) => string,
): Column {
  return {
    heading,
    numberOf,
    textOf: (row) => {
      const value = numberOf(row);
      return value === undefined ? "-" : textOf(value);
    },
  };
}

/** The ends of an interval, sorted by how far they lie apart. */
function range(
  intervalOf: (row: PointSummary) => Interval | undefined,
  textOf: (value: number) => string,
): Column {
  return {
    heading: "Range",
    textOf: (row) => {
      const interval = intervalOf(row);
      return interval ? rangeText(interval, textOf) : "-";
    },
    numberOf: (row) => {
      const interval = intervalOf(row);
      return interval && interval.hi / interval.lo;
    },
  };
}

/**
 * The figures of a run as a table that the script of the page sorts and filters, and that can be read
 * without it. Each row has the command that repeats it.
 *
 * @param options `idOf` names a row, for links; `name` is that of the run
 */
export function figureTable(
  rows: readonly PointSummary[],
  options: {
    readonly idOf: (row: PointSummary) => string;
    readonly name: string;
  },
): string {
  const sorted = rows.toSorted(compareRows);
  const id = escaped(`figures-${options.name}`);
  const columns = COLUMNS.filter(({ textOf }) => rows.some((row) => textOf(row) !== "-"));
  const lines = sorted.map((row) => rowOf(row, { ...options, columns }));
  return `<p class="tools"><label>Show points with <input type="search" data-filter="${id}"
placeholder="such as laneCount=64"></label> <span role="status" data-count="${id}"></span></p>
<div class="scroll" role="region" tabindex="0" aria-label="Figures of run ${escaped(options.name)}">
<table id="${id}" data-sortable>
<caption>Each row has the command that repeats it. A heading sorts.</caption>
<thead><tr>${columns.map(headingCell).join("")}<th scope="col">Repeat</th></tr></thead>
<tbody>
${lines.slice(0, ROWS_MAX).join("\n")}
</tbody>
</table>
</div>${restOf(lines.slice(ROWS_MAX), id)}`;
}

/** Rows of a table that a browser lays out without a pause; the script has the others at hand. */
const ROWS_MAX = 500;

/** With scripts it is a text, which costs nothing; without them, a table. */
function restOf(lines: readonly string[], id: string): string {
  if (lines.length === 0) return "";
  return `\n<noscript data-rest="${id}"><table><tbody>${
    lines.join("\n")
  }</tbody></table></noscript>`;
}

function headingCell({ heading }: Column): string {
  return `<th scope="col"><button type="button">${heading}</button></th>`;
}

function rowOf(
  row: PointSummary,
  { columns, idOf }: Parameters<typeof figureTable>[1] & {
    readonly columns: readonly Column[];
  },
): string {
  const command = escaped(pointCommand(row));
  return `<tr id="${escaped(idOf(row))}">${
    columns.map((column) => cellOf(column, row)).join("")
  }<td>` +
    `<details><summary>Command</summary><code>${command}</code> ` +
    `<button type="button" data-copy>Copy</button></details></td></tr>`;
}

function cellOf({ textOf, numberOf }: Column, row: PointSummary): string {
  const text = escaped(textOf(row));
  if (!numberOf) return `<td>${text}</td>`;
  return `<td class="number" data-value="${numberOf(row) ?? ""}">${text}</td>`;
}

/** A text as HTML, in elements and in attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * A section of the page with its heading, or nothing where there is nothing to show.
 *
 * @param id names the section in links
 */
export function section(
  heading: string,
  { id, content, level = 3 }: {
    readonly id: string;
    readonly content: string;
    readonly level?: 2 | 3;
  },
): string {
  if (content === "") return "";
  return `<section aria-labelledby="${id}">
<h${level} id="${id}">${escaped(heading)}</h${level}>
${content}
</section>`;
}

/** Data for the script of the page. No text in it can end the element. */
export function jsonScript(data: unknown): string {
  return `<script type="application/json">${
    JSON.stringify(data).replaceAll("<", "\\u003c")
  }</script>`;
}

/** The command that measures a point again, with rounds enough for an interval. */
export function pointCommand({ repeatArguments }: Pick<PointContext, "repeatArguments">): string {
  return `deno task bench ${repeatArguments.map(quoted).join(" ")} --rounds ${ROUNDS_MIN}`;
}

/** For a shell: quotes where a character might mean something to it. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
