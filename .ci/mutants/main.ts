// Changes the core in one place at a time, and looks whether a test notices; see docs/mutants.md.
import { FAILED_EXIT, write } from "../../bench/cli/command_line.ts";
import { runCommand } from "../../bench/cli/options/command_options.ts";
import { type Mutant, mutantId } from "./edits/mutation.ts";
import { Equivalents, idOf } from "./equivalents.ts";
import { Judge } from "./judge.ts";
import { COMMAND, type Options, optionsOf } from "./options.ts";
import { accept, countsOf, readEquivalents, readRecord, staleKeys } from "./record.ts";
import { rateText } from "./report.ts";
import { readResults, type Result, resultOf, type Results } from "./results.ts";
import { sample } from "./sample.ts";
import { TestPlan } from "./test_plan.ts";
import { listChanged, listMutants, listPaths, ROOT } from "./tree.ts";
import { TreeCopy } from "./tree_copy.ts";
import { TypeCheck } from "./type_check.ts";

const equivalents = new Equivalents(readEquivalents());

/** The sample; with `--again` what is left, in it and on record. */
function chosen(options: Options, { last }: Results): Mutant[] {
  const all = listMutants(listChanged()).filter(({ file, operator }) =>
    file.includes(options.filter) && (!options.operator || operator === options.operator)
  );
  if (all.length === 0) {
    throw new SyntaxError(
      `Cannot judge as there is no change of an operator "${options.operator}" in a path with ` +
        `"${options.filter}": --list shows all`,
    );
  }
  if (!options.isAgain) return sample(all, options).filter((mutant) => !last.has(mutantId(mutant)));
  const left = new Set(readRecord().survivors.map(idOf));
  return all.filter((mutant) => {
    const result = last.get(mutantId(mutant));
    const isLeft = result ? result.verdict === "survived" : left.has(idOf(mutant));
    return isLeft && !equivalents.reasonOf(mutant);
  });
}

function list(mutants: readonly Mutant[]): void {
  for (const { file, line, operator, from, to } of mutants) {
    console.log(`${file}:${line} ${operator}\n  - ${from}\n  + ${to}`);
  }
  console.log(`${mutants.length} changes`);
}

function readEarlier({ results }: Options): Results {
  try {
    return readResults(Deno.readTextFileSync(results));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  Deno.mkdirSync(new URL(".", `file:///${ROOT}${results}`).pathname, { recursive: true });
  return { first: new Map(), last: new Map() };
}

async function run(waiting: Mutant[], { last }: Results, options: Options): Promise<void> {
  const begin = { total: waiting.length, milliseconds: performance.now() };
  using pristine = new TreeCopy();
  const plan = new TestPlan(ROOT, listPaths(), options);
  const types = new TypeCheck(ROOT, listChanged().filter((file) => file.endsWith(".ts")));
  const judge = new Judge(ROOT, { plan, types, pristine });
  const work = async () => {
    using copy = new TreeCopy();
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const result = resultOf(mutant, await judge.judge(mutant, copy));
      last.set(mutantId(mutant), result);
      // One write a line, at once: a run that is killed has lost what it was judging, and no more.
      Deno.writeTextFileSync(options.results, `${JSON.stringify(result)}\n`, { append: true });
      tell(result, { done: begin.total - waiting.length, ...begin });
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
}

/** A line for each mutant: how far the run is, and how long it may take still. */
function tell(
  { verdict, file, line, operator, by }: Result,
  { done, total, milliseconds }: {
    readonly done: number;
    readonly total: number;
    readonly milliseconds: number;
  },
): void {
  const minutes = (performance.now() - milliseconds) / 60_000;
  const left = minutes / done * (total - done);
  const place = `${file}:${line} ${operator}`;
  console.log(
    `${done}/${total} ${minutes.toFixed(1)} min, about ${left.toFixed(0)} left  ` +
      `${verdict.padEnd(8)}  ${place}  ${by}`,
  );
}

async function main(options: Options): Promise<number | void> {
  const stale = staleKeys();
  if (stale.length > 0) {
    const places = stale.map(({ file, scope, from }) => `\n${file}, ${scope}: ${from}`).join("");
    throw new Error(`Cannot go on as the record names changes that cannot be made: ${places}`);
  }
  const results = readEarlier(options);
  const mutants = chosen(options, results);
  if (options.isList) return list(mutants);
  if (options.isAccept) return accept(`seed ${options.seed}`, results);
  write(Deno.stderr, `${mutants.length} changes, ${results.last.size} judged before ...\n`);
  await run(mutants, results, options);
  const counts = countsOf([...results.last.values()], equivalents);
  console.log(`${rateText(counts)} noticed: ${JSON.stringify(counts)}`);
  const next = counts.survived > 0
    ? `write tests for what survived in ${options.results}, then --again`
    : "--accept takes them into the record";
  write(Deno.stderr, `Next: ${next}\n`);
  return counts.survived > 0 ? FAILED_EXIT : 0;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => Deno.exit(130));
}
Deno.exit(await runCommand(COMMAND, (read) => main(optionsOf(read))));
