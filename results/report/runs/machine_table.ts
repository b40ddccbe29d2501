import { durationText, pointName } from "../../../bench/record/record.ts";
import { rangedText } from "../table.ts";
import type { PointSummary } from "../../statistics/summary.ts";
import { escaped } from "../figure_table.ts";
import { shortNumber } from "../answer.ts";

/** What one machine measured. */
export interface MachineRows {
  /** What the column is called. */
  readonly heading: string;
  /** The rows of one run. */
  readonly rows: readonly PointSummary[];
}

/**
 * Points that several machines measured, with a column for each machine: the time of a call, and how many
 * times the machine's own floor that is. Nothing is pooled, as seconds mean nothing across machines.
 *
 * @returns HTML; empty where no two machines share a point
 */
export function machineTable(machines: readonly MachineRows[]): string {
  const cells = machines.map(({ rows }) => new Map(rows.map((row) => [pointName(row), row])));
  const names = [...new Set(cells.flatMap((rows) => [...rows.keys()]))]
    .filter((name) => cells.filter((rows) => rows.has(name)).length > 1);
  if (names.length === 0) return "";
  const headings = machines.map(({ heading }) => `<th scope="col">${escaped(heading)}</th>`);
  const lines = names.map((name) =>
    `<tr><th scope="row">${escaped(name)}</th>${
      cells.map((rows) => `<td class="number">${cellText(rows.get(name))}</td>`).join("")
    }</tr>`
  );
  return `<div class="scroll" role="region" tabindex="0" aria-label="Machines side by side">
<table>
<caption>Compare the times of the floor, not the seconds: each machine has its own.</caption>
<thead><tr><th scope="col">Point</th>${headings.join("")}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table>
</div>`;
}

function cellText(row: PointSummary | undefined): string {
  if (row === undefined) return "–";
  const { latencySeconds, ratioToControl: ratio } = row;
  if (!ratio) return rangedText(latencySeconds, durationText);
  return `${durationText(latencySeconds.center)}, ${rangedText(ratio, shortNumber)} × floor`;
}
