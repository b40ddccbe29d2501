import { join } from "@std/path";
import { bringGpu } from "../../adapters/bring_gpu.ts";
import { machineWarnings } from "../../machine/machine.ts";
import { countText, percentText, type RunRecord } from "../../record/record.ts";
import { RecordWriter } from "../../record/writer.ts";
import type { PointBudget } from "../../sample/measure_point.ts";
import { chooseScenarios, isModule } from "../../sweep/choose_scenarios.ts";
import { measureIsolated } from "../../sweep/isolated_point.ts";
import { type PlannedPoint, planSweep, shuffled } from "../../sweep/plan_sweep.ts";
import { recordOf, type RunContext } from "../../sweep/run_sweep.ts";
import { moduleUrlOf, sourceUrlOf } from "../../../scenarios/registry.ts";
import { pointId } from "../../../scenarios/axis.ts";
import { contextOf } from "../begin_run.ts";
import { FAILED_EXIT, NO_INFORMATION_EXIT, write } from "../command_line.ts";
import { exitCode } from "../compare.ts";
import type { AgainstOptions, BenchOptions } from "../options/options.ts";
import { emptyPlanText, nameOf } from "../options/usage.ts";
import { listenToStop, type StopRequest } from "../stop_signals.ts";
import { againstText, nextText } from "./against_text.ts";
import {
  type Arm,
  type ArmRecords,
  ARMS,
  type Judged,
  type JudgeOptions,
  judgeRounds,
  roundsLeast,
} from "./judge_rounds.ts";
import { type OtherScenario, scenariosOf } from "./tree_of.ts";

/** What a visit may be given; less says little, and more finds no more than another round. */
const VISIT_SECONDS = { least: 0.1, most: 0.25 } as const;
/** Rounds beyond the least that are planned for: those that are not all on one side. */
const ROUNDS_SPARE = 3;
/** Where there is time, so many times as many: more rounds find more than longer ones. */
const ROUNDS_TIMES = 3;
/** Long enough to hide the steps of the clock, shorter than what a scheduler gives at a time. */
const SAMPLE_SECONDS = 0.002;

/** Time between two lines of progress where there is no terminal. */
const LOG_MILLISECONDS = 10_000;

/** A point that is measured in both forms. */
interface AgainstPoint {
  readonly planned: PlannedPoint;
  readonly before: OtherScenario;
  readonly nowUrl: string;
  readonly rounds: ArmRecords[];
}

/**
 * Measures the scenarios of the options beside their form in a commit or in another module, in turn, until
 * every point is decided or the time is over, and tells the verdict.
 *
 * @returns the exit status: 0 when no point is slower, 1 when one is, 3 when that is not decided
 * @throws {RangeError} when the time is too short to decide anything, with what would do
 */
export async function runAgainst(
  options: BenchOptions & { readonly against: AgainstOptions },
  args: readonly string[],
): Promise<number> {
  using request = listenToStop(); // before anything is made that a stop would leave behind
  try {
    return await new AgainstRun(options, request).run(args);
  } catch (error) {
    // A stop from the keyboard ends git and the visits, too: what they say is not what is wrong.
    if (request.exitCode) return request.exitCode;
    throw error;
  }
}

class AgainstRun {
  readonly #options: BenchOptions & { readonly against: AgainstOptions };
  readonly #request: StopRequest;
  readonly #end: number;
  #points: readonly AgainstPoint[] = [];
  #judge!: JudgeOptions;
  #commit: string | undefined;
  #visitSeconds: number = VISIT_SECONDS.most;
  #nextLog = 0;

  constructor(options: BenchOptions & { readonly against: AgainstOptions }, request: StopRequest) {
    this.#options = options;
    this.#request = request;
    this.#end = performance.now() + 1000 * options.seconds;
  }

