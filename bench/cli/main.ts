/**
 * The command line that sweeps: `deno task bench`. It measures first, then shows the records.
 *
 * @module
 */
import { join } from "@std/path";
// @ts-types="@types/cli-progress"
import progress from "cli-progress";
import { callsText, rowsText } from "../../results/export/rows_text.ts";
import { distinctVisits, type Loaded, loadRecords } from "../../results/load/load.ts";
import { publishRun } from "../../results/report/publish.ts";
import { answersOf } from "../../results/report/answer.ts";
import { contextText } from "../../results/report/report_page.ts";
import { targetsText } from "../../results/report/judge_targets.ts";
import { unmeasuredText } from "../../results/report/table.ts";
import { summarize } from "../../results/statistics/summary.ts";
import { scenarios } from "../../scenarios/registry.ts";
import { bringGpu } from "../adapters/bring_gpu.ts";
import { benchRecords, measureByDeno } from "../deno_bench/bench_records.ts";
import { machineWarnings } from "../machine/machine.ts";
import { countText, pointName, type RunRecord } from "../record/record.ts";
import { type RecordLines, RecordWriter } from "../record/writer.ts";
import { planSweep } from "../sweep/plan_sweep.ts";
import { runSweep, visitId } from "../sweep/run_sweep.ts";
import { type BenchOptions, LISTS, parseOptions } from "./options/options.ts";
import { beginRun, contextOf, refuseOtherMachine, runFileName } from "./begin_run.ts";
import { runAgainst } from "./against/against.ts";
import { exitStatusOf, FAILED_EXIT, refuseTwice, tellAll } from "./command_line.ts";
import { listenToStop } from "./stop_signals.ts";
import { frontText, wrapped } from "./texts/front_text.ts";
import { doubtText, nextLines, sweepEndText } from "./texts/sweep_end_text.ts";
import {
  dryRunText,
  emptyPlanText,
  leftOf,
  listText,
  shortTimeText,
  USAGE,
} from "./options/usage.ts";

/** Redraws of the progress bar a second. Few, because each disturbs a core that may be measuring. */
const PROGRESS_FPS = 1;
/** Time between two lines of progress where there is no terminal. */
const LOG_MILLISECONDS = 15_000;

Deno.exit(await exitStatusOf(() => main(Deno.args)));

async function main(args: readonly string[]): Promise<number | void> {
  refuseTwice(args, LISTS);
  const { log } = console;
  console.log = console.error; // what a module prints while it loads is no part of the data
  const options = await parseOptions(args).finally(() => console.log = log);
  if (options.isHelp) return console.log(USAGE);
  if (options.isList) return console.log(listText(options.scenarios));
  if (options.isDenoBench) {
    return await convert(options, { args, text: await measureByDeno(options.scenarios) });
  }
  if (options.jsonIn) {
    return await convert(options, { args, text: await Deno.readTextFile(options.jsonIn) });
  }
  const { against } = options;
  if (against) return await runAgainst({ ...options, against }, args);
  return options.from ? await showAgain(options, options.from) : await sweep(options, args);
}

async function sweep(given: BenchOptions, args: readonly string[]): Promise<number> {
  const run = await beginRun(given, args);
  const { options, context, lines, writer } = run;
  tellAll(lines.problems);
  const plan = planSweep(options.scenarios, { ...options, seed: context.seed });
  if (plan.length === 0) throw new RangeError(emptyPlanText(options));
  if (options.isDryRun) {
    console.log(dryRunText(plan, { ...options, visited: visitsIn(lines) }));
    return 0;
  }
  refuseOtherMachine(run, leftOf(plan, visitsIn(lines)));
  // Once here, so that the process of each point finds the driver unpacked and chosen.
  if (plan.some(({ scenario }) => scenario.needsAdapter)) await bringGpu();
  for (const warning of machineWarnings(context.machine)) console.error(warning);
  for (const warning of context.warnings ?? []) console.error(warning);
  const short = shortTimeText(plan, { ...options, visited: visitsIn(lines) });
  if (short !== undefined) console.error(short);
  using request = listenToStop(); // before there is a file, by which others see that it runs
  using file = await writer();
  const visited = visitsIn(file);
  const bar = startProgress(leftOf(plan, visited).length);
  const { signal } = request;
  for await (const step of runSweep(plan, { ...options, context, visited, signal })) {
    bar.increment();
    await file.write("record" in step ? step.record : step.unmeasured);
  }
  bar.stop();
  const leftCount = leftOf(plan, visitsIn(file)).length;
  if (leftCount > 0) {
    const why = signal.aborted
      ? "Stopped"
      : `Stopped as the time is over, with ${countText(leftCount, "visit")} left`;
    console.error(`${why}. Go on with: deno task bench --resume ${file.path}`);
  }
  const { shard } = options; // a part of a sweep has no report: that is for the whole
  const code = await show(file, { ...options, problems: [], isPublished: shard === undefined });
  return request.exitCode || code;
}

