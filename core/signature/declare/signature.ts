import type { ErrorMeaning } from "./errno.ts";
import { fnv1a } from "./fnv1a.ts";
import type { Field, HandleKind, Parameter, Result, Struct, Union } from "./kind.ts";
import { isName } from "./kind_problem.ts";
import { signatureProblem } from "./signature_problem.ts";

/** What a function takes and gives. */
export interface FunctionSignature<
  Ps extends readonly Parameter[] = readonly Parameter[],
  R extends Result = Result,
> {
  /** In C's order. */
  readonly parameters: Ps;
  /** One, or nothing. */
  readonly result: R;
  /** The result that says that the function failed, and that `errno` says why. */
  readonly failsWith?: number | bigint | null | undefined;
  /** What the numbers of its failures mean, where they are not those of Linux. */
  readonly meaningOf?: ((errno: number) => ErrorMeaning) | undefined;
  /** Whether it may wait, so that a library's runs in a thread of its own. */
  readonly blocking?: boolean | undefined;
  /** What is done in its place by who serves a library: see `memoryOf`, `readOf` and `globalOf`. */
  readonly builtIn?: string | undefined;
}

/** What else a function declares. */
export interface FunctionOptions {
  /** The result of a failed call: -1, or null for a handle or a text. Callers get an `ErrnoError`. */
  readonly failsWith?: number | bigint | null;
  /** What the numbers of its failures mean, for the caller's error; those of Linux when absent. */
  readonly meaningOf?: (errno: number) => ErrorMeaning;
  /**
   * Whether a function of a library may wait, as `sleep` does: it runs in a thread of its own then, and others
   * are served meanwhile. It takes no callbacks, and `failsWith` cannot be told why: `errno` is the thread's.
   */
  readonly blocking?: boolean;
}

/** A function of an API: its signature, and what it is called. */
export interface ApiFunction<F extends FunctionSignature = FunctionSignature> {
  /** What it takes and gives. */
  readonly signature: F;
  /** `api.function`. */
  readonly name: string;
  /** The whole signature, as both sides must have it. */
  readonly text: string;
  /** Of the text: crosses with every call. */
  readonly hash: number;
}

/** The functions of an API, by name. */
export type Functions = Readonly<Record<string, FunctionSignature>>;

/** An API: declared once, for who calls it and who serves it. */
export interface HostApi<Fs extends Functions = Functions> {
  /** In front of the names of its functions. */
  readonly name: string;
  /** What it has. */
  readonly functions: { readonly [K in keyof Fs]: ApiFunction<Fs[K]> };
}

/**
 * Declares what a function takes and gives, as C would.
 *
 * @throws {TypeError} when something makes no sense: a length of an argument that is no integer,
 * something behind a `variadic`, a field or a handle whose name is none, a constant or `failsWith` that
 * is no value of its type
 */
export function fn<const Ps extends readonly Parameter[], R extends Result>(
  parameters: Ps,
  result: R,
  options: FunctionOptions = {},
): FunctionSignature<Ps, R> {
  checkOptions(options);
  const { failsWith, meaningOf, blocking } = options;
  const signature = Object.freeze({ parameters, result, failsWith, meaningOf, blocking });
  const problem = signatureProblem(signature);
  if (problem) throw new TypeError(`Cannot declare a function as ${problem}`);
  return signature;
}

const OPTIONS = ["failsWith", "meaningOf", "blocking"];

function checkOptions(options: FunctionOptions): void {
  const isObject = typeof options === "object" && options !== null;
  const strange = isObject
    ? Object.keys(options).find((key) => !OPTIONS.includes(key))
    : String(options);
  if (strange === undefined) return;
  throw new TypeError(
    `Cannot declare a function as its options are { ${
      OPTIONS.join(", ")
    } }: current value is ${strange}`,
  );
}

