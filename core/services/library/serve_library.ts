import { refusePromise } from "../../memory/sync_result.ts";
import {
  type ApiFunction,
  type ApiServer,
  ErrnoError,
  type Functions,
  type FunctionSignature,
  type HostApi,
  type HostArgumentsOf,
  type HostFunctions,
  type Result,
  type ServedApi,
} from "../../signature/mod.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import { callSymbol } from "./foreign_callback.ts";
import { foreignFunction } from "./foreign_types.ts";
import {
  type Check,
  checkLengths,
  checkOf,
  checkSource,
  type End,
  endOf,
} from "./library_checks.ts";
import { foreignValue, hostResult, type StructBack, takeBack } from "./foreign_values.ts";

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
 * @throws {Error} when no file can be opened, with the reason of each, or a symbol is absent
 * Whatever lengths C is told of must be declared (`lengthOf`): a caller cannot lie about those. What no
 * declaration says needs one of the `checks`: how much memory a handle stands for, numbers that C takes
 * for addresses, or which callback a function can take.
 *
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
