import { join } from "@std/path";
import type { RunRecord } from "../../bench/record/record.ts";
import { writeWhole } from "../../bench/record/writer.ts";
import { type ReportOptions, reportPage } from "./report_page.ts";
import { makeCharts } from "../charts/make_charts.ts";
import { summarize } from "../statistics/summary.ts";

/**
 * Writes the report of one run, `pictures/<runId>.html`, and its charts as pictures,
 * `pictures/<runId>_<chart>.png`.
 *
 * @param options `isDrawn` tells whether there are pictures; there are when absent
 * @returns the paths of the files, the report last
 * @throws {Error} when the system does not let a file be written
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { publishRun } from "./publish.ts";
 * const folder = await Deno.makeTempDir();
 * const paths = await publishRun([sampleRecord], { folder });
 * if (!paths.at(-1)?.endsWith("sample.html")) throw new Error("the report is last");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function publishRun(
  records: readonly RunRecord[],
  options: {
    readonly folder: string;
    readonly isDrawn?: boolean;
  } & ReportOptions,
): Promise<string[]> {
  const [first] = records;
  if (first === undefined) return [];
  const pictures = join(options.folder, "pictures");
  const paths: string[] = [];
  async function write(name: string, content: string | Uint8Array): Promise<void> {
    const path = join(pictures, `${first!.runId}${name}`);
    await writeWhole(path, content);
    paths.push(path);
  }
  const { isDrawn = true } = options;
  for (const { name, chart } of isDrawn ? makeCharts(summarize(records), { records }) : []) {
    await write(`_${name}.png`, await chart.png());
  }
  await write(".html", await reportPage(records, options));
  return paths;
}
