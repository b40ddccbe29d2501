/**
 * The command line that judges a change: `deno task against`.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl, join, toFileUrl } from "@std/path";
import { compileNative, compilerProblem } from "../../../scenarios/native/native_library.ts";
import { loadScenarios } from "../../../scenarios/registry.ts";
import type { Scenario } from "../../../scenarios/scenario.ts";
import { describeMachine } from "../../machine/machine.ts";
import { RecordWriter } from "../../record/writer.ts";
import type { PointBudget } from "../../sample/measure_point.ts";
import { measureIsolated, type PointRequest } from "../../sweep/isolated_point.ts";
import { planSweep } from "../../sweep/plan_sweep.ts";
import { runSweep } from "../../sweep/run_sweep.ts";
import { exitStatusOf, FAILED_EXIT, refuseOthers, refuseTwice, write } from "../command_line.ts";
import { durationSecondsOf, integerOf, namesOf } from "../options/options.ts";
import { emptyPlanText } from "../options/usage.ts";
import { listenToStop, type StopRequest } from "../stop_signals.ts";
import { againstText } from "./against_text.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url));
const FOLDER = join(ROOT, "dist", "against");
const OPTIONS = ["--shapes", "--filter", "--rounds", "--budget", "--out", "--quick", "--help"];
const USAGE = `Usage: deno task against [options] REF

Measures this tree, as it is on the disk, beside that of a commit, such as HEAD or main~3: both in one
process, in turn, with a bare ping-pong, the same call in C, and what each question compares with.

  --shapes A,B     of calls, pipelined, awaited, messages, streams, idle; all when absent
  --filter TEXT    only points whose name, as "calls portCount=1;laneCount=32", contains the text
  --rounds N       visits of each point, each a fresh process; 9 when absent
  --budget 60s     no visit begins after this time
  --out FOLDER     for the records; dist/against of the project when absent
  --quick          only shows that everything runs; figures mean nothing
  --help           show this text
`;

/** Two trees, the floor and C get warm in this time, and take some tens of samples each. */
const BUDGET: PointBudget = {
  seconds: 0.5,
  sampleSeconds: 0.001,
  samplesMin: 18,
  samplesMax: 18,
  relativeErrorMax: 0.005,
  heapCallsMax: 0,
};
/** Of a server that sleeps, whose time tells nothing: its processor time is counted afterwards. */
const IDLE_BUDGET: PointBudget = { ...BUDGET, seconds: 0.2, sampleSeconds: 0.02, samplesMax: 1 };
const QUICK_BUDGET: PointBudget = { ...BUDGET, seconds: 0.02, samplesMin: 1, samplesMax: 2 };

interface Given extends Record<"filter" | "rounds" | "budget" | "out", string> {
  readonly _: readonly string[];
  readonly shapes?: string;
  readonly quick: boolean;
  readonly help: boolean;
}

Deno.exit(await exitStatusOf(() => main(Deno.args)));

async function main(args: readonly string[]): Promise<number | void> {
  // Before anything is made that a stop would leave behind.
  using request = listenToStop();
  try {
    return await compare(args, request);
  } catch (error) {
    // A stop from the keyboard ends git and the compiler, too: what they say is not what is wrong.
    if (request.exitCode) return request.exitCode;
    throw error;
  }
}

