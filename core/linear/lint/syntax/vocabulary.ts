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

/** Methods and functions that take no notice of what the functions that they are given return. */
export const LISTENERS: ReadonlySet<string> = new Set([
  "addEventListener",
  "addListener",
  "on",
  "once",
  "setInterval",
  "subscribe",
]);

/** Whether a method is told of functions that are called when something happens. */
export function isListenerMethod(name: string): boolean {
  return /^(?:add\w*Listener|on)$/.test(name);
}
