import * as kind from "./kind.ts";
import type { Parameter, Result, Scalar, ScalarName, Text, Void } from "./kind.ts";
import { fn, type FunctionOptions, type Functions, type FunctionSignature } from "./signature.ts";

/** What the words of a line stand for, beside the scalars, `string` and `nothing`. */
export type Kinds = Readonly<Record<string, Parameter | Result>>;

/** The words of a text. */
export type WordsOf<T extends string> = T extends `${infer First} ${infer Rest}`
  ? First | WordsOf<Rest>
  : T;

/** What a word stands for. */
export type KindOf<W, K> = W extends keyof K ? K[W]
  : W extends ScalarName ? Scalar<W>
  : W extends "string" ? Text
  : W extends "nothing" ? Void
  : never;

/** What the words of a text stand for, in order. */
export type KindsOf<T extends string, K> = T extends "" ? readonly []
  : T extends `${infer First} ${infer Rest}` ? readonly [KindOf<First, K>, ...KindsOf<Rest, K>]
  : readonly [KindOf<T, K>];

/** The signature of these kinds. */
export type SignatureOf<Ps, R> = FunctionSignature<
  Ps extends readonly Parameter[] ? Ps : never,
  R extends Result ? R : never
>;

/** The names in front of the colons of lines. */
export type NamesOf<L> = L extends `${infer Names}: ${string}` ? WordsOf<Names> : never;

/** The signature of one name: that of its line. */
export type SignatureIn<L, Name, K> = L extends `${infer Names}: ${infer Form}`
  ? Name extends WordsOf<Names>
    ? Form extends `-> ${infer R}` ? SignatureOf<readonly [], KindOf<R, K>>
    : Form extends `${infer Ps} -> ${infer R}` ? SignatureOf<KindsOf<Ps, K>, KindOf<R, K>>
    : never
  : never
  : never;

/** The functions of some lines, see {@linkcode fns}. */
export type Fns<L extends string, K extends Kinds = Record<never, never>> = {
  readonly [Name in NamesOf<L>]: SignatureIn<L, Name, K>;
};

/** Names, a colon, the kinds of the parameters, an arrow, the kind of the result. */
const LINE = /^(\w+(?: \w+)*): (?:(\w+(?: \w+)*) )?-> (\w+)$/;

/**
 * Declares functions by lines of text, one for each form: `sin cos tan: f64 -> f64`. Kinds are named
 * by words: those of the scalars, `string`, `nothing`, and what `kinds` has. Words are separated by
 * single spaces.
 *
 * @throws {SyntaxError} when a line is none, or a word is unknown
 * @throws {TypeError} as {@linkcode fn}, or when two lines have one name
 *
 * @example
 * ```ts
 * import { handle } from "./kind.ts";
 * import { hostApi } from "./signature.ts";
 * import { fns } from "./fns.ts";
 * const api = hostApi("c", fns(
 *   { FILE: handle("FILE") },
 *   "sin cos tan: f64 -> f64",
 *   "clock: -> i64",
 *   "feof ferror: FILE -> i32",
 * ));
 * if (api.functions.ferror.text !== "c.ferror(Handle<FILE>) -> i32") throw new Error("six functions");
 * ```
 */
export function fns<const K extends Kinds, const L extends string>(
  kinds: K,
  ...lines: readonly L[]
): Fns<L, K> {
  if (Object(kinds) !== kinds) {
    throw new TypeError(
      `Cannot declare functions as kinds must be an object: current value is ${kinds}`,
    );
  }
  const functions: Record<string, FunctionSignature> = {};
  for (const line of lines) {
    const [, names = "", parameters = "", result = ""] =
      (typeof line === "string" ? LINE.exec(line) : null) ??
        refuse(line, "a line must be `names: kinds -> kind`, with single spaces and no commas");
    const [resultKind, ...parameterKinds] = [result, ...wordsOf(parameters)].map((word) =>
      kindOf(word, kinds) ??
        refuse(line, `the word ${word} must be a scalar, string, nothing or one of kinds`)
    );
    const signature = declared(line, parameterKinds as Parameter[], resultKind as Result);
    for (const name of wordsOf(names)) {
      if (Object.hasOwn(functions, name)) {
        throw new TypeError(`Cannot declare the function ${name} as two lines have it`);
      }
      functions[name] = signature;
    }
  }
  return functions as unknown as Fns<L, K>;
}

/** What a failed call gives in place of a number. */
const FAILURES: Partial<Record<ScalarName, number | bigint>> = { i32: -1, i64: -1n, u32: 0 };

/**
 * The same functions, of which a failed call gives what it does in C: -1 in place of an `i32` or `i64`, 0 of
 * a `u32`, null where the result may be null. A function with another result does not fail.
 *
 * @param options `meaningOf`: as for {@linkcode fn}
 */
export function failing<F extends Functions>(
  functions: F,
  options: Pick<FunctionOptions, "meaningOf"> = {},
): F {
  const declared = Object.entries(functions).map(([name, signature]) => {
    const { parameters, result } = signature;
    const failsWith = result.kind === "nullable"
      ? null
      : result.kind === "scalar"
      ? FAILURES[result.type]
      : undefined;
    if (failsWith === undefined) return [name, signature];
    return [name, fn(parameters, result, { ...options, failsWith })];
  });
  return Object.fromEntries(declared) as F;
}

const BUILT_IN: Kinds = {
  ...Object.fromEntries(
    Object.keys(kind.SCALAR_BYTES).map((name) => [name, kind[name as ScalarName]]),
  ),
  string: kind.string,
  nothing: kind.nothing,
};

function kindOf(word: string, kinds: Kinds): Parameter | Result | undefined {
  if (Object.hasOwn(kinds, word)) return kinds[word];
  return Object.hasOwn(BUILT_IN, word) ? BUILT_IN[word] : undefined;
}

function declared(line: string, parameters: Parameter[], result: Result): FunctionSignature {
  try {
    return fn(parameters, result);
  } catch (error) {
    throw new TypeError(`${(error as Error).message}; current line is ${JSON.stringify(line)}`);
  }
}

function wordsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

function refuse(line: string, what: string): never {
  throw new SyntaxError(
    `Cannot declare functions as ${what}: current line is ${JSON.stringify(line)}`,
  );
}