async function compare(args: readonly string[], request: StopRequest): Promise<number | void> {
  refuseTwice(args);
  const given = parseArgs([...args], {
    string: ["shapes", "filter", "rounds", "budget", "out", "_"],
    boolean: ["quick", "help"],
    default: { filter: "", rounds: "9", budget: "60s", out: FOLDER },
    unknown: refuseOthers(OPTIONS),
  }) as unknown as Given;
  if (given.help) return write(Deno.stdout, USAGE);
  if (given._.length !== 1) {
    throw new SyntaxError("Cannot compare as there must be one commit: see --help");
  }
  const rounds = integerOf("rounds", given.rounds, { min: 1 });
  const seconds = durationSecondsOf("budget", given.budget);
  const url = new URL("./beside.ts", import.meta.url);
  url.searchParams.set("before", `${toFileUrl(await treeOf(given._[0]!))}/`);
  await using c = compilerProblem() === undefined ? await compileNative() : undefined;
  if (c) url.searchParams.set("c", c.path);
  const scenarios = await scenariosOf(url, given.shapes);
  const seed = 1 + Math.floor(Date.now() / 1000);
  const plan = planSweep(scenarios, { seed, rounds, filter: given.filter });
  if (plan.length === 0) throw new RangeError(emptyPlanText({ scenarios, filter: given.filter }));
  const startedAt = new Date().toISOString();
  const runId = startedAt.replaceAll(":", "-");
  const context = { runId, startedAt, seed, machine: await describeMachine(), commandLine: args };
  using file = await RecordWriter.create(given.out, { runId });
  const { signal } = request;
  const options = { context, seconds, isTimeHard: true, isQuick: given.quick, signal, measure };
  for await (const { planned, ...step } of runSweep(plan, options)) {
    await file.write("record" in step ? step.record : step.unmeasured);
    write(Deno.stderr, `round ${planned.round + 1} of ${rounds}: ${planned.scenario.name}\x1b[K\r`);
  }
  write(Deno.stderr, "\x1b[K");
  for (const { scenario, pointId, reason } of file.unmeasured) {
    write(Deno.stderr, `${scenario} ${pointId} failed: ${reason}\n`);
  }
  if (file.records.length > 0) write(Deno.stdout, `${againstText(file.records)}\n${file.path}\n`);
  return request.exitCode ||
    (file.unmeasured.length > 0 || file.records.length === 0 ? FAILED_EXIT : 0);
}

function measure(
  request: PointRequest,
  options: Parameters<typeof measureIsolated>[1],
): ReturnType<typeof measureIsolated> {
  const isQuick = request.budget.samplesMax < BUDGET.samplesMax;
  const usual = request.scenario.startsWith("idle") ? IDLE_BUDGET : BUDGET;
  return measureIsolated({ ...request, budget: isQuick ? QUICK_BUDGET : usual }, options);
}

/**
 * The code of a commit, unpacked once, where its imports find the packages of this tree.
 *
 * @throws {TypeError} with what git says
 */
async function treeOf(ref: string): Promise<string> {
  const hash = await git(ref, ["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`]);
  const tree = join(FOLDER, hash);
  if (await Deno.stat(tree).then(() => true, () => false)) return tree;
  await Deno.mkdir(FOLDER, { recursive: true });
  const part = await Deno.makeTempDir({ dir: FOLDER });
  const env = { GIT_WORK_TREE: part, GIT_INDEX_FILE: join(part, "index") };
  try {
    await git(ref, ["checkout", "--quiet", hash, "--", "core", "scenarios"], env);
    await Deno.rename(part, tree);
  } catch (error) {
    await Deno.remove(part, { recursive: true });
    throw error;
  }
  return tree;
}

async function git(
  ref: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const command = new Deno.Command("git", { args: ["-C", ROOT, ...args], env });
  const { success, stdout, stderr } = await command.output();
  const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  if (success) return out!;
  throw new TypeError(
    `Cannot take the tree of the commit "${ref}" as git ${args[0]} says: ${said}`,
  );
}

/** The scenarios of `beside.ts` whose names begin with one of those that are wanted. */
async function scenariosOf(url: URL, shapes?: string): Promise<readonly Scenario[]> {
  const scenarios = await loadScenarios(url);
  if (shapes === undefined) return scenarios;
  const known = scenarios.map(({ name }) => name);
  const names = namesOf("shapes", { text: shapes, known });
  return scenarios.filter(({ name }) => names.some((wanted) => name.startsWith(wanted)));
}
