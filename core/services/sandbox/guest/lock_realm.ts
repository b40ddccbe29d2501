/**
 * What stays of the global names: the language, texts and timers; none of them reaches anything. Not
 * `FinalizationRegistry`: what its callbacks throw, V8 writes to standard output.
 */
const KEPT: ReadonlySet<string> = new Set(
  `Infinity NaN undefined globalThis Object Array Number Boolean String Symbol BigInt Math Date JSON
  RegExp Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect Iterator Intl
  Temporal Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  SuppressedError DisposableStack AsyncDisposableStack DOMException ArrayBuffer SharedArrayBuffer
  Atomics DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
  Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array WebAssembly
  parseInt parseFloat isFinite isNaN decodeURI decodeURIComponent encodeURI encodeURIComponent
  escape unescape TextEncoder TextDecoder atob btoa structuredClone queueMicrotask setTimeout
  clearTimeout setInterval clearInterval performance dispatchEvent`.split(/\s+/),
);

/**
 * Takes from this realm what a guest could reach anything by: the runtime's names, every way to make
 * code of texts, and events. Without permissions alone Deno 2.9 leaves a worker standard input and
 * output, signals to its own process, names of npm packages that the registry is asked for, other
 * workers' broadcasts, the GPU, a cache on the disk, and messages. For code that was checked to hold no
 * `import`.
 */
export function lockRealm(): void {
  keepErrors();
  keepTimers();
  lockBuiltIns();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name);
  }
  // Prototypes, by which the runtime knows an event's target, cannot be exchanged then either.
  for (let one: unknown = globalThis; one !== null; one = Object.getPrototypeOf(one)) {
    Object.preventExtensions(one);
  }
  for (
    const make of [function () {}, async function () {}, function* () {}, async function* () {}]
  ) {
    const value = function () {
      throw new TypeError("Cannot make code of a text in a sandbox");
    };
    Object.defineProperty(Object.getPrototypeOf(make), "constructor", { value });
  }
  // Stacks would tell where the host's files are.
  for (const [name, value] of [["stackTraceLimit", 0], ["prepareStackTrace", undefined]] as const) {
    Object.defineProperty(Error, name, { value, writable: false, configurable: false });
  }
}

/**
 * The runtime's own code looks things up in the language's objects: names that are absent, when it makes
 * an event; `constructor` of a promise, when it waits for a message; `call` of a listener. A getter that
 * throws there would end its loop for messages, and with it the whole program, or have it print what the
 * guest likes. The rest may be changed, as programs do.
 */
function lockBuiltIns(): void {
  for (const one of [Array, Function]) Object.preventExtensions(one.prototype);
  for (const one of [Promise, Promise.prototype]) Object.freeze(one);
  for (const name of ["apply", "bind", "call", Symbol.hasInstance]) {
    Object.defineProperty(Function.prototype, name, { writable: false, configurable: false });
  }
}

/**
 * What nobody catches would be printed by the runtime, whatever text it has. It asks `dispatchEvent`
 * first, so that must stay as it is, and so must those who listen.
 */
function keepErrors(): void {
  const value = globalThis.dispatchEvent.bind(globalThis);
  for (const name of ["error", "unhandledrejection"]) {
    globalThis.addEventListener(name, (event) => event.preventDefault());
  }
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    freezeAll(Reflect.get(globalThis, key));
  }
  Object.defineProperty(globalThis, "dispatchEvent", { value });
}

/** Freezes an object and those in it, but for functions. */
function freezeAll(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) freezeAll(Reflect.get(value, key));
}

/**
 * Timers as numbers: the runtime's objects for them have its functions on them. They take no texts as
 * code. Of the clock only the time is left.
 */
function keepTimers(): void {
  const { setTimeout, setInterval, queueMicrotask, performance } = globalThis;
  const kept = {
    setTimeout: (work: Work, ...given: Delay) => Number(setTimeout(caught(work), ...given)),
    setInterval: (work: Work, ...given: Delay) => Number(setInterval(caught(work), ...given)),
    queueMicrotask: (work: Work) => queueMicrotask(caught(work)),
    performance: Object.freeze({ now: () => performance.now() }),
  };
  for (const [name, value] of Object.entries(kept)) {
    Object.defineProperty(globalThis, name, { value });
  }
}

type Work = (...values: unknown[]) => unknown;
type Delay = [milliseconds?: number, ...values: unknown[]];

/**
 * Work of which nobody hears what it throws. The runtime would look at it, and meet what a proxy answers.
 */
function caught(work: Work): (...values: unknown[]) => void {
  if (typeof work !== "function") throw new TypeError("Cannot run later what is no function");
  return (...values) => {
    try {
      work(...values);
    } catch {
      // As with a rejection that nobody handles.
    }
  };
}