function visitsIn({ records, unmeasured }: RecordLines): ReadonlySet<string> {
  return new Set([...records, ...unmeasured].map(visitId));
}

async function convert(
  options: BenchOptions,
  { args, text }: { readonly args: readonly string[]; readonly text: string },
): Promise<number> {
  const context = await contextOf(options, args);
  const among = [...new Set([...scenarios, ...options.scenarios])];
  const { records, problems } = benchRecords(text, { context, among });
  using writer = await RecordWriter.create(join(options.out, "raw"), {
    runId: runFileName(context, options),
  });
  for (const record of records) await writer.write(record);
  return await show(writer, { ...options, problems });
}

async function showAgain(options: BenchOptions, path: string): Promise<number> {
  const loaded = distinctVisits(await loadRecords(path));
  tellAll(loaded.notes);
  if (loaded.records.length + loaded.unmeasured.length === 0) {
    tellAll(loaded.problems);
    throw new TypeError(`Cannot show the records as there is none in ${path}`);
  }
  return await show({ path, ...loaded }, { ...options, problems: loaded.problems });
}

function startProgress(visitCount: number): progress.SingleBar {
  const bar = new progress.SingleBar({
    format: "{bar} {value} of {total} visits, {eta_formatted} left",
    fps: PROGRESS_FPS,
    noTTYOutput: true,
    notTTYSchedule: LOG_MILLISECONDS,
    hideCursor: true,
  }, progress.Presets.shades_grey);
  bar.start(visitCount, 0);
  return bar;
}

/** What a records file holds. */
interface Shown extends Omit<Loaded, "problems"> {
  readonly path: string;
}

interface ShowOptions extends
  Pick<
    BenchOptions,
    "out" | "formats" | "isPublished" | "isDrawn" | "isDetailed" | "areTargetsTold"
  > {
  readonly problems: readonly string[];
}

/** Shows the records, also when some points failed; returns the exit code. */
async function show(shown: Shown, options: ShowOptions): Promise<number> {
  const { path, records, unmeasured } = shown;
  const { out: folder, formats, isPublished, isDrawn, areTargetsTold } = options;
  const rows = summarize(records);
  for (const format of formats) console.log(rowsText(rows, format));
  // Data for a program stands alone on the standard output.
  const tell = formats.length === 0 ? console.log : console.error;
  if (formats.length === 0) tell(textOf(shown, options));
  tell(path); // before anything that may fail: what was measured is there
  const files = isPublished
    ? await publishRun(records, { folder, unmeasured, isDrawn, areTargetsTold })
    : [];
  for (const file of files) tell(file);
  const problems = [...options.problems, ...failuresOf(shown)];
  tellAll(problems);
  for (const line of nextLines(records)) console.error(line);
  return problems.length === 0 ? 0 : FAILED_EXIT;
}

function textOf(
  { records, unmeasured }: Shown,
  { isDetailed, areTargetsTold }: ShowOptions,
): string {
  const rows = summarize(records);
  const skipped = unmeasured.filter(({ outcome }) => outcome === "skipped");
  const parts = [
    ...isDetailed ? detailsOf(records) : [frontText(records)],
    unmeasuredText(skipped),
    areTargetsTold ? targetsText(rows) : "",
    isDetailed ? "" : wrapped(doubtText(records)).join("\n"),
  ];
  return parts.filter((text) => text !== "").join("\n\n");
}

/** All that records say: every point with its warnings, single calls, why sampling ended, the seed. */
function detailsOf(records: readonly RunRecord[]): string[] {
  const rows = summarize(records);
  const answers = [...answersOf(records)].map(([name, answer]) => `${name}: ${answer}`).join("\n");
  return [
    contextText(records[0]),
    rowsText(rows, "table").trimEnd(),
    callsText(rows),
    sweepEndText(records),
    answers,
  ];
}

function failuresOf({ records, unmeasured }: Shown): string[] {
  const texts = unmeasured.filter(({ outcome }) => outcome === "failed")
    .map((point) => `${pointName(point)} failed: ${point.reason}`);
  const failed = [...new Set(texts)]; // once for all rounds
  return records.length > 0 ? failed : [...failed, "No records"];
}
