import type { HostApi } from "../../signature/mod.ts";
import { declarationsOf } from "../syntax/declarations.ts";
import { withPlainLines } from "../wgsl/author_text.ts";
import { refuseProblem } from "../wgsl/kernel_compile.ts";
import { editText, originalPosition, type Replacement } from "../syntax/text_edits.ts";
import type { TextPosition } from "../syntax/text_position.ts";
import { freePrefix, type Token, tokensOf } from "../syntax/tokens.ts";
import {
  type ProgramFunction,
  programFunctions,
  ProgramPhase,
  ProgramWord,
} from "./program_functions.ts";
import { programGlobals } from "./program_globals.ts";
import type { ProgramGrid } from "./program_grid.ts";
import { gridConstants, libraryText, usesApi } from "./program_library.ts";

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
  /** Where something stands in the author's text that is told of `kernel`. */
  readonly authorPosition: (position: TextPosition) => TextPosition;
}

/** The arguments of a program, as the kernel reads them. */
const ARGUMENTS = ["argc", "argv", "envp"] as const;

/**
 * Makes a kernel of a program: `fn main(argc: u32, argv: u32) -> i32`, and `fn begin()` and `fn end()`
 * where they are there. The author's text comes first; its lines stay, and its columns but for those of
 * global variables.
 *
 * @throws {TypeError} when it has no `main`
 * @throws {KernelCompileError} at the author's line and column, when one of the three or a global
 * variable is not as it has to be
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
  written: string,
  grid: ProgramGrid & { readonly storageBuffersMax?: number },
  apis: readonly HostApi[] = [],
): ProgramText {
  const source = withPlainLines(written);
  refuseProblem(source);
  const tokens = tokensOf(source);
  const { functions, variables } = declarationsOf(tokens);
  const parts = programFunctions(source, tokens, functions);
  const constants = [...gridConstants(grid).values()].join(" ");
  const globals = programGlobals({ source, tokens, variables, constants }, {
    ...grid,
    firstBinding: 1,
  });
  const begin = parts.some(({ name }) => name === "begin") ? freeCase(tokens, "begin") : "begin";
  const total = grid.threadCount * grid.blockCount;
  const texts = [
    editText(source, { ...globals, replacements: renamings(tokens, { from: "begin", to: begin }) }),
    kernelText(parts, { begin, total, prefix: freePrefix(tokens, "program_") }),
    libraryText(tokens, grid, apis),
  ];
  return {
    kernel: texts.join("\n"),
    phases: parts.map(({ phase }) => phase),
    globalsBytes: globals.sizesBytes,
    apis: apis.filter((api) => usesApi(tokens, api)),
    authorPosition: (position) => originalPosition(source, globals.insertions, position),
  };
}

/** Every phase is there once, so that a program is compiled once. */
function kernelText(
  parts: readonly ProgramFunction[],
  { begin, total, prefix }: {
    /** What `begin` is called in the text. */
    readonly begin: string;
    readonly total: number;
    readonly prefix: string;
  },
): string {
  return [
    "@group(1) @binding(0) var<storage, read_write> words: array<i32>;",
    "fn kernel() {",
    "  let index = wave_index * LANE_COUNT + lane_index;",
    `  if index >= ${total}u { return; }`,
    `  let phase = words[${ProgramWord.phase}];`,
    ...parts.map((part) => {
      const called = part.name === "begin" ? begin : part.name;
      const isOne = part.phase === ProgramPhase.main ? "" : " && index == 0u";
      return `  if phase == ${part.phase}${isOne} { ${callText(called, part)} }`;
    }),
    "}\n",
  ].join("\n").replaceAll(/\bwords\b/g, `${prefix}words`);
}

/** The call of a function, its result in the word of the thread. */
function callText(name: string, { parameterCount, hasResult }: ProgramFunction): string {
  const words = ARGUMENTS.slice(0, parameterCount)
    .map((argument) => `bitcast<u32>(words[${ProgramWord[argument]}])`);
  const call = `${name}(${words.join(", ")})`;
  return hasResult
    ? `let status = ${call}; words[${ProgramWord.results}u + index] = status;`
    : `${call};`;
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
  { from, to }: { readonly from: string; readonly to: string },
): readonly Replacement[] {
  if (to === from) return [];
  return tokens.filter(({ kind, text }) => kind === "name" && text === from)
    .map(({ index }) => ({ index, text: to }));
}
