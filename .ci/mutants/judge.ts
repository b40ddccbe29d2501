import { apply, type Mutant } from "./mutation.ts";
import type { Verdict } from "./results.ts";
import type { Batch, TestPlan } from "./test_plan.ts";
import type { TestRun, TreeCopy } from "./tree_copy.ts";
import type { TypeCheck } from "./type_check.ts";

/** A hang is a kill, so it has to be one: the machine may be busy. */
const LIMIT_FACTOR = 5;
const LIMIT_SECONDS_MIN = 20;

/** A change of a planted fault's text makes it impossible to plant, which shows nothing. */
const CANNOT_PLANT = "Cannot change core/";
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
  readonly #seconds = new Map<string, Promise<number>>();

  constructor(
    root: string,
    tools: { readonly plan: TestPlan; readonly types: TypeCheck; readonly pristine: TreeCopy },
  ) {
    this.#root = root;
    this.#plan = tools.plan;
    this.#types = tools.types;
    this.#pristine = tools.pristine;
  }

  async judge(mutant: Mutant, copy: TreeCopy): Promise<Judgement> {
    const { file } = mutant;
    const changed = apply(Deno.readTextFileSync(this.#root + file), mutant);
    const problems = file.endsWith(".ts") ? this.#types.problems(this.#root + file, changed) : [];
    if (problems.length > 0) return { verdict: "refused", by: problems[0]! };
    return await copy.whileChanged(file, changed, () => this.#test(file, copy));
  }

  async #test(file: string, copy: TreeCopy): Promise<Judgement> {
    for (const batch of this.#plan.batchesFor(file)) {
      const expected = await this.#secondsOf(batch);
      const run = await copy.test(batch, LIMIT_SECONDS_MIN + LIMIT_FACTOR * expected);
      const judgement = judgementOf(run, batch);
      if (judgement) return judgement;
    }
    return { verdict: "survived", by: "" };
  }

  /** How long the tests take as the tree is, measured in this run: each file once. */
  async #secondsOf({ files, args }: Batch): Promise<number> {
    let sum = 0;
    for (const file of files) {
      const seconds = this.#seconds.get(file) ?? this.#measure({ files: [file], args });
      this.#seconds.set(file, seconds);
      sum += await seconds;
    }
    return sum;
  }

  async #measure(batch: Batch): Promise<number> {
    const { isGood, seconds, text } = await this.#pristine.test(batch, 600);
    if (isGood) return seconds;
    throw new Error(`Cannot judge by ${batch.files} as it fails without a change: ${text}`);
  }
}

function judgementOf(run: TestRun, { files }: Batch): Judgement | undefined {
  if (run.isLate) return { verdict: "killed", by: `a hang in ${lastIn(run.text) ?? files[0]}` };
  if (run.isGood || run.text.includes(CANNOT_PLANT)) return undefined;
  const verdict = DOES_NOT_COMPILE.test(run.text) ? "refused" : "killed";
  return { verdict, by: failureIn(run.text) ?? `an error in ${files[0]}` };
}

/** The test file that ran when the process was killed. */
function lastIn(text: string): string | undefined {
  return [...text.matchAll(/^running \d+ tests? from \.\/(\S+)$/gm)].at(-1)?.[1];
}

/** The first failed test, with its file. */
function failureIn(text: string): string | undefined {
  const [, name, path] = /^(.+?)(?: \.\.\. .*)? => (?:\.\/)?(\S+?):\d+:\d+$/m.exec(text) ?? [];
  return name && path ? `${path}: ${name}` : undefined;
}
