import { fixOverrides, KernelText } from "../kernel/kernel_text.ts";
import type { Types } from "../text/inference.ts";
import { layoutOf } from "../text/layout.ts";
import { refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Func, Variable } from "../text/syntax.ts";
import { authorModule, inText, refuseProblem } from "../wgsl/kernel_compile.ts";
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
 * @throws {TextFault} when one has the wrong form, or is called `kernel`
 */
export function programFunctions({ functions: all }: Module): readonly ProgramFunction[] {
  const functions = new Map(all.map((one) => [one.name, one]));
  if (!functions.has("main")) {
    throw new TypeError(`Cannot run the program as it has no main: write ${FORMS.main}`);
  }
  const kernel = functions.get("kernel");
  if (kernel) refuse(kernel, "kernel is what a program is made to: choose another name");
  const names = Object.keys(ProgramPhase) as (keyof typeof ProgramPhase)[];
  return names.filter((name) => functions.has(name)).map((name) => {
    const one = functions.get(name)!;
    const problem = problemOf(one);
    const { parameters: { length: parameterCount }, result } = one;
    const why = parameterCount === 1 ? ", as argc and argv come together" : "";
    if (problem) refuse(one, `${problem}: write ${FORMS[name]}${why}`);
    return { name, phase: ProgramPhase[name], parameterCount, hasResult: result !== undefined };
  });
}

/** Describes what is wrong with a function, if anything is. */
function problemOf({ name, attributes, parameters, result }: Func): string | undefined {
  if (attributes.length > 0) return `${name} is no entry point of a shader here`;
  const types = parameters.map(({ type }) => type!.text);
  const isTyped = types.every((type) => type === "u32") && [0, 2, 3].includes(types.length);
  const isResult = !result || (name === "main" && result.text === "i32");
  return isTyped && isResult ? undefined : `${name} is not as it has to be`;
}

/** Storage buffers of a program other than its globals: the kernel's, and that of the words. */
const OWN_BUFFERS = 7;

/**
 * Gives bindings to the global variables of a program, such as `var<storage, read_write> counts:
 * array<atomic<u32>, 256>;`, without `@group` and `@binding`. They begin as zeros.
 *
 * @param options `firstBinding` is the first free binding of group 1
 * @returns the size of each in the order of the text, a multiple of 4
 * @throws {TextFault} at one that has bindings or a value, is read-only or of unknown size, or exceeds the
 * device's limit
 */
export function programGlobals(
  { module, types, inserted }: KernelText,
  { firstBinding, storageBuffersMax = Infinity }: {
    readonly firstBinding: number;
    /** The device's limit for a stage. */
    readonly storageBuffersMax?: number;
  },
): readonly number[] {
  const globals = module.variables.filter(({ space }) => space === "storage");
  const max = storageBuffersMax - OWN_BUFFERS;
  if (globals.length > max) {
    const reason =
      `a program has at most ${max} globals here, of the ${storageBuffersMax} storage buffers of this device: make members of one struct of them`;
    refuse(globals[max]!, reason);
  }
  return globals.map((global, index) => {
    checkGlobal(global);
    inserted.set(global.start, `@group(1) @binding(${firstBinding + index}) `);
    return sizeOf(types, global);
  });
}

function checkGlobal(global: Variable): void {
  const { attributes, access, value } = global;
  if (attributes.length > 0) {
    refuse(global, "a program has no bindings: leave out @group and @binding");
  }
  if (access !== "read_write") {
    refuse(global, "nobody could write it: a global is var<storage, read_write>");
  }
  if (value) refuse(value, "a global begins as zeros: give it its value in fn begin()");
}

function sizeOf(types: Types, global: Variable): number {
  try {
    return Math.ceil(layoutOf(types, types.ofVariable(global)!).sizeBytes / 4) * 4;
  } catch {
    return refuse(
      global,
      "its size is not known: a global is a number, vector, matrix, atomic, array whose length is made of numbers, constants of the text, THREAD_COUNT and BLOCK_COUNT, or a struct of these",
    );
  }
}

export interface ProgramText {
  /** The author's text, and behind it that of a kernel. */
  readonly text: KernelText;
  /** The phases in order, each a run of its own. */
  readonly phases: readonly ProgramPhase[];
  /** Sizes of the buffers of its global variables, from `@group(1) @binding(1)` on. */
  readonly globalsBytes: readonly number[];
  /** The APIs of libraries that it calls. */
  readonly apis: readonly HostApi[];
}

/** The arguments of a program, as the kernel reads them. */
const ARGUMENTS = ["argc", "argv", "envp"] as const;

/**
 * Turns a program into a kernel: `fn main(argc: u32, argv: u32) -> i32` and, if present, `fn begin()`
 * and `fn end()`. The author's text comes first.
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
  const module = authorModule(written);
  refuseProblem(module);
  return inText(module, () => {
    const parts = programFunctions(module);
    const text = new KernelText(module, { constants: gridConstants(grid) });
    fixOverrides(text, {});
    const globalsBytes = programGlobals(text, { ...grid, firstBinding: 1 });
    const total = grid.threadCount * grid.blockCount;
    const kernel = kernelOf(parts, total, module.freePrefix("program_"));
    return {
      text: text.followedBy(`\n${kernel}\n${libraryText(module, grid, apis)}`),
      phases: parts.map(({ phase }) => phase),
      globalsBytes,
      apis: apis.filter((api) => usesApi(module, api)),
    };
  });
}

/** Writes a kernel with all phases, so that a program is compiled only once. */
function kernelOf(parts: readonly ProgramFunction[], total: number, prefix: string): string {
  return [
    "@group(1) @binding(0) var<storage, read_write> words: array<i32>;",
    "fn kernel() {",
    "  let index = wave_index * LANE_COUNT + lane_index;",
    `  if index >= ${total}u { return; }`,
    `  let phase = words[${ProgramWord.phase}];`,
    ...parts.map((part) => {
      const isOne = part.phase === ProgramPhase.main ? "" : " && index == 0u";
      return `  if phase == ${part.phase}${isOne} { ${callText(part)} }`;
    }),
    "}\n",
  ].join("\n").replaceAll(/\bwords\b/g, `${prefix}words`);
}

/** Writes the call of a function, which stores its result in the word of the thread. */
function callText({ name, parameterCount, hasResult }: ProgramFunction): string {
  const words = ARGUMENTS.slice(0, parameterCount)
    .map((argument) => `bitcast<u32>(words[${ProgramWord[argument]}])`);
  const call = `${name}(${words.join(", ")})`;
  return hasResult
    ? `let status = ${call}; words[${ProgramWord.results}u + index] = status;`
    : `${call};`;
}
