import type { HostApi } from "../../signature/mod.ts";
import { declarationsOf, type FunctionDeclaration } from "../syntax/declarations.ts";
import { editText, type Replacement } from "../syntax/text_edits.ts";
import { positionAt } from "../syntax/text_position.ts";
import { freePrefix, type Token, tokensOf } from "../syntax/tokens.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { programGlobals } from "./program_globals.ts";
import { libraryText, usesApi } from "./program_library.ts";

/** The grid of a program: all of its threads run `main`; 2 097 120 at most. */
export interface ProgramGrid {
  /** Threads of a block. */
  readonly threadCount: number;
  /** Blocks of as many threads. */
  readonly blockCount: number;
}

/** A program as a kernel. */
export interface ProgramText {
  /** For `Kernel`: the author's lines, and others behind them. */
  readonly kernel: string;
  /** What it does, in this order, each in a run of its own. */
  readonly phases: readonly ProgramPhase[];
  /** Bytes of the buffers of its global variables: `@group(1) @binding(1)` and so on. */
  readonly globalsBytes: readonly number[];
  /** Those APIs that it calls, of what may be called by long names. */
  readonly apis: readonly HostApi[];
}

/** What a run of the kernel does: the numbers that the host writes to the word {@linkcode ProgramWord.phase}. */
export const ProgramPhase = { begin: 0, main: 1, end: 2 } as const;
/** A number of {@linkcode ProgramPhase}. */
export type ProgramPhase = typeof ProgramPhase[keyof typeof ProgramPhase];

/** Words of the program's buffer; behind them is the result of each thread. */
export const ProgramWord = { phase: 0, argc: 1, argv: 2, envp: 3, results: 4 } as const;

/** The arguments of `main`, as the kernel reads them. */
const MAIN_PARAMETERS = ["argc", "argv", "envp"] as const;

/**
 * Makes a kernel of a program: `fn main(argc: u32, argv: u32) -> i32`, and `fn begin()` and `fn end()`
 * where they are there. The author's text comes first; its lines stay, and its columns but for those of global variables.
 *
 * @throws {TypeError} when it has no `main`
 * @throws {KernelCompileError} at the author's line and column, when one of the three is not as it has to be
 *
 * @example
 * ```ts
 * import { programText } from "./program_text.ts";
 * const { kernel, phases } = programText("fn main() -> i32 { return 1; }", {
 *   threadCount: 32,
 *   blockCount: 2,
 * });
 * if (!kernel.includes("fn kernel()") || phases.length !== 1) throw new Error("main alone");
 * ```
 */
export function programText(
  source: string,
  grid: ProgramGrid,
  apis: readonly HostApi[] = [],
): ProgramText {
  const tokens = tokensOf(source);
  const declarations = declarationsOf(tokens);
  const functions = new Map(declarations.functions.map((one) => [one.name.text, one]));
  const main = functions.get("main");
  if (!main) {
    throw new TypeError(
      "Cannot run the program as it has no main: write fn main(argc: u32, argv: u32) -> i32 { ... }",
    );
  }
  checkFunctions(source, tokens, functions);
  const begin = functions.has("begin") ? freeCase(tokens, "begin") : undefined;
  const steps = { begin, main: callOfMain(tokens, main), hasEnd: functions.has("end") };
  const globals = programGlobals({ source, tokens, variables: declarations.variables }, 1);
  const parts = [
    editText(source, { ...globals, replacements: renamings(tokens, { from: "begin", to: begin }) }),
    kernelText(freePrefix(tokens, "program_"), steps, grid.threadCount * grid.blockCount),
    libraryText(tokens, grid, apis),
  ];
  const { begin: first, main: second, end: third } = ProgramPhase;
  const phases = [...begin ? [first] : [], second, ...steps.hasEnd ? [third] : []];
  const used = apis.filter((api) => usesApi(tokens, api));
  return { kernel: parts.join("\n"), phases, globalsBytes: globals.sizesBytes, apis: used };
}

