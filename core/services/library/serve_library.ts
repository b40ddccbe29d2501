import { innerKind } from "../../signature/declare/kind.ts";
import { checkService, refusePromise } from "../../memory/sync_result.ts";
import {
  type ApiServer,
  type AsyncHostFunctions,
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
import { type ForeignCall, ForeignLibrary, type LibraryFiles } from "./foreign_library.ts";
import { LibraryProcess, type LibraryProcessOptions } from "./library_process.ts";
import { doBefore } from "../../signature/server/host_call.ts";
import { checkOptionNames, nameHint } from "../../text/nearest.ts";

/** Looks at the arguments of a call, and throws where C must not have them. */
export type ArgumentCheck<F> = F extends FunctionSignature<infer Ps, Result>
  ? (...values: HostArgumentsOf<Ps>) => void
  : never;

/** Where the functions of an API are. */
export interface LibrarySource<Fs extends Functions = Functions> extends LibraryFiles {
  /**
   * Whether the library is in a process of its own, on Linux: where it crashes, takes too long, or uses what a call
   * sent that is over, that one ends, calls that were in it fail and say so, and the next call has a new one.
   * Handles of the old one are told apart. Each call takes some tenths of a millisecond more.
   */
  readonly process?: boolean | LibraryProcessOptions;
  /**
   * For functions that end the process at arguments of the right types: `div` by 0, for example. One that
   * has a check may take bytes without a declared length, and null where others say a length.
   */
  readonly checks?: { readonly [K in keyof Fs]?: ArgumentCheck<Fs[K]> };
}

/** A library that a server's callers use. */
export class ServedLibrary implements Disposable, AsyncDisposable {
  readonly #served: ServedApi;
  #close: () => Promise<void> | void;

  /** @internal For `serveLibrary`. */
  constructor(served: ServedApi, close: () => Promise<void> | void) {
    this.#served = served;
    this.#close = close;
  }

  /** Serves the functions no longer, and closes the library. Once. */
  [Symbol.dispose](): void {
    void this[Symbol.asyncDispose]();
  }

  /** As at the end of a block, and waits until the library's process has ended, where it has one. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#served[Symbol.dispose]();
    const close = this.#close;
    this.#close = () => {};
    await close();
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
 * arrays are copies, which a function must not keep: send memory of `memoryOf` to one that does. A callback is called by the server's thread, inside
 * a call: of the function that it was given to, or of a later one where the library keeps it. Called at
 * another time it answers 0 and runs nothing. When it throws, it is not run again in that call, where C
 * sees zeros of it, and the caller gets the error. Callers may name any callback.
 *
 * Whatever lengths C is told of must be declared (`lengthOf`): a caller cannot lie about those. What no
 * declaration says needs one of the `checks`: how much memory a handle stands for, numbers that C takes
 * for addresses, or which callback a function can take.
 *
 * Of a function that is declared `blocking`, and of a library in a process, calls wait for each other no
 * longer; the server must run on an event loop (`runAsync`) then, as one that `startServer` starts does.
 *
 * @throws {Error} when no file can be opened, with the reason of each, or a symbol is absent; and where a process
 * was asked for, and this program may start none
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
  const isAsync = source.process ||
    functionsOf(api).some(([, { signature }]) => signature.blocking);
  const library = source.process ? processOf(api, source) : new ForeignLibrary(api, source);
  try {
    const functions = Object.fromEntries(
      functionsOf(api).map(([key, target]) => {
        const guard = { check: checkOf(source, key, target), end: endOf(server, target) };
        return [key, guarded(library.calls[key]!, guard)];
      }),
    );
    const served = isAsync
      ? server.serveAsync(api, functions as unknown as AsyncHostFunctions<Fs>)
      : server.serve(api, functions as unknown as HostFunctions<Fs>);
    return new ServedLibrary(served, () => {
      if (library instanceof LibraryProcess) return library.close();
      library[Symbol.dispose]();
    });
  } catch (error) {
    if (library instanceof LibraryProcess) void library.close();
    else library[Symbol.dispose]();
    throw error;
  }
}

function processOf(api: HostApi, { process, ...source }: LibrarySource): LibraryProcess {
  return new LibraryProcess(api, source, process === true ? {} : process || {});
}

interface Guard {
  readonly check: Check;
  readonly end: End;
}

function guarded(call: ForeignCall, { check, end }: Guard): (...values: unknown[]) => unknown {
  return (...values) => {
    doBefore(() => refusePromise(check?.(...values), "a check of serveLibrary"));
    end(values);
    return call(values);
  };
}

type Check = ((...values: unknown[]) => unknown) | undefined;
type End = (values: readonly unknown[]) => void;

const SOURCE_OPTIONS = ["files", "packageHint", "symbols", "process", "checks"];

/** A name that is misspelt would be passed over without a word. */
function checkSource(api: HostApi, source: LibrarySource): void {
  checkOptionNames("serve a library", source, SOURCE_OPTIONS);
  const { symbols = {}, checks = {} } = source;
  for (const [key, { name, signature }] of functionsOf(api)) {
    if (!Object.hasOwn(checks, key) && !signature.builtIn) checkLengths(name, signature);
  }
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
        `Cannot call ${name} as argument ${index} is null: the others say ${
          length.textOf(values)
        } bytes`,
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
 * afterwards. Those that it may give back are held as a whole by the server.
 */
function endOf(server: ApiServer, { signature: { parameters } }: ApiFunction): End {
  const ending = parameters.flatMap((parameter, index) => {
    const kind = innerKind(parameter);
    return kind.kind === "handle" && kind.isEnd && !kind.gives
      ? [{ index, names: kind.name.split("|") }]
      : [];
  });
  return (values) => {
    for (const { index, names } of ending) {
      for (const name of names) server.takeBack(name, values[index]);
    }
  };
}
