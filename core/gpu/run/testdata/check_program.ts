import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Program, ProgramOptions, WayName } from "./program.ts";

/** What runs programs in one way. */
export interface ProgramRunner {
  run(source: string, options: ProgramOptions & Prints, server?: string): Promise<ProgramReport>;
  /** Where "no progress on this adapter" is a result. */
  readonly mayStall?: boolean;
}

interface Prints {
  readonly print: (text: string) => void;
}

interface ProgramReport {
  readonly buffers: Readonly<Record<string, unknown>>;
}

/** The text without its mark, and the line and column of it. */
function unmarked(marked: string) {
  const before = marked.split("§")[0]!.split("\n");
  const place = { line: before.length, column: before.at(-1)!.length + 1 };
  return { source: marked.replace("§", ""), place: marked.includes("§") ? place : undefined };
}

/** Runs a program once, and collects what is seen of it. */
async function outcomeOf(
  { source, server }: Program,
  { functions, ...options }: ProgramOptions,
  runner: ProgramRunner,
) {
  const calls: string[] = [];
  const recorded = Object.entries(functions ?? {}).map(([name, work]) => {
    if (typeof work !== "function") return [name, work];
    return [name, (...values: unknown[]) => {
      calls.push(`${name}(${values.map((value) => JSON.stringify(value)).join(", ")})`);
      return work(...values);
    }];
  });
  let text = "";
  const done = await runner.run(unmarked(source).source, {
    ...options,
    ...functions && { functions: Object.fromEntries(recorded) },
    print: (part) => text += part,
  }, server).catch((error: Error) => error);
  return { done, text, calls: calls.toSorted() };
}

function assertFailed(error: Error, { program, way }: {
  readonly program: Program;
  readonly way: WayName;
}): void {
  const reason = program.not?.[way];
  const [name, ...parts] = reason === undefined ? program.fails ?? [] : ["TypeError", reason];
  assertEquals(error.name, name, error.stack);
  const told = `${error.message}\n${(error.cause as Error | undefined)?.message}`;
  for (const part of parts) assertStringIncludes(told, part);
  const { place } = unmarked(program.source);
  if (!place || reason !== undefined) return;
  const { line, column } = error as Error & { line: number; column: number };
  assertEquals({ line, column }, place, error.message);
}

async function runAndCheck(program: Program, way: WayName, runner: ProgramRunner): Promise<void> {
  const options = typeof program.run === "function" ? program.run() : program.run ?? {};
  const { done, text, calls } = await outcomeOf(program, options, runner);
  if (runner.mayStall && `${done}`.includes("No progress on this adapter")) return;
  if (done instanceof Error) assertFailed(done, { program, way });
  else assert(!program.fails && !program.not?.[way], "it ran");
  if (program.not?.[way] !== undefined) return;
  if (program.prints !== undefined) assertEquals(text, program.prints);
  if (program.lines) assertEquals(text.trimEnd().split("\n").toSorted(), program.lines.toSorted());
  if (program.calls && way !== "one dispatch") assertEquals(calls, program.calls.toSorted());
  if (done instanceof Error) return;
  for (const [name, given] of Object.entries(options.buffers ?? {})) {
    const left = done.buffers[name] as typeof given;
    assertEquals([left.constructor, left === given], [given.constructor, false], "of its kind");
    const numbers = left instanceof ArrayBuffer ? new Uint32Array(left) : left as Uint32Array;
    const wanted = program.leaves?.[name];
    if (wanted) assertEquals([...numbers], wanted, name);
  }
  for (const [name, count] of Object.entries(program.counts ?? {})) {
    if (name in done) assertEquals(Reflect.get(done, name), count, name);
  }
}

/** Registers a test of each program that means something in a way; they are ignored where there is no runner. */
export function testPrograms(
  programs: readonly Program[],
  way: WayName,
  { runner, obstacle }: {
    readonly runner: ProgramRunner | undefined;
    readonly obstacle: string | undefined;
  },
): void {
  for (const program of programs) {
    if (program.without?.[way] !== undefined) continue;
    Deno.test({
      name: `${way}: ${program.name}${runner ? "" : ` (skipped: ${obstacle})`}`,
      ignore: runner === undefined,
      fn: async () => {
        await runAndCheck(program, way, runner!);
        // What was compiled is kept, and has to begin anew.
        if (!program.fails && !program.not?.[way]) await runAndCheck(program, way, runner!);
      },
    });
  }
}
