import { ErrnoError, type HostApi } from "../../signature/mod.ts";
import { innerKind } from "../../signature/declare/kind.ts";
import type { ApiFunction, Parameter } from "../../signature/declaration_types.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import type { BuiltIn } from "../../signature/declare/built_in.ts";
import { LibraryMemory, readAt, readGlobal } from "./built_in.ts";
import {
  callSymbol,
  ForeignCallMemory,
  foreignFunction,
  foreignValue,
  hostResult,
} from "./foreign_values.ts";
import { errnoOf, openLibc } from "../../system/libc.ts";
import { FencePool } from "./fenced_memory.ts";

/** Where a library is. */
export interface LibraryFiles {
  /** File names, the first that can be opened is taken: `["libm.so.6", "libm.dylib"]`. */
  readonly files: readonly string[];
  /** What brings the library, for the message where it is absent: `the Debian package libhdf5-103`. */
  readonly packageHint?: string;
  /** What functions are called there, where that is another name than in the API. */
  readonly symbols?: Readonly<Record<string, string>>;
}

/** Calls a function of a library with what stands behind the arguments; a promise where it may wait. */
export type ForeignCall = (values: readonly unknown[]) => unknown;

/** An API's functions in a library that is open in this process. */
export class ForeignLibrary implements Disposable {
  /** By their names in the API. */
  readonly calls: Readonly<Record<string, ForeignCall>>;
  readonly #library: Deno.DynamicLibrary<Deno.ForeignLibraryInterface>;
  readonly #pool: FencePool;
  readonly #memory = new LibraryMemory();
  readonly #underWay = new Set<Promise<unknown>>();

  /**
   * @param pool memory for what calls send
   * @throws {Error} when no file can be opened, with the reason of each, or a symbol is absent
   * @throws {TypeError} for a variadic function
   */
  constructor(api: HostApi, files: LibraryFiles, pool: FencePool = new FencePool()) {
    this.#pool = pool;
    const interfaces = functionsOf(api).flatMap(([key, { signature }]) => {
      if (signature.builtIn && signature.builtIn !== "global") return [];
      const nonblocking = signature.blocking ?? false;
      const name = files.symbols?.[key] ?? key;
      const symbol = signature.builtIn
        ? { name, type: "pointer" }
        : { ...foreignFunction(signature), name, nonblocking };
      return [[key, symbol as Deno.ForeignFunction]] as const;
    });
    this.#library = openLibrary(files, Object.fromEntries(interfaces));
    const errno = readErrno ??= openErrno(); // before any call: to open a library may change what is read
    const parts = { pool: this.#pool, errno };
    this.calls = Object.fromEntries(
      functionsOf(api).map(([key, target]) => {
        const { builtIn } = target.signature;
        if (builtIn) return [key, this.#builtIn(key, target)];
        const symbol = this.#library.symbols[key] as unknown as Symbol;
        return [
          key,
          target.signature.blocking
            ? this.#noted(waiting(target, symbol, parts))
            : at(target, symbol, parts),
        ];
      }),
    );
  }

  /** Closes it, when the calls are over that wait. */
  [Symbol.dispose](): void {
    if (this.#underWay.size === 0) return this.#close();
    void Promise.allSettled(this.#underWay).then(() => this.#close());
  }

  #close(): void {
    this.#library.close();
    this.#pool[Symbol.dispose]();
    this.#memory[Symbol.dispose]();
  }

  #builtIn(key: string, target: ApiFunction): ForeignCall {
    const { builtIn } = target.signature;
    if (builtIn === "read") return ([address]) => readAt(target, address as bigint);
    if (builtIn !== "global") return this.#memory.callOf(builtIn as BuiltIn);
    const address = Deno.UnsafePointer.value(this.#library.symbols[key] as never);
    return () => readGlobal(target, address);
  }

  #noted(call: (values: readonly unknown[]) => Promise<unknown>): ForeignCall {
    return (values) => {
      const answer = call(values);
      this.#underWay.add(answer);
      const forget = () => this.#underWay.delete(answer);
      answer.then(forget, forget);
      return answer;
    };
  }
}

type Symbol = (...values: unknown[]) => unknown;

/** How a library's functions are called: with what, and what says why one failed. */
interface CallParts {
  readonly pool: FencePool;
  readonly errno: () => number;
}

function at(target: ApiFunction, symbol: Symbol, { pool, errno }: CallParts): ForeignCall {
  const { result, failsWith, parameters } = target.signature;
  const call = (values: readonly unknown[], memory: ForeignCallMemory) => {
    const answer = callSymbol(target.name, symbol, givenTo(target, values, memory));
    // Before anything else runs: whatever calls C next may set it anew.
    const number = failsWith === undefined ? 0 : errno();
    memory.takeBack();
    const back = hostResult(result, answer, memory);
    if (number > 0 && back === failsWith) throw new ErrnoError(number, target.name);
    return checkNull(target, back);
  };
  const none = new ForeignCallMemory(pool, target.name);
  if (!parameters.some(isSent)) return (values) => call(values, none);
  return (values) => {
    using memory = new ForeignCallMemory(pool, target.name);
    return call(values, memory);
  };
}

/** A function that may wait: it runs in another thread, and what it was given stays as it is until then. */
function waiting(
  target: ApiFunction,
  symbol: Symbol,
  { pool }: CallParts,
): (values: readonly unknown[]) => Promise<unknown> {
  return async (values) => {
    using memory = new ForeignCallMemory(pool, target.name);
    const answer = await symbol(...givenTo(target, values, memory));
    memory.takeBack();
    return checkNull(target, hostResult(target.signature.result, answer, memory));
  };
}

/** Whether C gets a pointer to something of the caller's. */
function isSent(parameter: Parameter): boolean {
  return ["string", "bytes", "struct", "reference"].includes(innerKind(parameter).kind);
}

function givenTo(
  { signature: { parameters } }: ApiFunction,
  values: readonly unknown[],
  memory: ForeignCallMemory,
): unknown[] {
  return parameters.map((parameter, index) => foreignValue(parameter, values[index], memory));
}

function checkNull({ name, signature: { result } }: ApiFunction, back: unknown): unknown {
  if (result.kind === "void") return undefined; // from another thread it comes as null
  if (back !== null || result.kind === "nullable") return back;
  throw new TypeError(`Cannot answer ${name} as the library returned null: declare it nullable`);
}

/**
 * Opens the first file of a library that can be opened.
 *
 * @internal
 * @throws {Error} when none can, with the reason of each
 */
export function openLibrary<Symbols extends Deno.ForeignLibraryInterface>(
  { files, packageHint }: Pick<LibraryFiles, "files" | "packageHint">,
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

/** Opened once, for all libraries and for good. */
let readErrno: (() => number) | undefined;

/** Reads C's `errno` of this thread. */
function openErrno(): () => number {
  if (Deno.build.os !== "linux") return () => 0;
  const { symbols } = openLibc();
  return () => errnoOf(symbols);
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
