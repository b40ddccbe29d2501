import type { FunctionDeclaration, VariableDeclaration } from "../syntax/declarations.ts";
import { freePrefix, type Token } from "../syntax/tokens.ts";
import { insertion, type TextEdit, WgslText } from "../syntax/wgsl_text.ts";
import { keywordAt } from "../syntax/declarations.ts";
import { refuseAt, refuseProblem } from "../wgsl/kernel_compile.ts";
import { typeLayout } from "../syntax/type_layout.ts";
import { namedType } from "../syntax/value_type.ts";
import type { HostApi } from "../../signature/mod.ts";
import type { ProgramGrid } from "./run_program.ts";
import { gridConstants, libraryText, usesApi } from "./program_library.ts";

/** What a run of the kernel does, as the host writes it to the word `phase`. */
export const ProgramPhase = { begin: 0, main: 1, end: 2 } as const;
export type ProgramPhase = typeof ProgramPhase[keyof typeof ProgramPhase];

/** Words of the program's buffer; the result of each thread follows. */
export const ProgramWord = { phase: 0, argc: 1, argv: 2, envp: 3, results: 4 } as const;

/** One of the functions that make up a program. */
export interface ProgramFunction {
  readonly name: keyof typeof ProgramPhase;
  readonly phase: ProgramPhase;
  /** How many of `argc`, `argv` and `envp` it takes. */
  readonly parameterCount: number;
  readonly hasResult: boolean;
}

/** How each function is written, for error messages. */
const FORMS: Readonly<Record<keyof typeof ProgramPhase, string>> = {
  begin: "fn begin() { ... }, or with main's parameters",
  main: "fn main(argc: u32, argv: u32) -> i32 { ... }",
  end: "fn end() { ... }, or with main's parameters",
};

/**
 * Finds the functions that make up a program, in the order in which they run.
 *
 * @throws {TypeError} when there is no `main`
 * @throws {KernelCompileError} when one has the wrong form, or is called `kernel`
 */
export function programFunctions(text: WgslText): readonly ProgramFunction[] {
  const functions = new Map(text.declarations.functions.map((one) => [one.name.text, one]));
  if (!functions.has("main")) {
    throw new TypeError(`Cannot run the program as it has no main: write ${FORMS.main}`);
  }
  const kernel = functions.get("kernel");
  if (kernel) {
    refuseAt(text, kernel.name.index, "kernel is what a program is made to: choose another name");
  }
  const names = Object.keys(ProgramPhase) as (keyof typeof ProgramPhase)[];
  return names.filter((name) => functions.has(name)).map((name) => {
    const one = functions.get(name)!;
    const problem = problemOf(text.tokens, one);
    if (problem) refuseAt(text, one.name.index, `${problem}: write ${FORMS[name]}`);
    const { parameters: { length: parameterCount }, result } = one;
    const hasResult = result.end > result.start;
    return { name, phase: ProgramPhase[name], parameterCount, hasResult };
  });
}

/** Describes what is wrong with a function, if anything is. */
function problemOf(
  tokens: readonly Token[],
  { name, attributes, parameters, result }: FunctionDeclaration,
): string | undefined {
  if (attributes.some(({ name: { length } }) => length > 0)) {
    return `${name.text} is no entry point of a shader here`;
  }
  const types = parameters.map(({ type }) => tokens[type.start]?.text);
  const isTyped = types.every((type) => type === "u32") && [0, 2, 3].includes(types.length);
  const results = tokens.slice(result.start, result.end).map(({ text }) => text).join("");
  const isResult = results === "" || (name.text === "main" && results === "i32");
  return isTyped && isResult ? undefined : `${name.text} is not as it has to be`;
}

/** The variables that all threads of a program share, from `begin` to `end`. */
export interface ProgramGlobals {
  /** Adds their bindings, in the order of the text. */
  readonly edits: readonly TextEdit[];
  /** The size of each, a multiple of 4. */
  readonly sizesBytes: readonly number[];
}

/** Storage buffers of a program other than its globals: the kernel's, and that of the words. */
const OWN_BUFFERS = 7;

/**
 * Finds the global variables of a program, such as `var<storage, read_write> counts: array<atomic<u32>,
 * 256>;`, without `@group` and `@binding`. They begin as zeros.
 *
 * @param options `firstBinding` is the first free binding of group 1
 * @throws {KernelCompileError} at one that has bindings or a value, is read-only or of unknown size, or
 * exceeds the device's limit
 */
export function programGlobals(
  text: WgslText,
  { firstBinding, constants, storageBuffersMax = Infinity }: {
    readonly firstBinding: number;
    /** Constants that the text may use without declaring them. */
    readonly constants: Readonly<Record<string, number>>;
    /** The device's limit for a stage. */
    readonly storageBuffersMax?: number;
  },
): ProgramGlobals {
  const globals = text.declarations.variables.filter(({ space }) => space === "storage");
  const max = storageBuffersMax - OWN_BUFFERS;
  if (globals.length > max) {
    refuseAt(
      text,
      globals[max]!.name.index,
      `a program has at most ${max} globals here, of the ${storageBuffersMax} storage buffers of this device: make members of one struct of them`,
    );
  }
  return {
    edits: globals.map((global, index) =>
      insertion(
        text.tokens[checkedAt(text, global)]!.index,
        `@group(1) @binding(${firstBinding + index}) `,
      )
    ),
    sizesBytes: globals.map((global) => sizeOf(text, global, constants)),
  };
}

