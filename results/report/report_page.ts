import type { RunRecord, UnmeasuredPoint } from "../../bench/record/record.ts";
import { chartsOf } from "../charts/charts_of.ts";
import { targetsText } from "./judge_targets.ts";
import { summarize } from "../statistics/summary.ts";
import { tableText } from "./table.ts";
import { unmeasuredText } from "./unmeasured_text.ts";

/**
 * One run as a page that needs nothing else: charts as inline SVG, the table, the targets, where it
 * was measured. No script, no network.
 *
 * @param options `unmeasured` are the points of the run that have no figures; none when absent
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { reportPage } from "./report_page.ts";
 * const page = await reportPage([sampleRecord]);
 * if (!page.includes("<svg")) throw new Error("charts are inside");
 * ```
 */
export async function reportPage(
  records: readonly RunRecord[],
  options: { readonly unmeasured?: readonly UnmeasuredPoint[] } = {},
): Promise<string> {
  const figures = await Promise.all(
    chartsOf(summarize(records)).map(async ({ chart }) => `<figure>${await chart.svg()}</figure>`),
  );
  const title = `portlab: run ${records[0]?.runId ?? "without records"}`;
  return page(title, [
    `<p>${escaped(contextText(records[0]))}</p>`,
    ...figures,
    preformatted("Targets", targetsText(summarize(records))),
    preformatted("Figures", tableText(summarize(records))),
    preformatted("Points without figures", unmeasuredText(options.unmeasured ?? [])),
  ]);
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

function preformatted(heading: string, text: string): string {
  return text === "" ? "" : `<h2>${heading}</h2>\n<pre>${escaped(text)}</pre>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, parts: readonly string[]): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
body { font-family: "DejaVu Sans", sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
figure { margin: 2rem 0; overflow-x: auto; }
pre { overflow-x: auto; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${parts.filter((part) => part !== "").join("\n")}
</body>
</html>
`;
}
