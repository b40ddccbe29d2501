/** What a value is, as far as the rules care. */
export type Kind = "client" | "server" | "handler" | "port" | "maybe" | "either";

/** The kinds whose values must be consumed exactly once. */
export type LinearKind = "port" | "maybe" | "either";

export function isLinear(kind: Kind | undefined): kind is LinearKind {
  return kind === "port" || kind === "maybe" || kind === "either";
}

/** The types that a linear module exports, by name. */
export const TYPES: ReadonlyMap<string, Kind> = new Map([
  ["TypedClient", "client"],
  ["TypedServer", "server"],
  ["TypedHandler", "handler"],
  ["TypedPort", "port"],
  ["PartialPort", "port"],
  ["OwnedPort", "port"],
  ["SentPort", "port"],
]);

/** Types that are linear for what they hold: `Maybe<SentPort<0>>`, but not `Maybe<string>`. */
export const CONTAINERS: ReadonlyMap<string, LinearKind> = new Map([
  ["Maybe", "maybe"],
  ["Either", "either"],
]);

/** The function that says "this name is done with": `take(move(port))`. */
export const MOVE = "move";

/** What a method gives back, by the kind of its object. */
export const RESULTS: Readonly<Record<Kind, ReadonlyMap<string, Kind>>> = {
  client: new Map([["open", "port"], ["openAsync", "port"], ["tryOpen", "maybe"]]),
  server: new Map([["tryOpen", "maybe"]]),
  handler: new Map(),
  port: new Map([["send", "port"], ["recv", "port"], ["recvAsync", "port"], ["query", "either"]]),
  maybe: new Map(),
  either: new Map(),
};

/** The methods that end the life of the port that they are called on. */
export const CONSUMERS: ReadonlySet<string> = new Set([
  "send",
  "recv",
  "recvAsync",
  "query",
  "close",
]);

/** The methods by which the promise of a port hands it to a function. */
export const PROMISE_METHODS: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

/** What may be read of a port that was consumed: which one it was. */
export const LASTING: ReadonlySet<string> = new Set(["index"]);

/** The methods of a server that hand a port to the function that they are given. */
export const PORT_GIVERS: ReadonlySet<string> = new Set(["register"]);

/** The property to look at before `value` is read. */
export const CHECKS: Readonly<Record<"maybe" | "either", string>> = {
  maybe: "present",
  either: "arrived",
};

/** Functions after whose call nothing runs. */
export const ENDINGS: ReadonlySet<string> = new Set([
  "Deno.exit",
  "process.exit",
  "fail",
  "unreachable",
  "unimplemented",
]);

const LINEAR_MODULE =
  /(?:^|[/@])(?:portlab|linear)(?:[/@.]|$)|(?:^|\/)mod\.ts$|(?:^|\/)(?:typed_\w+|maybe|either|move)\.ts$/;

/** Whether names imported from this specifier may be those of the tables above. */
export function isLinearModule(specifier: string): boolean {
  return LINEAR_MODULE.test(specifier);
}
