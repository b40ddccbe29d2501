import { cloneValue } from "./clone_value.ts";
import { errorReport } from "../../../call/error_report.ts";

/**
 * The language's names, none of which reaches anything. Not `FinalizationRegistry`: what its callbacks
 * throw, V8 writes to standard output.
 */
const LANGUAGE: ReadonlySet<string> = new Set(
  `Infinity NaN undefined globalThis Object Array Number Boolean String Symbol BigInt Math Date JSON
  RegExp Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect Iterator Intl
  Temporal Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  SuppressedError DisposableStack AsyncDisposableStack DOMException ArrayBuffer SharedArrayBuffer
  Atomics DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
  Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array WebAssembly
  parseInt parseFloat isFinite isNaN decodeURI decodeURIComponent encodeURI encodeURIComponent
  escape unescape`.split(/\s+/),
);

/** What is left of the runtime's, with what is on them: they take texts, numbers and bytes. */
const RUNTIME = [
  "TextEncoder",
  "TextDecoder",
  "DOMException",
  "atob",
  "btoa",
  "clearTimeout",
  "clearInterval",
] as const;

/** Native, and yet the runtime's: it is called with what the guest gives. */
const STREAMING = ["compileStreaming", "instantiateStreaming"];

/** By which the language finds functions of objects; every other symbol is the runtime's. */
const SYMBOLS: ReadonlySet<unknown> = new Set(
  Object.values(
    Object.getOwnPropertyDescriptors(Symbol),
  ).map(({ value }) => value),
);

/**
 * Leaves in this realm what a guest may have, and freezes it: the functions of the language, and a few that
 * are listed; all others that can be reached are taken away, wherever they are found, and so is every
 * way to make code of texts. Nothing that was there before the guest can be changed by it, so that the
 * runtime's code and ours never meet what a guest put in their way. For code that was checked to hold
 * no `import`.
 *
 * @param print takes what the guest writes to its console, and what it throws where nobody catches it
 * @throws {Error} when the runtime has something that cannot be taken away
 */
export function lockRealm(print: (text: string) => void): void {
  const { Event, ErrorEvent, EventTarget, MessageEvent, PromiseRejectionEvent } = globalThis;
  const events = [Event, ErrorEvent, EventTarget, MessageEvent, PromiseRejectionEvent];
  stayAwake();
  queueMicrotask(() => {}); // at its first use the runtime changes the global object
  const ours = ourGlobals(print);
  const listed = {
    ...ours,
    ...Object.fromEntries(RUNTIME.map((name) => [name, globalThis[name]])),
  };
  for (const [name, value] of Object.entries(listed)) {
    Object.defineProperty(globalThis, name, { value });
  }
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!LANGUAGE.has(name) && !Object.hasOwn(listed, name)) {
      Reflect.deleteProperty(globalThis, name);
    }
  }
  for (const name of STREAMING) Reflect.deleteProperty(WebAssembly, name);
  for (const make of makersOfCode()) {
    Object.defineProperty(Object.getPrototypeOf(make), "constructor", { value: refuseCode });
  }
  const roots = [globalThis, ...makersOfCode(), ...iterators()];
  takeOthers(roots, new Set([refuseCode, ...functionsOf(Object.values(listed))]));
  derivePlainPromises();
  for (const one of reached(roots)) if (isAssignedOver(one)) allowAssignment(one);
  // Stacks would tell where the host's files are.
  for (const [name, value] of [["stackTraceLimit", 0], ["prepareStackTrace", undefined]] as const) {
    Object.defineProperty(Error, name, { value });
  }
  for (const one of reached([...roots, ...events])) Object.freeze(one);
  /(?:)/.exec(""); // else `RegExp.$_` is the last text that was looked at
}

/** Kept here, as the runtime closes a port that nobody knows. */
let port: MessagePort | undefined;

/**
 * Keeps this worker's event loop from coming to an end, whatever becomes of the runtime's wait for
 * messages: it would end the whole program. So the guest is late, as others that do not answer.
 */
function stayAwake(): void {
  port = new MessageChannel().port1;
  port.onmessage = () => {};
}

/** What syntax leads to, and no name. */
function makersOfCode(): object[] {
  return [function () {}, async function () {}, function* () {}, async function* () {}];
}

function refuseCode(): never {
  throw new TypeError("Cannot make code of a text in a sandbox");
}

/** As {@linkcode makersOfCode}. */
function iterators(): object[] {
  const built = [[], new Map(), new Set(), "", new Uint8Array()].map((one) =>
    one[Symbol.iterator]()
  );
  const wrapped = Iterator.from({ next: () => ({ done: true, value: 0 }) });
  const segments = new Intl.Segmenter().segment("");
  const ofTexts = ["".matchAll(/x/g), segments, segments[Symbol.iterator]()];
  return [...built, ...ofTexts, wrapped, wrapped.map(() => 0)];
}

/** The functions among some values, and those that are on them and on their prototypes. */
function functionsOf(values: readonly object[]): object[] {
  const holders = values.flatMap((value) => [value, (value as { prototype?: object }).prototype]);
  const found = holders.filter(isObject).flatMap((one) =>
    Reflect.ownKeys(one).flatMap((key) => valuesAt(one, key))
  );
  return [...values, ...found].filter((one) => typeof one === "function");
}

/**
 * Takes away what is neither the language's nor listed: functions that have a source, and what stands
 * behind symbols of the runtime's. It finds its own data on the global object by such, which stay.
 */
