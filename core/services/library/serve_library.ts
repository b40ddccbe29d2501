import { innerKind } from "../../signature/declare/kind.ts";
import { checkService, refusePromise } from "../../memory/sync_result.ts";
import {
  type ApiServer,
  ErrnoError,
  type HostApi,
  type HostFunctions,
  type ServedApi,
} from "../../signature/mod.ts";
import type {
  ApiFunction,
  Functions,
  FunctionSignature,
  HostArgumentsOf,
  Result,
} from "../../signature/declaration_types.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import {
  callSymbol,
  foreignFunction,
  foreignValue,
  hostResult,
  type StructBack,
  takeBack,
} from "./foreign_values.ts";
import { nameHint } from "../../text/nearest.ts";

/** Looks at the arguments of a call, and throws where C must not have them. */
export type ArgumentCheck<F> = F extends FunctionSignature<infer Ps, Result>
  ? (...values: HostArgumentsOf<Ps>) => void
  : never;

/** Where the functions of an API are. */
export interface LibrarySource<Fs extends Functions = Functions> {
  /** File names, the first that can be opened is taken: `["libm.so.6", "libm.dylib"]`. */
  readonly files: readonly string[];
  /** What brings the library, for the message where it is absent: `the Debian package libhdf5-103`. */
  readonly packageHint?: string;
  /** What functions are called there, where that is another name than in the API. */
  readonly symbols?: Readonly<Record<string, string>>;
  /**
   * For functions that end the process at arguments of the right types: `div` by 0, for example. One that
   * has a check may take bytes without a declared length, and null where others say a length.
   */
  readonly checks?: { readonly [K in keyof Fs]?: ArgumentCheck<Fs[K]> };
}

/** A library that a server's callers use. */
export class ServedLibrary {
  readonly #served: ServedApi;
  #close: () => void;

  /** @internal For `serveLibrary`. */
  constructor(served: ServedApi, close: () => void) {
    this.#served = served;
    this.#close = close;
  }

  /** Serves the functions no longer, and closes the library. Once. */
  [Symbol.dispose](): void {
    this.#served[Symbol.dispose]();
    this.#close();
    this.#close = () => {};
  }
}

/**
 * Serves functions of a C library, as an API declares them: needs `--allow-ffi`, Deno, and a machine of
 * 64 bits. The declaration is all that is known of the functions: one that does not fit the library ends
 * the process, as it does in C.
 *
 * Handles are pointers that the library returned; callers see numbers. What has one name is one kind in
 * all APIs of an `ApiServer`: give what two libraries have under one name an `ApiServer` each. A call
 * that ends a handle ends it for all who got the pointer, however often the library returned it. Texts and
 * arrays are copies, which a function must not keep. A callback is called by the server's thread, inside
 * a call: of the function that it was given to, or of a later one where the library keeps it. Called at
 * another time it answers 0 and runs nothing. When it throws, it is not run again in that call, where C
 * sees zeros of it, and the caller gets the error. Callers may name any callback.
 *
 * Whatever lengths C is told of must be declared (`lengthOf`): a caller cannot lie about those. What no
 * declaration says needs one of the `checks`: how much memory a handle stands for, numbers that C takes
 * for addresses, or which callback a function can take.
 *
 * @throws {Error} when no file can be opened, with the reason of each, or a symbol is absent
 * @throws {TypeError} for a variadic function, for bytes without a declared length where the function has
 * no check, and for checks and symbols of functions that the API has not
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../mod.ts";
 * import { ApiServer, f64, fn, hostApi } from "../../signature/mod.ts";
 * import { serveLibrary } from "./serve_library.ts";
 * const math = hostApi("math", { hypot: fn([f64, f64], f64) });
 * const server = new Server(Channel.create({ portCount: 1, laneCount: 1 }));
 * if (Deno.build.os === "linux") {
 *   using _library = serveLibrary(new ApiServer(server), math, { files: ["libm.so.6"] });
 * }
 * ```
 */
export function serveLibrary<Fs extends Functions>(
  server: ApiServer,
  api: HostApi<Fs>,
  source: LibrarySource<Fs>,
): ServedLibrary {
  checkSource(api, source);
  const library = openLibrary(source, symbolsOf(api, source));
  try {
    // Before any call: to open a library may change what is read.
    const errno = readErrno ??= openErrno();
    const functions = Object.fromEntries(
      functionsOf(api).map(([key, target]) => {
        const symbol = library.symbols[key] as unknown as (...values: unknown[]) => unknown;
        const foreign = {
          symbol,
          errno,
          check: checkOf(source, key, target),
          end: endOf(server, target),
        };
        return [key, (...values: unknown[]) => callForeign(target, foreign, values)];
      }),
    );
    const served = server.serve(api, functions as unknown as HostFunctions<Fs>);
    return new ServedLibrary(served, () => library.close());
  } catch (error) {
    library.close();
    throw error;
  }
}

function symbolsOf(api: HostApi, source: LibrarySource): Deno.ForeignLibraryInterface {
  const entries = functionsOf(api).map(([key, { name, signature }]) => {
    if (!Object.hasOwn(source.checks ?? {}, key)) checkLengths(name, signature);
    return [key, { ...foreignFunction(signature), name: source.symbols?.[key] ?? key }] as const;
  });
  return Object.fromEntries(entries) as Deno.ForeignLibraryInterface;
}

/**
 * Opens the first file of a library that can be opened.
 *
 * @internal
 * @throws {Error} when none can, with the reason of each
 */