/** Checks a global, and finds the token of its `var`. */
function checkedAt(text: WgslText, variable: VariableDeclaration): number {
  const { tokens } = text;
  const { name, attributes, value } = variable;
  const refuse = ({ index }: Token, reason: string) => refuseAt(text, index, reason);
  const at = keywordAt(tokens, variable);
  if (attributes.length > 0) {
    refuse(name, "a program has no bindings: leave out @group and @binding");
  }
  if (!tokens.slice(at, tokens.indexOf(name)).some(({ text }) => text === "read_write")) {
    refuse(name, "nobody could write it: a global is var<storage, read_write>");
  }
  if (value.end > value.start) {
    refuse(tokens[value.start]!, "a global begins as zeros: give it its value in fn begin()");
  }
  return at;
}

function sizeOf(
  text: WgslText,
  { name, type }: VariableDeclaration,
  constants: Readonly<Record<string, number>>,
): number {
  const { tokens, declarations } = text;
  const scope = { tokens, declarations, constants, isShared: true };
  try {
    return Math.ceil(typeLayout(scope, namedType(scope, type)).sizeBytes / 4) * 4;
  } catch {
    return refuseAt(
      text,
      name.index,
      "its size is not known: a global is a number, vector, matrix, atomic, array whose length is made of numbers, constants of the text, THREAD_COUNT and BLOCK_COUNT, or a struct of these",
    );
  }
}

export interface ProgramText {
  /** The author's text. */
  readonly text: WgslText;
  /** The text for `Kernel`: the author's lines, followed by generated ones. */
  readonly kernel: string;
  /** The phases in order, each a run of its own. */
  readonly phases: readonly ProgramPhase[];
  /** Sizes of the buffers of its global variables, from `@group(1) @binding(1)` on. */
  readonly globalsBytes: readonly number[];
  /** The APIs of libraries that it calls. */
  readonly apis: readonly HostApi[];
  /** The changes made to it, which move what follows them on a line. */
  readonly edits: readonly TextEdit[];
}

/** The arguments of a program, as the kernel reads them. */
const ARGUMENTS = ["argc", "argv", "envp"] as const;

/**
 * Turns a program into a kernel: `fn main(argc: u32, argv: u32) -> i32` and, if present, `fn begin()`
 * and `fn end()`. The author's text comes first, with its lines unchanged, and its columns except on
 * lines of global variables.
 *
 * @throws {TypeError} when there is no `main`
 * @throws {KernelCompileError} at the author's line and column, when one of the functions or a global
 * variable has the wrong form
 */
export function programText(
  written: string,
  grid: ProgramGrid & { readonly storageBuffersMax?: number },
  apis: readonly HostApi[] = [],
): ProgramText {
  const text = new WgslText(written);
  refuseProblem(text);
  const { tokens } = text;
  const parts = programFunctions(text);
  const constants = gridConstants(grid);
  const { edits, sizesBytes } = programGlobals(text, { ...grid, constants, firstBinding: 1 });
  const begin = parts.some(({ name }) => name === "begin") ? freeCase(tokens, "begin") : "begin";
  const total = grid.threadCount * grid.blockCount;
  const texts = [
    text.edited([...edits, ...renamings(tokens, { from: "begin", to: begin })]),
    kernelText(parts, { begin, total, prefix: freePrefix(tokens, "program_") }),
    libraryText(text, grid, apis),
  ];
  return {
    text,
    kernel: texts.join("\n"),
    phases: parts.map(({ phase }) => phase),
    globalsBytes: sizesBytes,
    apis: apis.filter((api) => usesApi(tokens, api)),
    edits,
  };
}

/** Writes a kernel with all phases, so that a program is compiled only once. */
function kernelText(
  parts: readonly ProgramFunction[],
  { begin, total, prefix }: {
    /** The name of `begin` in the text. */
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

/** Writes the call of a function, which stores its result in the word of the thread. */
function callText(name: string, { parameterCount, hasResult }: ProgramFunction): string {
  const words = ARGUMENTS.slice(0, parameterCount)
    .map((argument) => `bitcast<u32>(words[${ProgramWord[argument]}])`);
  const call = `${name}(${words.join(", ")})`;
  return hasResult
    ? `let status = ${call}; words[${ProgramWord.results}u + index] = status;`
    : `${call};`;
}

/**
 * Finds an unused name of the same length: kernels have a function `begin` of their own, and columns
 * must not move.
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
): readonly TextEdit[] {
  if (to === from) return [];
  return tokens.filter(({ kind, text }) => kind === "name" && text === from)
    .map(({ index }) => ({ index, end: index + from.length, text: to }));
}
