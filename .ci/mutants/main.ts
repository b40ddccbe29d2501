// Changes the core in one place at a time, and looks whether a test notices; see docs/mutants.md.
import { accept } from "./accepted.ts";
import { Judge } from "./judge.ts";
import { type Mutant, mutantId } from "./edits/mutation.ts";
import { HELP, type Options, parseOptions } from "./options.ts";
import { readResults, type Result, resultOf } from "./results.ts";
import { report } from "./report.ts";
import { sample } from "./sample.ts";
import { TestPlan } from "./test_plan.ts";
import { listMutants, listPaths, readEquivalents, ROOT } from "./tree.ts";
import { TreeCopy } from "./tree_copy.ts";
import { TypeCheck } from "./type_check.ts";

const equivalents = readEquivalents();

function chosen(options: Options): Mutant[] {
  const all = listMutants(options.isWgsl ? "wgsl" : "core").filter(({ file, operator }) =>
    file.includes(options.filter) && (!options.operator || operator === options.operator)
  );
  return sample(all, options);
}

function list(mutants: readonly Mutant[]): void {
  for (const { file, line, operator, from, to } of mutants) {
    console.log(`${file}:${line} ${operator}\n  - ${from}\n  + ${to}`);
  }
  console.log(`${mutants.length} changes`);
}

/** Results of an earlier run; a run that begins anew forgets them. */
function readEarlier({ results, isResumed }: Options): Map<string, Result> {
  if (isResumed) return readResults(Deno.readTextFileSync(results));
  Deno.mkdirSync(new URL(".", `file:///${ROOT}${results}`).pathname, { recursive: true });
  Deno.writeTextFileSync(results, "");
  return new Map();
}

function isOpen(earlier: Result | undefined, { isAgain }: Options): boolean {
  if (earlier === undefined) return true;
  return isAgain && earlier.verdict === "survived" && equivalents.reasonOf(earlier) === undefined;
}

async function run(mutants: readonly Mutant[], options: Options): Promise<Result[]> {
  const results = readEarlier(options);
  const waiting = mutants.filter((mutant) => isOpen(results.get(mutantId(mutant)), options));
  const total = waiting.length;
  const start = performance.now();
  using pristine = new TreeCopy(ROOT);
  const plan = new TestPlan(ROOT, listPaths());
  const judge = new Judge(ROOT, { plan, types: new TypeCheck(ROOT), pristine });
  const work = async () => {
    using copy = new TreeCopy(ROOT);
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const result = resultOf(mutant, await judge.judge(mutant, copy));
      results.set(mutantId(mutant), result);
      // One write a line, at once: a run that is killed has lost what it was judging, and no more.
      Deno.writeTextFileSync(options.results, `${JSON.stringify(result)}\n`, { append: true });
      tell(result, { done: total - waiting.length, total, start });
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return mutants.map((mutant) => results.get(mutantId(mutant))!);
}

function tell(
  { verdict, file, line, operator, by }: Result,
  { done, total, start }: { readonly done: number; readonly total: number; readonly start: number },
): void {
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  const place = `${file}:${line} ${operator}`;
  console.log(`${done}/${total} ${minutes} min  ${verdict.padEnd(8)}  ${place}  ${by}`);
}

async function main(options: Options): Promise<void> {
  if (options.isHelp) return console.log(HELP);
  if (options.isAccept) return accept(options.results);
  const mutants = chosen(options);
  if (options.isList) return list(mutants);
  console.log(report(await run(mutants, options), equivalents));
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => Deno.exit(130));
}
await main(parseOptions(Deno.args));
