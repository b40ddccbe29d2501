import type { FunctionDeclaration } from "../syntax/declarations.ts";
import { positionAt } from "../syntax/text_position.ts";
import type { Token } from "../syntax/tokens.ts";
import { KernelCompileError, refuseProblem } from "../wgsl/kernel_compile.ts";

/** What a run of the kernel does: the number that the host writes to the word `phase`. */
export const ProgramPhase = { begin: 0, main: 1, end: 2 } as const;
/** A number of {@linkcode ProgramPhase}. */
export type ProgramPhase = typeof ProgramPhase[keyof typeof ProgramPhase];

/** Words of the program's buffer; behind them is the result of each thread. */
export const ProgramWord = { phase: 0, argc: 1, argv: 2, envp: 3, results: 4 } as const;

/** One of the functions that make a program. */
export interface ProgramFunction {
  readonly name: keyof typeof ProgramPhase;
  readonly phase: ProgramPhase;
  /** How many of `argc`, `argv` and `envp` it takes. */
  readonly parameterCount: number;
  readonly hasResult: boolean;
}

/** What is written in an error. */
const FORMS: Readonly<Record<keyof typeof ProgramPhase, string>> = {
  begin: "fn begin() { ... }, or with main's parameters",
  main: "fn main(argc: u32, argv: u32) -> i32 { ... }",
  end: "fn end() { ... }, or with main's parameters",
};

/**
 * The functions that make a program, in the order in which they run.
 *
 * @throws {TypeError} when there is no `main`
 * @throws {KernelCompileError} when one is not as it has to be, or is the kernel's
 */
export function programFunctions(
  source: string,
  tokens: readonly Token[],
  declared: readonly FunctionDeclaration[],
): readonly ProgramFunction[] {
  const functions = new Map(declared.map((one) => [one.name.text, one]));
  const refuse = ({ index }: Token, reason: string): never => {
    throw KernelCompileError.at(source, positionAt(source, index), reason);
  };
  refuseProblem(source);
  if (!functions.has("main")) {
    throw new TypeError(`Cannot run the program as it has no main: write ${FORMS.main}`);
  }
  const kernel = functions.get("kernel");
  if (kernel) refuse(kernel.name, "kernel is what a program is made to: choose another name");
  const names = Object.keys(ProgramPhase) as (keyof typeof ProgramPhase)[];
  return names.filter((name) => functions.has(name)).map((name) => {
    const one = functions.get(name)!;
    const problem = problemOf(tokens, one);
    if (problem) refuse(one.name, `${problem}: write ${FORMS[name]}`);
    const { parameters: { length: parameterCount }, result } = one;
    const hasResult = result.end > result.start;
    return { name, phase: ProgramPhase[name], parameterCount, hasResult };
  });
}

/** What is wrong with one of the functions. */
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
