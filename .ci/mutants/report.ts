import type { Equivalent } from "./equivalents.ts";
import type { Counts, Record } from "./record.ts";
import { roomOf } from "./tree.ts";
import { wrapped } from "../../results/charts/panel/figure_panel.ts";

const LINE_WIDTH = 100;
/** Of the standard normal distribution, for 95 %. */
const QUANTILE = 1.96;

/** The bounds between which a rate lies with 95 % confidence, by Wilson's formula. */
export function intervalOf(
  hits: number,
  count: number,
): { readonly lo: number; readonly hi: number } {
  if (count === 0) return { lo: 0, hi: 1 };
  const [rate, square] = [hits / count, QUANTILE ** 2 / count];
  const center = rate + square / 2;
  const spread = QUANTILE * Math.sqrt(rate * (1 - rate) / count + square / (4 * count));
  return { lo: (center - spread) / (1 + square), hi: (center + spread) / (1 + square) };
}

/** How much of what can be noticed was, with its interval. */
export function rateText({ killed, survived }: Pick<Counts, "killed" | "survived">): string {
  const count = killed + survived;
  if (count === 0) return "-";
  const { lo, hi } = intervalOf(killed, count);
  return `${percent(killed / count)} (${percent(lo)} to ${percent(hi)})`;
}

/** The sum of several counts. */
export function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, one) => ({
    killed: sum.killed + one.killed,
    survived: sum.survived + one.survived,
    equivalent: sum.equivalent + one.equivalent,
    refused: sum.refused + one.refused,
  }), { killed: 0, survived: 0, equivalent: 0, refused: 0 });
}

/** The record as Markdown: the rate of the latest sample first. */
export function report({ samples, survivors }: Record, equivalents: readonly Equivalent[]): string {
  const latest = samples.at(-1)!;
  const total = sumOf(Object.values(latest.rooms));
  return [
    ...wrapped(
      `**${rateText(total)}** of fresh changes are noticed at first sight: ${total.killed} of ` +
        `${
          total.killed + total.survived
        } of the latest sample, ${latest.name}. That is the chance that ` +
        `a test notices a mistake which nobody has looked for, with its interval of 95 %.`,
      LINE_WIDTH,
    ),
    "",
    ...table("sample", samples.map(({ name, rooms }) => [name, sumOf(Object.values(rooms))])),
    "",
    `The rooms of the latest sample, and how many known changes each has that no test notices yet:`,
    "",
    ...table(
      "room",
      Object.entries(latest.rooms),
      (room) => survivors.filter(({ file }) => roomOf(file) === room).length,
    ),
    "",
    ...wrapped(
      `On record are ${survivors.length} changes that no test notices yet ` +
        `(\`.ci/mutants/record.json\`), and ${equivalents.length} that nobody can tell.`,
      LINE_WIDTH,
    ),
    "",
  ].join("\n");
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(0)} %`;
}

function table(
  head: string,
  groups: readonly (readonly [string, Counts])[],
  leftOf?: (name: string) => number,
): string[] {
  const heads = [head, "noticed", "not", "do not compile", "nobody can tell", "at first sight"];
  const rows = groups.map(([name, counts]) => {
    const { killed, survived, equivalent, refused } = counts;
    const left = leftOf ? [leftOf(name)] : [];
    return [name, killed, survived, refused, equivalent, rateText(counts), ...left].map(String);
  });
  return aligned([leftOf ? [...heads, "left now"] : heads, ...rows]);
}

/** A table as the formatter would write it: the first column to the left, the others to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
      ).join(" | ")
    } |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`
  );
  return [line(rows[0]!), `| ${rule.join(" | ")} |`, ...rows.slice(1).map(line)];
}
