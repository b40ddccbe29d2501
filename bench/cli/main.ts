/**
 * The command line: `deno task bench`. The only module that prints. It also imports from `results/`,
 * which nothing else in `bench/` may: it measures first, then shows the records.
 *
 * @module
 */
import { join } from "@std/path";
// @ts-types="@types/cli-progress"
import progress from "cli-progress";
import { loadRecords } from "../../results/load/load.ts";
import { publishRun } from "../../results/report/publish.ts";
import { contextText } from "../../results/report/report_page.ts";
import { targetsText } from "../../results/report/judge_targets.ts";
import { summarize } from "../../results/statistics/summary.ts";
import { tableText } from "../../results/report/table.ts";
import { unmeasuredText } from "../../results/report/unmeasured_text.ts";
import { bringGpu } from "../adapters/bring_gpu.ts";
import { convertBenchOutput } from "../deno_bench/deno_bench_json.ts";
import { describeMachine, machineWarnings } from "../machine/machine.ts";
import { type BenchOptions, parseOptions } from "./options.ts";
import type { RunRecord, UnmeasuredPoint } from "../record/record.ts";
import { recordOf, type RunContext, runSweep } from "../sweep/run_sweep.ts";
import { namedPoint, type PlannedPoint, planSweep } from "../sweep/plan_sweep.ts";
import { listText, USAGE } from "./usage.ts";
import { RecordWriter } from "../record/writer.ts";

/** Redraws of the progress bar a second. Few, because each disturbs a core that may be measuring. */
const PROGRESS_FPS = 1;
/** Time between two lines of progress where there is no terminal. */
const LOG_MILLISECONDS = 10_000;

Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options.isHelp) console.log(USAGE);
    else if (options.isList) console.log(listText(options.scenarios));
    else if (options.jsonIn) return await convert(options, options.jsonIn);
    else if (options.from) return await showAgain(options, options.from);
    else return await sweep(options);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

async function sweep(options: BenchOptions): Promise<number> {
  const plan = planSweep(options.scenarios, options);
  // Once here, so that the process of each point finds the driver unpacked and chosen.
  if (plan.some(({ scenario }) => scenario.needsAdapter)) await bringGpu();
  const context = await contextOf(options);
  for (const warning of machineWarnings(context.machine)) console.error(warning);
  const writer = await RecordWriter.create(join(options.out, "raw"), context);
  const bar = startProgress(plan.length);
  for await (const step of runSweep(plan, { ...options, context })) {
    bar.increment({ where: nameOf(step.planned) });
    await writer.write("record" in step ? step.record : step.unmeasured);
  }
  bar.stop();
  return await show(writer, { folder: options.out, problems: [] });
}

async function convert(options: BenchOptions, path: string): Promise<number> {
  const { measured, problems } = convertBenchOutput(await readBenchOutput(path));
  const context = await contextOf(options);
  const writer = await RecordWriter.create(join(options.out, "raw"), context);
  for (const { name, measurement } of measured) {
    await writer.write(recordOf(namedPoint(name), { context, measurement }));
  }
  return await show(writer, { folder: options.out, problems });
}

async function readBenchOutput(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    throw new Error(`Cannot convert the bench output as ${path} cannot be read`, { cause });
  }
}

async function showAgain({ out }: BenchOptions, path: string): Promise<number> {
  const { records, unmeasured, problems } = await loadRecords(path);
  return await show({ path, records, unmeasured }, { folder: out, problems });
}

async function contextOf({ runId, seed }: BenchOptions): Promise<RunContext> {
  const startedAt = new Date().toISOString();
  const machine = await describeMachine();
  return { runId: runId ?? startedAt.replace(/:/g, "-"), startedAt, seed, machine };
}

function startProgress(pointCount: number): progress.SingleBar {
  const bar = new progress.SingleBar({
    format: "{bar} {value} of {total} points, {eta_formatted} left, last: {where}",
    fps: PROGRESS_FPS,
    noTTYOutput: true,
    notTTYSchedule: LOG_MILLISECONDS,
    hideCursor: true,
  }, progress.Presets.shades_grey);
  bar.start(pointCount, 0, { where: "-" });
  return bar;
}

function nameOf({ scenario, pointId }: PlannedPoint): string {
  return `${scenario.name} ${pointId}`.trim();
}

/** What a records file holds. */
interface Shown {
  readonly path: string;
  readonly records: readonly RunRecord[];
  readonly unmeasured: readonly UnmeasuredPoint[];
}

/** Shows the records, also when some points failed; returns the exit code. */
async function show(
  { path, records, unmeasured }: Shown,
  options: { readonly folder: string; readonly problems: readonly string[] },
): Promise<number> {
  const { folder } = options;
  const failures = unmeasured.filter(({ outcome }) => outcome === "failed")
    .map(({ scenario, pointId, reason }) => `${scenario} ${pointId} failed: ${reason}`);
  const problems = [
    ...options.problems,
    ...failures,
    ...records.length > 0 ? [] : ["No records"],
  ];
  const rows = summarize(records);
  console.log(`\n${contextText(records[0])}\n\n${tableText(rows)}\n${targetsText(rows)}\n`);
  const skipped = unmeasuredText(unmeasured.filter(({ outcome }) => outcome === "skipped"));
  if (skipped !== "") console.log(`${skipped}\n`);
  const files = await publishRun(records, { folder, unmeasured });
  for (const file of [path, ...files]) console.log(file);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}
