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
import { callSymbol } from "./foreign_callback.ts";
import { foreignFunction } from "./foreign_types.ts";
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
  /** For functions that end the process at arguments of the right types: `div` by 0, for example. */
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
 * all APIs of an `ApiServer`: give what two libraries have under one name an `ApiServer` each. Texts and
 * arrays are copies, which a function must not keep. A callback is called by the server's thread, inside
 * a call: of the function that it was given to, or of a later one where the library keeps it. Called at
 * another time it answers 0 and runs nothing. When it throws, it is not run again in that call, where C
 * sees zeros of it, and the caller gets the error. Callers may name any callback.
 *
 * @throws {Error} when no file can be opened, with the reason of each, or a symbol is absent
 * @throws {TypeError} for a variadic function
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
  const library = openLibrary(source, symbolsOf(api, source));
  try {
    // Before any call: to open a library may change what is read.
    const errno = readErrno ??= openErrno();
    const functions = Object.fromEntries(
      Object.entries(api.functions).map(([key, target]) => {
        const symbol = library.symbols[key] as unknown as (...values: unknown[]) => unknown;
        const foreign = { symbol, errno, check: source.checks?.[key] as Foreign["check"] };
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

function symbolsOf(
  api: HostApi,
  { symbols = {} }: Pick<LibrarySource, "symbols">,
): Deno.ForeignLibraryInterface {
  const entries = Object.entries(api.functions).map(([key, { signature }]) =>
    [key, { ...foreignFunction(signature), name: symbols[key] ?? key }] as const
  );
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
  readonly check: ((...values: unknown[]) => unknown) | undefined;
}

function callForeign(
  target: ApiFunction,
  { symbol, errno, check }: Foreign,
  values: readonly unknown[],
): unknown {
  const { parameters, result, failsWith } = target.signature;
  refusePromise(check?.(...values), "a check of serveLibrary");
  const backs: StructBack[] = [];
  const given = parameters.map((parameter, index) => foreignValue(parameter, values[index], backs));
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