/**
 * Declares functions under the name of an API.
 *
 * @throws {TypeError} when a name is not made of ASCII letters, digits and `_`, a letter first, or a
 * function is none that `fn` made
 *
 * @example
 * ```ts
 * import { f64 } from "./kind.ts";
 * import { fn, hostApi } from "./signature.ts";
 * const math = hostApi("math", { hypot: fn([f64, f64], f64) });
 * if (math.functions.hypot.text !== "math.hypot(f64, f64) -> f64") throw new Error("the signature");
 * ```
 */
export function hostApi<Fs extends Functions>(name: string, functions: Fs): HostApi<Fs> {
  checkName(name);
  if (Object(functions) !== functions) {
    throw new TypeError(
      `Cannot declare the API ${name} as its functions must be an object: current value is ${functions}`,
    );
  }
  const named = Object.entries(functions).map(([key, signature]) => {
    checkName(key);
    const problem = signatureProblem(Object(signature) as FunctionSignature);
    if (problem) {
      throw new TypeError(`Cannot declare ${name}.${key} as fn() must make it, and ${problem}`);
    }
    const text = signatureText(`${name}.${key}`, signature);
    // The highest bit is set: a kernel's packet, which begins with it, is no stream of such a length.
    const hash = (fnv1a(text) | 0x80000000) >>> 0;
    return [key, Object.freeze({ signature, name: `${name}.${key}`, text, hash })];
  });
  return Object.freeze({ name, functions: Object.freeze(Object.fromEntries(named)) });
}

/**
 * The functions of an API by their names in it, for those who take one.
 *
 * @throws {TypeError} when it is none that `hostApi` made
 */
export function functionsOf(api: HostApi): readonly (readonly [string, ApiFunction])[] {
  const functions = Object.entries(Object(Object(api).functions) as HostApi["functions"]);
  const isApi = isName(Object(api).name) && Object.hasOwn(api, "functions") &&
    functions.every(([, target]) => typeof target?.hash === "number");
  if (isApi) return functions;
  throw new TypeError(
    `Cannot take an API as hostApi() must make it: current value is ${String(api)}`,
  );
}

function checkName(name: unknown): void {
  if (isName(name)) return;
  throw new TypeError(
    `Cannot declare an API as names are letters, digits and _, a letter first: current value is ${
      JSON.stringify(name)
    }`,
  );
}

/** The signature of a function as both sides must have it: `math.hypot(f64, f64) -> f64`. */
export function signatureText(name: string, signature: FunctionSignature): string {
  const { parameters, result, failsWith } = signature;
  const failure = failsWith === undefined ? "" : `, ${failsWith} on failure`;
  return `${name}(${parameters.map(kindText).join(", ")}) -> ${kindText(result)}${failure}`;
}

function kindText(kind: Parameter | Result | Field): string {
  switch (kind.kind) {
    case "scalar":
      return kind.type;
    case "bytes":
      return `${kind.direction} bytes${kind.length ? `[${kind.length}]` : ""}`;
    case "handle":
      return `${kind.isEnd ? "ends " : ""}Handle<${kind.name}>${endText(kind)}`;
    case "struct":
      return structText(kind);
    case "union":
      return `union ${structText(kind)}`;
    case "reference":
      return `${kind.direction} *${structText(kind.struct)}`;
    case "nullable":
      return `${kindText(kind.of)} or null`;
    case "array":
      return `${kindText(kind.of)}[${kind.count}]`;
    case "constant":
      return `${kind.of.type} = ${kind.value}`;
    case "callback":
      return `(${kind.parameters.map(kindText).join(", ")}) => ${kindText(kind.result)}`;
    case "variadic":
      return "...";
    default:
      return kind.kind;
  }
}

function endText({ gives }: HandleKind): string {
  if (!gives) return "";
  return "when" in gives ? ` when ${gives.when}` : ` unless ${gives.unless}`;
}

function structText({ fields }: Struct | Union): string {
  const texts = Object.entries(fields).map(([name, field]) => `${name}: ${kindText(field)}`);
  return `{ ${texts.join(", ")} }`;
}
