import type { Equivalents } from "./equivalents.ts";
import type { Result } from "./results.ts";

const LINE_WIDTH = 100;

interface Counts {
  readonly judged: number;
  readonly refused: number;
  readonly killed: number;
  readonly equivalent: number;
  readonly survived: number;
}

/** The results as Markdown: scores by file and by operator, and what is left. */
export function report(results: readonly Result[], equivalents: Equivalents): string {
  const groups = [
    { title: "The core, in TypeScript", rows: results.filter(({ file }) => file.endsWith(".ts")) },
    { title: "The kernels, in WGSL", rows: results.filter(({ file }) => file.endsWith(".wgsl")) },
  ].filter(({ rows }) => rows.length > 0);
  return groups.map(({ title, rows }) => section(title, rows, equivalents)).join("\n");
}

function section(title: string, results: readonly Result[], equivalents: Equivalents): string {
  const total = countsOf(results, equivalents);
  return [
    `## ${title}`,
    "",
    ...wrapped(
      `**${percent(total)}** of ${total.killed + total.survived} changes are noticed: ` +
        `${total.killed} killed, ${total.survived} not. Of ${total.judged} that were tried, ` +
        `${total.refused} do not compile and ${total.equivalent} change nothing that anybody can see.`,
    ),
    "",
    ...table("operator", Object.groupBy(results, ({ operator }) => operator), equivalents),
    "",
    ...table("file", Object.groupBy(results, ({ file }) => file), equivalents),
    "",
    ...leftOver(results, equivalents),
    "",
  ].join("\n");
}

/** Prose in lines as the formatter would break them. */
function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= LINE_WIDTH) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}

/** How much of what can be noticed is. */
export function score({ killed, survived }: Pick<Counts, "killed" | "survived">): number {
  return killed + survived === 0 ? 1 : killed / (killed + survived);
}

function percent(counts: Counts): string {
  return `${(score(counts) * 100).toFixed(1)} %`;
}

/** How many of the results are of which kind. */
export function countsOf(results: readonly Result[], equivalents: Equivalents): Counts {
  const count = (verdict: string, isEquivalent?: boolean) =>
    results.filter((one) =>
      one.verdict === verdict &&
      (isEquivalent === undefined || isEquivalent === (equivalents.reasonOf(one) !== undefined))
    ).length;
  return {
    judged: results.length,
    refused: count("refused"),
    killed: count("killed"),
    equivalent: count("survived", true),
    survived: count("survived", false),
  };
}

function table(
  head: string,
  groups: Partial<Record<string, Result[]>>,
  equivalents: Equivalents,
): string[] {
  const rows = Object.entries(groups).toSorted(([left], [right]) => left < right ? -1 : 1).map(
    ([name, results]) => {
      const counts = countsOf(results!, equivalents);
      const { judged, refused, killed, equivalent, survived } = counts;
      return [name, judged, refused, killed, equivalent, survived, percent(counts)];
    },
  );
  const heads = [head, "tried", "refused", "killed", "equivalent", "left", "score"];
  return aligned([heads, ...rows.map((row) => row.map(String))]);
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

function leftOver(results: readonly Result[], equivalents: Equivalents): string[] {
  const left = results.filter((one) =>
    one.verdict === "survived" && equivalents.reasonOf(one) === undefined
  );
  if (left.length === 0) return ["Nothing is left."];
  const lines = left.flatMap(({ file, scope, operator, from, to }) => [
    `${file}, ${scope || "top level"}, ${operator}:`,
    `  - ${from}`,
    `  + ${to}`,
  ]);
  return ["What is left:", "", "```text", ...lines, "```"];
}
