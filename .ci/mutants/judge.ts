import { apply, type Mutant } from "./edits/mutation.ts";
import type { Verdict } from "./results.ts";
import type { Batch, TestPlan } from "./test_plan.ts";
import type { TestRun, TreeCopy } from "./tree_copy.ts";
import type { TypeCheck } from "./type_check.ts";

/** A hang is a kill, so it has to be one: the machine may be busy. */
const LIMIT_FACTOR = 5;
const LIMIT_SECONDS_MIN = 20;

/** How often a test may fail as the tree is, and how long it may take. */
const MEASURES = 3;
const MEASURE_SECONDS = 600;

/** A filter that matches no test any more judges nothing. */
const NOTHING_RAN = /\| 0 passed .* filtered out/;

/** A model that does not find where to look says nothing of the mutant. */
const CANNOT_LOOK = "Cannot change core/";
/** Where the output tells of one error. */
const ERROR_HEAD = /^(?=.+ (?:=> \S+:\d+:\d+|\(uncaught error\))$)/m;
/** How a module of WGSL that does not compile shows. */
const DOES_NOT_COMPILE =
  /KernelCompileError|Shader '[^']*' parsing error|Shader validation error|not valid WGSL/;

/** What came of a mutant. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The test that failed, or what the types say. */
  readonly by: string;
}

/** Judges mutants, each in a copy of the tree. */
export class Judge {
  readonly #root: string;
  readonly #plan: TestPlan;
  readonly #types: TypeCheck;
  readonly #pristine: TreeCopy;
  readonly #seconds = new Map<string, Promise<number | undefined>>();

  constructor(
    root: string,
    tools: { readonly plan: TestPlan; readonly types: TypeCheck; readonly pristine: TreeCopy },
  ) {
    this.#root = root;
    this.#plan = tools.plan;
    this.#types = tools.types;
    this.#pristine = tools.pristine;
  }

  /** Changes the copy for as long as it takes. */
  async judge(mutant: Mutant, copy: TreeCopy): Promise<Judgement> {
    const { file } = mutant;
    const changed = apply(this.#pristine.read(file), mutant);
    const problems = file.endsWith(".ts") ? this.#types.problems(this.#root + file, changed) : [];
    if (problems.length > 0) return { verdict: "refused", by: problems[0]! };
    return await copy.whileChanged(file, changed, () => this.#test(file, copy));
  }

  async #test(file: string, copy: TreeCopy): Promise<Judgement> {
    for (const batch of this.#plan.batchesFor(file)) {
      const judgement = await this.#testBatch(batch, copy);
      if (judgement) return judgement;
    }
    return { verdict: "survived", by: "" };
  }

  /** Runs a batch; what fails must fail twice, as a test may be unsteady on a busy machine. */
  async #testBatch(batch: Batch, copy: TreeCopy): Promise<Judgement | undefined> {
    const first = await this.#run(batch, copy);
    if (first?.verdict !== "killed" || first.path === undefined) return first;
    const second = await this.#run({ ...batch, files: [first.path] }, copy);
    if (second) return second;
    const others = batch.files.filter((path) => path !== first.path);
    return others.length > 0 ? await this.#testBatch({ ...batch, files: others }, copy) : undefined;
  }

  async #run({ files, args }: Batch, copy: TreeCopy): Promise<Failure | undefined> {
    const good: string[] = [];
    let limitSeconds = LIMIT_SECONDS_MIN;
    for (const file of files) {
      const seconds = await this.#secondsOf(file, args);
      if (seconds === undefined) continue;
      good.push(file);
      limitSeconds += LIMIT_FACTOR * seconds;
    }
    const batch = { files: good, args };
    return good.length > 0 ? failureOf(await copy.test(batch, limitSeconds), batch) : undefined;
  }

  /** How long a test takes as the tree is, measured once in this run; `undefined` when it fails. */
  #secondsOf(file: string, args: readonly string[]): Promise<number | undefined> {
    const seconds = this.#seconds.get(file) ?? this.#measure({ files: [file], args });
    this.#seconds.set(file, seconds);
    return seconds;
  }

  async #measure(batch: Batch): Promise<number | undefined> {
    for (let time = 0; time < MEASURES; time++) {
      const { isGood, seconds, text } = await this.#pristine.test(batch, MEASURE_SECONDS);
      if (isGood && !NOTHING_RAN.test(text)) return seconds;
    }
    console.warn(
      `Nothing is judged by ${batch.files}: it fails, or runs nothing, without a change`,
    );
    return undefined;
  }
}

/** What a run of tests says against a mutant. */
interface Failure extends Judgement {
  /** Where it was seen, if that is worth another look: a hang is none. */
  readonly path?: string;
}

/** What the output of tests says against a mutant; `undefined` when that is nothing. */
export function failureOf(
  { text, isGood, isLate }: Omit<TestRun, "seconds">,
  { files }: Pick<Batch, "files">,
): Failure | undefined {
  const running = [...text.matchAll(/^running \d+ tests? from \.\/(\S+)$/gm)].at(-1)?.[1] ??
    files[0]!;
  if (isLate) return { verdict: "killed", by: `a hang in ${running}` };
  if (isGood) return undefined;
  const errors = text.split(ERROR_HEAD).slice(1);
  const error = errors.find((one) => !one.includes(CANNOT_LOOK));
  if (errors.length > 0 && !error) return undefined;
  if (DOES_NOT_COMPILE.test(text)) return { verdict: "refused", by: "the kernel does not compile" };
  // The place may be that of a fixture which declares tests, so the file is taken from what ran.
  const name = /^(.+?)(?: \.\.\. .*)? => \S+:\d+:\d+$/m.exec(error ?? "")?.[1] ?? "an error";
  return { verdict: "killed", by: `${running}: ${name}`, path: running };
}