function takeOthers(roots: readonly object[], listed: ReadonlySet<object>): void {
  const isLeft = (one: object) =>
    typeof one !== "function" || listed.has(one) || String(one).endsWith("{ [native code] }");
  const found = new Set(roots);
  for (const one of found) {
    for (const key of Reflect.ownKeys(one)) {
      const isNamed = typeof key === "string" || SYMBOLS.has(key);
      if (!isNamed && one === globalThis) continue;
      const values = valuesAt(one, key);
      if (isNamed && values.every(isLeft)) { for (const value of values) found.add(value); }
      else if (!Reflect.deleteProperty(one, key)) {
        throw new Error(`Cannot take ${String(key)} away`);
      }
    }
    addPrototype(found, one);
  }
}

/** Each object that can be reached from some, those among them. */
function reached(roots: readonly object[]): Set<object> {
  const found = new Set(roots);
  for (const one of found) {
    for (const key of Reflect.ownKeys(one)) {
      for (const value of valuesAt(one, key)) found.add(value);
    }
    addPrototype(found, one);
  }
  return found;
}

function addPrototype(found: Set<object>, one: object): void {
  const prototype: object | null = Reflect.getPrototypeOf(one);
  if (prototype) found.add(prototype);
}

/** The objects of a property, without calling its getter. */
function valuesAt(one: object, key: PropertyKey): object[] {
  const { value, get, set } = Reflect.getOwnPropertyDescriptor(one, key)!;
  return [value, get, set].filter(isObject);
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * Makes `then` return a plain promise. One of a guest's class is settled by functions of the guest's, and
 * what these throw V8 writes to standard output; every way to such a promise goes through `then`.
 */
function derivePlainPromises(): void {
  const { prototype } = Promise;
  const { then } = prototype;
  function isPlain(promise: object): boolean {
    return Object.getPrototypeOf(promise) === prototype && !Object.hasOwn(promise, "constructor");
  }
  Object.assign(prototype, {
    then(this: Promise<unknown>, onFulfilled: undefined, onRejected: undefined) {
      // Its own, as what it inherits may answer otherwise when it is asked again.
      if (!isPlain(this) && !Reflect.defineProperty(this, "constructor", { value: Promise })) {
        throw new TypeError("Cannot wait in a sandbox for a promise that is frozen with its class");
      }
      return then.call(this, onFulfilled, onRejected);
    },
  });
}

/** Whether programs give objects properties of their own by its names, as with `error.name = "..."`. */
function isAssignedOver(one: object): boolean {
  return [Object.prototype, Object.getPrototypeOf(Object), Error.prototype].includes(
    one as never,
  ) ||
    Object.prototype.isPrototypeOf.call(Error.prototype, one);
}

/** An assignment would fail for each object below one that is frozen; a setter makes it work. */
function allowAssignment(object: object): void {
  for (const name of Object.getOwnPropertyNames(object)) {
    const { value, writable, enumerable } = Object.getOwnPropertyDescriptor(object, name)!;
    if (!writable) continue;
    Object.defineProperty(object, name, {
      enumerable: enumerable!,
      get: () => value,
      set(given) {
        if (this === object) throw new TypeError(`Cannot change ${name} in a sandbox`);
        Object.defineProperty(this, name, {
          value: given,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
    });
  }
}

/**
 * What a guest has in place of the runtime's: timers that are numbers and take no texts as code, a clock
 * with nothing but the time, copies that are made without the runtime, and a console that prints
 * nothing. They use what they find now.
 *
 * @param print takes what the guest writes, and what it throws where nobody catches it
 */
function ourGlobals(print: (text: string) => void): Record<string, object> {
  const { Number, setTimeout, setInterval, queueMicrotask, performance, Event } = globalThis;
  const dispatch = globalThis.dispatchEvent.bind(globalThis);
  const uncaught = (thrown: unknown) => print(`Uncaught ${describeThrown(thrown)}`);
  // What nobody catches would be printed by the runtime, whatever text it has.
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    uncaught(event.error);
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    uncaught(event.reason);
  });
  /** The runtime would look at what it throws, and meet what a proxy answers. */
  function caught(work: Work): (...values: unknown[]) => void {
    if (typeof work !== "function") throw new TypeError("Cannot run later what is no function");
    return (...values) => {
      try {
        work(...values);
      } catch (error) {
        uncaught(error);
      }
    };
  }
  const log = (...values: unknown[]) => print(values.map(shown).join(" "));
  return {
    // The runtime gives it each event.
    dispatchEvent(event: Event) {
      if (event instanceof Event) return dispatch(event);
      throw new TypeError("Cannot dispatch what is no event of the runtime's");
    },
    setTimeout: (work: Work, delay?: unknown, ...values: unknown[]) =>
      Number(setTimeout(caught(work), milliseconds(delay), ...values)),
    setInterval: (work: Work, delay?: unknown, ...values: unknown[]) =>
      Number(setInterval(caught(work), milliseconds(delay), ...values)),
    queueMicrotask: (work: Work) => queueMicrotask(caught(work)),
    structuredClone: cloneValue,
    performance: { now: () => performance.now() },
    ["console"]: { log, info: log, warn: log, error: log, debug: log, trace: log },
  };
}

type Work = (...values: unknown[]) => unknown;

/** The runtime prints a warning of delays that it cannot count. */
function milliseconds(delay: unknown): number {
  return Math.min(Math.max(Math.trunc(Number(delay)) || 0, 0), 2 ** 31 - 1);
}

export function describeThrown(thrown: unknown): string {
  const { name, message } = errorReport(thrown);
  return `${name}: ${message}`;
}

/** A value as the console writes it. */
function shown(value: unknown): string {
  if (value instanceof Error) return describeThrown(value);
  try {
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  } catch (error) {
    return describeThrown(error);
  }
}