export function openLibrary<Symbols extends Deno.ForeignLibraryInterface>(
  { files, packageHint }: Pick<LibrarySource, "files" | "packageHint">,
  symbols: Symbols,
): Deno.DynamicLibrary<Symbols> {
  if (!Array.isArray(files) || files.length === 0) {
    throw new TypeError(
      `Cannot open the library as files must be an array of names: current value is ${
        JSON.stringify(files)
      }`,
    );
  }
  const reasons: string[] = [];
  for (const file of files) {
    try {
      return Deno.dlopen(file, symbols);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      reasons.push(`${file}: ${(error as Error).message}`);
    }
  }
  const hint = packageHint ? `; it comes with ${packageHint}` : "";
  throw new Error(
    `Cannot open the library as no file of it can be used${hint}: ${reasons.join("; ")}`,
  );
}

interface Foreign {
  readonly symbol: (...values: unknown[]) => unknown;
  readonly errno: () => number;
  readonly check: Check;
  readonly end: End;
}

function callForeign(
  target: ApiFunction,
  { symbol, errno, check, end }: Foreign,
  values: readonly unknown[],
): unknown {
  const { parameters, result, failsWith } = target.signature;
  refusePromise(check?.(...values), "a check of serveLibrary");
  const backs: StructBack[] = [];
  const given = parameters.map((parameter, index) => foreignValue(parameter, values[index], backs));
  end(values);
  const answer = callSymbol(target.name, symbol, given);
  // Before anything else runs: whatever calls C next may set it anew.
  const number = failsWith === undefined ? 0 : errno();
  takeBack(backs);
  const back = hostResult(result, answer);
  if (number > 0 && back === failsWith) throw new ErrnoError(number, target.name);
  if (back !== null || result.kind === "nullable") return back;
  throw new TypeError(
    `Cannot answer ${target.name} as the library returned null: declare it nullable`,
  );
}

/** Opened once, for all libraries and for good. */
let readErrno: (() => number) | undefined;

/** Reads C's `errno` of this thread. */
function openErrno(): () => number {
  if (Deno.build.os !== "linux") return () => 0;
  const { symbols } = Deno.dlopen("libc.so.6", {
    __errno_location: { parameters: [], result: "pointer" },
  });
  return () => new Deno.UnsafePointerView(symbols.__errno_location()!).getInt32();
}

export type Check = ((...values: unknown[]) => unknown) | undefined;
export type End = (values: readonly unknown[]) => void;

/** A name that is misspelt would be passed over without a word. */
function checkSource(api: HostApi, { symbols = {}, checks = {} }: LibrarySource): void {
  const names = functionsOf(api).map(([key]) => key);
  for (const name of [...Object.keys(symbols), ...Object.keys(checks)]) {
    if (names.includes(name)) continue;
    throw new TypeError(
      `Cannot serve a library as ${api.name} has no function ${name}: ${nameHint(name, names)}`,
    );
  }
}

/** What stands before a function; one that the author wrote knows what C does with null. */
function checkOf(
  { checks = {} }: LibrarySource,
  key: string,
  target: ApiFunction,
): Check {
  const check: unknown = Object.hasOwn(checks, key) ? checks[key] : undefined;
  if (check === undefined) return nullCheck(target);
  checkService(`a check of ${key}`, check);
  return check as Check;
}

/** Where there is no array there is no length: C would read from address 0 on. */
function nullCheck({ name, signature: { parameters } }: ApiFunction): Check {
  const lengths = parameters.flatMap((parameter, index) => {
    const of = parameter.kind === "nullable" ? parameter.of : undefined;
    return of?.kind === "bytes" && of.length ? [{ index, length: of.length }] : [];
  });
  if (lengths.length === 0) return undefined;
  return (...values) => {
    for (const { index, length } of lengths) {
      const due = length.of(values);
      if (values[index] !== null || due === 0) continue;
      throw new RangeError(
        `Cannot call ${name} as argument ${index} is null: the others say ${due} bytes`,
      );
    }
  };
}

/** What C is told of the length must be true: else a caller has C write anywhere. */
function checkLengths(name: string, { parameters }: FunctionSignature): void {
  const index = parameters.findIndex((parameter) => {
    const kind = innerKind(parameter);
    return kind.kind === "bytes" && kind.length === undefined;
  });
  if (index < 0) return;
  throw new TypeError(
    `Cannot serve ${name} of a library as parameter ${index} is bytes whose length C cannot know: ` +
      "declare it by lengthOf() or fixedLength(), or give the function a check",
  );
}

/**
 * Ends the handles of what the library frees, however often it returned the pointer: nobody may use it
 * afterwards.
 */
function endOf(server: ApiServer, { signature: { parameters } }: ApiFunction): End {
  const ending = parameters.flatMap((parameter, index) => {
    const kind = innerKind(parameter);
    return kind.kind === "handle" && kind.isEnd ? [{ index, names: kind.name.split("|") }] : [];
  });
  return (values) => {
    for (const { index, names } of ending) {
      for (const name of names) server.takeBack(name, values[index]);
    }
  };
}

/** For `dlopen`: load it now, and keep it whatever is closed. */
const NOW_FOR_GOOD = 0x1002;

/**
 * Keeps a library in the process until that ends, for libraries with code that runs later than a worker
 * that used them: at the end of its thread, or of the program. Does nothing outside of Linux.
 *
 * @param files its names: the first that can be opened is kept
 */
export function keepLoaded(files: readonly string[]): void {
  if (Deno.build.os !== "linux") return;
  const libc = Deno.dlopen("libc.so.6", {
    dlopen: { parameters: ["buffer", "i32"], result: "pointer" },
  });
  files.find((file) => libc.symbols.dlopen(new TextEncoder().encode(`${file}\0`), NOW_FOR_GOOD));
  libc.close();
}
