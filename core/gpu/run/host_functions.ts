import type { Packet, PacketWork } from "../../memory/packet.ts";
import { checkService, isPromise } from "../../memory/sync_result.ts";
import { type Functions, functionsOf, type HostApi } from "../../signature/declare/signature.ts";
import type { ApiServer, AsyncHostFunctions } from "../../signature/server/api_server.ts";
import { nameHint } from "../../text/nearest.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import type { KernelHeap } from "../heap/device_heap.ts";
import { partsOf, type Service } from "../kernel/services.ts";
import type { Types } from "../text/inference.ts";
import type { Type } from "../text/value_type.ts";

/**
 * A function of the host that a kernel declares. It receives numbers and booleans as such, vectors,
 * matrices and arrays as arrays, and structs as objects, and returns its result in the same form, or a
 * promise of it.
 */
// deno-lint-ignore no-explicit-any -- the kernel's text declares the parameters
export type KernelFunction = (...values: any[]) => unknown;

/** An API that a kernel may call by names such as `math_hypot`, and its implementation. */
export interface HostLibrary {
  /** The functions of the API. */
  readonly api: HostApi;
  /**
   * Adds the API to a server, as `serveFiles` does. The result is disposed of after the run.
   *
   * @param kernel gives access to the heap, and throws a `TypeError` if there is none
   */
  readonly serve: (apis: ApiServer, kernel: { readonly heap: KernelHeap }) => Partial<Disposable>;
}

/**
 * Combines an API with its functions, for the option `libraries` of a run. They may return promises.
 *
 * @throws {TypeError} when a value is not a function, or the API has no function of its name
 *
 * @example
 * ```ts
 * import { f64, fn, hostApi } from "../../signature/mod.ts";
 * import { hostLibrary } from "./host_functions.ts";
 * const math = hostApi("math", { hypot: fn([f64, f64], f64) });
 * if (hostLibrary(math, { hypot: Math.hypot }).api !== math) throw new Error("the API that it serves");
 * ```
 */
export function hostLibrary<Fs extends Functions>(
  api: HostApi<Fs>,
  functions: AsyncHostFunctions<Fs>,
): HostLibrary {
  const keys = functionsOf(api).map(([key]) => key);
  const works = Object.entries<KernelFunction>(functions).map(([key, work]) => {
    checkService(`${api.name}.${key}`, work);
    if (keys.includes(key)) return [key, (...values: unknown[]) => soonOf(work(...values))];
    throw new TypeError(
      `Cannot serve ${api.name} as it has no function ${key}: ${nameHint(key, keys)}`,
    );
  });
  return { api, serve: (apis) => apis.serve(api, Object.fromEntries(works)) };
}

/** Makes a promise pending, so that the server can serve other calls in the meantime. */
function soonOf(result: unknown): unknown {
  return isPromise(result) ? pendingOf(result) : result;
}

function pendingOf<T>(promise: PromiseLike<T>): Pending<T | null> {
  let poll = (): T | null | undefined => undefined;
  promise.then((value) => poll = () => value ?? null, (error) => {
    poll = () => {
      throw error;
    };
  });
  return new Pending<T | null>({ poll: () => poll() });
}

/** How the words of a packet make up a value. */
type ValueLayout =
  | { readonly scalar: string }
  | { readonly parts: readonly ValueLayout[]; readonly names: readonly string[] | undefined };

function layoutOf(types: Types, type: Type): ValueLayout {
  const parts = partsOf(types, type);
  if (!parts) return { scalar: type.name };
  const isStruct = types.module.byName.get(type.name)?.kind === "struct";
  return {
    parts: parts.map((part) => layoutOf(types, part.type)),
    names: isStruct ? parts.map(({ path }) => path.slice(1)) : undefined,
  };
}

const word = new DataView(new ArrayBuffer(4));

function valueOf(layout: ValueLayout, nextWord: () => number): unknown {
  if ("parts" in layout) {
    const { parts, names } = layout;
    const values = parts.map((part) => valueOf(part, nextWord));
    return names ? Object.fromEntries(names.map((name, at) => [name, values[at]])) : values;
  }
  word.setUint32(0, nextWord());
  switch (layout.scalar) {
    case "f32":
      return word.getFloat32(0);
    case "i32":
      return word.getInt32(0);
    case "bool":
      return word.getUint32(0) !== 0;
    default:
      return word.getUint32(0);
  }
}

/** @param what names the value in error messages */
function putValue(
  layout: ValueLayout,
  { what, value }: { readonly what: string; readonly value: unknown },
  put: (word: number) => void,
): void {
  if ("parts" in layout) {
    const { parts, names } = layout;
    const isWhole = Object(value) === value &&
      (names || (value as ArrayLike<unknown>).length === parts.length);
    if (!isWhole) refuse(what, names ? "an object" : `${parts.length} values`, value);
    parts.forEach((part, at) => {
      const key = names?.[at] ?? String(at);
      const path = names ? `.${key}` : `[${key}]`;
      const inner = (value as Readonly<Record<string, unknown>>)[key];
      putValue(part, { what: what + path, value: inner }, put);
    });
    return;
  }
  const { scalar } = layout;
  if (scalar === "bool") {
    if (typeof value !== "boolean") refuse(what, "true or false", value);
    return put(Number(value));
  }
  if (typeof value !== "number") refuse(what, `a number, ${scalar}`, value);
  if (scalar === "f32") word.setFloat32(0, value as number);
  else word.setUint32(0, value as number);
  const back = scalar === "i32" ? word.getInt32(0) : word.getUint32(0);
  if (scalar !== "f32" && back !== value) {
    const range = scalar === "i32" ? "-2147483648 to 2147483647" : "0 to 4294967295";
    refuse(what, `an integer from ${range}, ${scalar}`, value);
  }
  put(word.getUint32(0));
}

function refuse(what: string, wanted: string, value: unknown): never {
  throw new TypeError(`Cannot answer as ${what} must be ${wanted}: current value is ${value}`);
}

/**
 * Serves a function that a kernel declares, at once unless it returns a promise. The lanes of a call
 * are served in order, and their promises are awaited together.
 */
export function functionWork(types: Types, service: Service, work: KernelFunction): PacketWork {
  const parameters = service.parameters.map(({ type }) => layoutOf(types, type));
  const result = service.result && layoutOf(types, service.result);
  const what = `the result of ${service.name}`;
  return (packet) => {
    const lanes: number[] = [];
    const results: unknown[] = [];
    const answer = (packet: Packet, values: readonly unknown[]) => {
      if (!result) return;
      lanes.forEach((lane, at) => {
        let word = 0;
        const put = (value: number) => packet.setUint32(lane, word++, value);
        putValue(result, { what, value: values[at] }, put);
      });
    };
    try {
      packet.forEachLane((lane) => {
        let word = 0;
        const next = () => packet.getUint32(lane, word++);
        const values = parameters.map((layout) => valueOf(layout, next));
        lanes.push(lane);
        results.push(work(...values));
      });
    } catch (error) {
      void Promise.allSettled(results); // nobody awaits the results of the lanes before it
      throw error;
    }
    if (!results.some(isPromise)) return answer(packet, results);
    return pendingOf(Promise.all(results))
      .map((values) => (packet: Packet) => answer(packet, values!));
  };
}