  async run(args: readonly string[]): Promise<number> {
    const { against, out } = this.#options;
    const context = await contextOf(this.#options, args);
    this.#points = await this.#preparedPoints(context.seed);
    const pointCount = this.#points.length;
    this.#judge = { ...against, pointCount };
    for (const warning of machineWarnings(context.machine)) tell(warning);
    if (this.#points.some(({ planned }) => planned.scenario.needsAdapter)) await bringGpu();
    await this.#plan();
    using files = await armFiles(join(out, "raw"), context.runId);
    await this.#measure(context, files);
    return this.#told(ARMS.map((arm) => files.of[arm].path));
  }

  async #preparedPoints(seed: number): Promise<readonly AgainstPoint[]> {
    const { scenarios, against: { what }, isChosen } = this.#options;
    // Of what nobody chose, the smallest points are measured: all of them would take an hour.
    const plan = planSweep(scenarios, { ...this.#options, isQuick: !isChosen, seed, rounds: 1 })
      .filter(({ skipReason }) => skipReason === undefined);
    if (plan.length === 0) throw new RangeError(emptyPlanText(this.#options));
    const wanted = scenarios.filter((one) => plan.some(({ scenario }) => scenario === one));
    const others = isModule(what) ? await this.#modules() : await this.#trees(wanted);
    return plan.map((planned) => {
      const before = others[wanted.indexOf(planned.scenario)] ?? others[0]!;
      pointId(before.scenario.axes, planned.point); // throws where the other one has no such point
      return { planned, before, nowUrl: sourceUrlOf(planned.scenario)!, rounds: [] };
    });
  }

  async #trees(wanted: BenchOptions["scenarios"]): Promise<readonly OtherScenario[]> {
    const { others, commit } = await scenariosOf(this.#options.against.what, wanted);
    this.#commit = commit;
    return others;
  }

  async #modules(): Promise<readonly OtherScenario[]> {
    const { scenarios, against: { what } } = this.#options;
    const found = await chooseScenarios([what], { tell });
    const matching = scenarios.map(({ name }) =>
      found.find((one) => one.name === name) ?? found[0]!
    );
    return matching.map((scenario) => ({ scenario, moduleUrl: moduleUrlOf(scenario)! }));
  }

  /** A first visit of each arm fills the caches, and says how long visits take; then it is known what fits. */
  async #plan(): Promise<void> {
    const least = roundsLeast(this.#judge);
    const visits = this.#points.length * ARMS.length;
    tell(
      `${visits} visits a round: ${
        countText(this.#points.length, "point")
      }, each before, now, before once more, ` +
        `and before with ${
          percentText(this.#judge.putInShare)
        } of work put in; ${least} rounds decide at least`,
    );
    for (const arm of ["before", "now"] as const) await this.#visitAll(arm);
    const startSeconds = (await this.#visitAll("again") + await this.#visitAll("slowed")) /
      (2 * this.#points.length);
    const left = (this.#end - performance.now()) / 1000;
    const secondsFor = (rounds: number) => left / rounds / visits - startSeconds;
    const rounds = Math.min(least + ROUNDS_SPARE, this.#options.against.roundsMax);
    if (secondsFor(rounds) < VISIT_SECONDS.least) {
      throw new RangeError(shortText({ visits, rounds, startSeconds, options: this.#options }));
    }
    const fitting = Math.max(VISIT_SECONDS.least, secondsFor(ROUNDS_TIMES * rounds));
    this.#visitSeconds = Math.min(VISIT_SECONDS.most, fitting);
    const most = Math.floor(left / visits / (this.#visitSeconds + startSeconds));
    tell(
      `${this.#visitSeconds.toFixed(2)} s a visit and ${
        startSeconds.toFixed(2)
      } s to start it: up to ${
        countText(Math.min(most, this.#options.against.roundsMax), "round")
      } in ${left.toFixed(0)} s`,
    );
  }

  /** The seconds that visits take beside what they are given. */
  async #visitAll(arm: Arm): Promise<number> {
    const begin = performance.now();
    for (const point of this.#points) await this.#visit(point, arm, VISIT_SECONDS.least);
    return (performance.now() - begin) / 1000 - VISIT_SECONDS.least * this.#points.length;
  }

  async #measure(context: RunContext, files: ArmFiles): Promise<void> {
    const { roundsMax } = this.#options.against;
    let order: readonly Arm[] = ARMS;
    for (let round = 0; round < roundsMax && this.#open().length > 0; round++) {
      const begin = performance.now();
      order = round % 2 === 0 ? shuffled(ARMS, context.seed + round) : order.toReversed();
      for (const point of shuffled(this.#open(), context.seed + round)) {
        const records: Partial<Record<Arm, RunRecord>> = {};
        for (const arm of order) {
          const measurement = await this.#visit(point, arm, this.#visitSeconds);
          if (this.#request.signal.aborted) return;
          const planned = { ...point.planned, ...arm !== "now" && point.before, round };
          const record = recordOf(planned, { context: this.#contextOf(context, arm), measurement });
          records[arm] = record;
          await files.of[arm].write(record);
        }
        point.rounds.push(records as ArmRecords);
      }
      this.#progress(round + 1);
      if (2 * performance.now() - begin > this.#end) return; // another round would end too late
    }
  }

  /** Each round on a terminal, where the next takes its line; now and then in a log. */
  #progress(roundCount: number): void {
    const isTerminal = Deno.stderr.isTerminal();
    if (!isTerminal && performance.now() < this.#nextLog) return;
    this.#nextLog = performance.now() + LOG_MILLISECONDS;
    const left = Math.max(0, (this.#end - performance.now()) / 1000).toFixed(0);
    const open = `${this.#open().length} of ${this.#points.length} points are open`;
    const text = `round ${roundCount}: ${open}, ${left} s left`;
    write(Deno.stderr, isTerminal ? `${text}\x1b[K\r` : `${text}\n`);
  }

  /** The points that further rounds may decide. */
  #open(): readonly AgainstPoint[] {
    return this.#points.filter(({ rounds }) =>
      rounds.length === 0 || judgeRounds(rounds, this.#judge).verdict === "undecided"
    );
  }

  #contextOf(context: RunContext, arm: Arm): RunContext {
    const { machine, runId } = context;
    const commit = arm !== "now" && this.#commit;
    return {
      ...context,
      runId: `${runId}_${arm}`,
      ...(commit && { machine: { ...machine, commit, hasLocalChanges: false } }),
    };
  }

  async #visit({ planned, before, nowUrl }: AgainstPoint, arm: Arm, seconds: number) {
    const { putInShare } = this.#judge;
    const { scenario, moduleUrl } = arm === "now"
      ? { scenario: planned.scenario, moduleUrl: nowUrl }
      : before;
    const extraShare = arm === "slowed" ? putInShare : 0;
    const budget: PointBudget = {
      seconds,
      sampleSeconds: SAMPLE_SECONDS,
      ...{ samplesMin: 12, samplesMax: 600, relativeErrorMax: 0.002, heapCallsMax: 0 },
    };
    const request = {
      scenario: scenario.name,
      pointId: planned.pointId,
      moduleUrl,
      budget,
      extraShare,
    };
    return await measureIsolated(request, { signal: this.#request.signal });
  }

  #told(paths: readonly string[]): number {
    const judged = this.#points.filter(({ rounds }) => rounds.length > 0)
      .map(({ planned, rounds }) => ({
        name: nameOf(planned),
        ...judgeRounds(rounds, this.#judge),
      }));
    if (judged.length === 0) return this.#request.exitCode || FAILED_EXIT;
    write(Deno.stdout, `${againstText(judged, this.#judge)}\n${paths.join("\n")}\n`);
    const code = codeOf(judged, this.#options.against.failAbove);
    tell(nextText(judged, code));
    return this.#request.exitCode || code;
  }
}

/** A point that is not to be trusted has no information, whatever its range says. */
function codeOf(judged: readonly Judged[], failAbove: number): number {
  const sure = judged.filter(({ doubt }) => doubt === undefined);
  const code = exitCode(sure, failAbove);
  return code === 0 && sure.length < judged.length ? NO_INFORMATION_EXIT : code;
}

interface ArmFiles extends Disposable {
  readonly of: Readonly<Record<Arm, RecordWriter>>;
}

/** A file of records for each arm: any two of them can be compared, or reported. */
async function armFiles(folder: string, runId: string): Promise<ArmFiles> {
  using stack = new DisposableStack();
  const writers: Partial<Record<Arm, RecordWriter>> = {};
  for (const arm of ARMS) {
    writers[arm] = stack.use(await RecordWriter.create(folder, { runId: `${runId}_${arm}` }));
  }
  const kept = stack.move();
  return {
    of: writers as Record<Arm, RecordWriter>,
    [Symbol.dispose]: () => kept.dispose(),
  };
}

/** Why nothing can be decided in the time, and what would do. */
function shortText(
  { visits, rounds, startSeconds, options }: {
    readonly visits: number;
    readonly rounds: number;
    readonly startSeconds: number;
    readonly options: BenchOptions;
  },
): string {
  const roundSeconds = visits * (startSeconds + VISIT_SECONDS.least);
  const needed = Math.ceil(visits * startSeconds + (rounds + 1) * roundSeconds);
  const points = Math.floor(options.seconds / needed * visits / ARMS.length);
  const fewer = points > 0
    ? `, or choose ${countText(points, "point")} by --filter or --point`
    : "";
  return `Cannot judge ${
    countText(visits / ARMS.length, "point")
  } in ${options.seconds} s as ${rounds} rounds take ` +
    `${needed} s: use --budget ${needed}s${fewer}`;
}

function tell(text: string): void {
  write(Deno.stderr, `${text}\n`);
}