function checkFunctions(
  source: string,
  tokens: readonly Token[],
  functions: ReadonlyMap<string, FunctionDeclaration>,
): void {
  const refuse = ({ index }: Token, reason: string): never => {
    throw KernelCompileError.at(source, positionAt(source, index), reason);
  };
  const kernel = functions.get("kernel");
  if (kernel) refuse(kernel.name, "kernel is what a program is made to: choose another name");
  for (const name of ["begin", "end"]) {
    const one = functions.get(name);
    if (!one || (one.parameters.length === 0 && one.result.end === one.result.start)) continue;
    refuse(one.name, `${name} takes nothing and gives nothing back: write fn ${name}() { ... }`);
  }
  const main = functions.get("main")!;
  const isEntry = main.attributes.some(({ name }) => /^(compute|vertex|fragment)$/.test(name));
  const types = main.parameters.map(({ type }) => tokens[type.start]?.text);
  const result = tokens[main.result.start]?.text;
  const isTyped = types.every((type) => type === "u32") && types.length <= MAIN_PARAMETERS.length;
  const hasResult = main.result.end > main.result.start;
  if (!isEntry && isTyped && types.length !== 1 && (!hasResult || result === "i32")) return;
  const what = isEntry ? "main is no entry point of a shader here" : "main is not as it has to be";
  refuse(main.name, `${what}: write fn main(argc: u32, argv: u32) -> i32 { ... }`);
}

/** The call of `main`, its result in the status of the thread. */
function callOfMain(tokens: readonly Token[], { parameters, result }: FunctionDeclaration) {
  const words = MAIN_PARAMETERS.slice(0, parameters.length)
    .map((name) => `bitcast<u32>(words[${ProgramWord[name]}])`);
  const call = `main(${words.join(", ")})`;
  return tokens[result.start]?.text === "i32" && result.end > result.start
    ? `let status = ${call}; words[${ProgramWord.results}u + index] = status;`
    : `${call};`;
}

/** Every phase is there once, so that a program is compiled once. */
function kernelText(
  prefix: string,
  { begin, main, hasEnd }: {
    readonly begin: string | undefined;
    readonly main: string;
    readonly hasEnd: boolean;
  },
  total: number,
): string {
  const first = (call: string) => `if index == 0u { ${call}(); }`;
  const phases = [
    ...begin ? [`if phase == ${ProgramPhase.begin} { ${first(begin)} }`] : [],
    `if phase == ${ProgramPhase.main} { ${main} }`,
    ...hasEnd ? [`if phase == ${ProgramPhase.end} { ${first("end")} }`] : [],
  ];
  return [
    "@group(1) @binding(0) var<storage, read_write> words: array<i32>;",
    "fn kernel() {",
    "  let index = wave_index * LANE_COUNT + lane_index;",
    `  if index >= ${total}u { return; }`,
    `  let phase = words[${ProgramWord.phase}];`,
    ...phases.map((phase) => `  ${phase}`),
    "}\n",
  ].join("\n").replaceAll(/\bwords\b/g, `${prefix}words`);
}

/**
 * A name of the same length that the text does not have: kernels have a function `begin` of their own,
 * and columns must stay.
 */
function freeCase(tokens: readonly Token[], name: string): string {
  for (let index = 0; index < name.length; index++) {
    const changed = name.slice(0, index) + name[index]!.toUpperCase() + name.slice(index + 1);
    if (!tokens.some(({ text }) => text === changed)) return changed;
  }
  throw new TypeError(`Cannot run the program as it has ${name} in every case: choose other names`);
}

function renamings(
  tokens: readonly Token[],
  { from, to }: { readonly from: string; readonly to: string | undefined },
): readonly Replacement[] {
  if (to === undefined) return [];
  return tokens.filter(({ kind, text }) => kind === "name" && text === from)
    .map(({ index }) => ({ index, text: to }));
}
