/** The kinds whose values must be consumed exactly once. */
export type LinearKind = "port" | "maybe" | "either";

/** The members by which the library's own types are known, wherever they are declared. */
export const DECLARED: ReadonlyMap<string, readonly string[]> = new Map([
  ["OwnedPort", ["inbox", "outbox", "use", "send", "close"]],
  ["SentPort", ["inbox", "outbox", "recv", "query", "close"]],
  ["TypedServer", ["operatePort", "tryOpen", "assertNoneOpen"]],
]);

/** The function that says "this name is done with": `take(move(port))`. */
export const MOVE = "move";

/** The methods that end the life of the port that they are called on. */
export const CONSUMERS: ReadonlySet<string> = new Set([
  "send",
  "recv",
  "recvAsync",
  "query",
  "close",
]);

/** The methods that leave a port as it is. */
export const USERS: ReadonlySet<string> = new Set(["use", "toString", "valueOf"]);

/** The method that closes a port unless something consumed it. */
export const DISPOSE = "Symbol.dispose";

/** What may be read of a port that was consumed: which one it was. */
export const LASTING: ReadonlySet<string> = new Set(["index"]);

/** The property to look at before `value` is read. */
export const CHECKS: Readonly<Record<"maybe" | "either", string>> = {
  maybe: "present",
  either: "arrived",
};

/** Functions that only look at what they are given, beside `console` and assertions. */
export const READERS: ReadonlySet<string> = new Set([
  "Array.isArray",
  "Deno.inspect",
  "JSON.stringify",
  "Object.is",
  "Object.keys",
  "String",
]);

/** Functions that run what they are given once, after the code that calls them. */
export const SCHEDULERS: ReadonlySet<string> = new Set([
  "setTimeout",
  "setImmediate",
  "queueMicrotask",
  "requestAnimationFrame",
  "process.nextTick",
]);

/** Methods that put a function where somebody takes it out to run it. */
export const KEEPERS: ReadonlySet<string> = new Set(["push", "unshift"]);

/** Methods that put a value where it stays. */
export const STORES: ReadonlySet<string> = new Set(["add", "enqueue", "resolve", "set", "use"]);

/** Methods and functions that take no notice of what the functions that they are given return. */
export const LISTENERS: ReadonlySet<string> = new Set([
  "addEventListener",
  "addListener",
  "on",
  "once",
  "setInterval",
  "subscribe",
]);

/** Whether a property holds a function that is called when something happens: `onClick`. */
export function isListenerName(name: string): boolean {
  return /^on[A-Za-z]/.test(name);
}

/** The names and keywords of a text. */
export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/#?[\w$\u0080-\uffff]+/g));
}
