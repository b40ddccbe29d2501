import { CHECKS } from "../syntax/vocabulary.ts";
import { exportedValue } from "./reference.ts";
import {
  type Callback,
  type CallSite,
  EITHER,
  functionGiving,
  type FunctionType,
  isContainer,
  lent,
  listOf,
  type ListType,
  MAYBE,
  nullable,
  pairOf,
  PORT,
  type Schedule,
  type Type,
} from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** What a member of a value is. */
export function memberType(types: Inference, owner: Type, name: string): Type | undefined {
  if (isContainer(owner) && name === "value") return owner.isLoan ? lent(PORT) : PORT;
  switch (owner.kind) {
    case "object":
    case "class":
      return owner.member(name);
    case "module":
      return exportedValue(name);
    case "list":
      return listMember(types, owner, name);
    case "function":
      return boundFunction(owner, name);
    case "stack":
      return stackMember(types, name);
    case "disposable":
    case "literals":
      return undefined;
    default:
      return libraryMember(types, owner, name);
  }
}

/** The members of clients, servers and ports. */
function libraryMember(
  types: Inference,
  owner: Exclude<
    Type,
    { readonly kind: "object" | "class" | "list" | "literals" | "function" | "disposable" }
  >,
  name: string,
): Type | undefined {
  return MEMBERS[`${owner.kind}.${name}`] ?? promiseMember(types, owner, name);
}

const RUN_ONCE: Callback = { schedule: "once" };
const REGISTER: Callback = { input: PORT, isHandler: true, schedule: "unknown" };

const BOOLEAN: Type = { kind: "literals", texts: new Set(["true", "false"]) };
const BIT: Type = { kind: "literals", texts: new Set(["0", "1"]) };

/** What the library gives its values, as far as the rules look at it. */
const MEMBERS: Readonly<Record<string, Type>> = {
  "client.open": functionGiving(() => PORT),
  "client.openAsync": functionGiving(() => PORT),
  "client.tryOpen": functionGiving(() => MAYBE),
  "server.tryOpen": functionGiving(() => MAYBE),
  "server.register": functionGiving(() => undefined, { callback: REGISTER }),
  "port.use": functionGiving(() => undefined, { callback: RUN_ONCE }),
  "port.send": functionGiving(() => PORT, { callback: RUN_ONCE }),
  "port.recv": functionGiving(() => PORT, { callback: RUN_ONCE }),
  "port.recvAsync": functionGiving(() => PORT, { callback: RUN_ONCE }),
  "port.query": functionGiving(() => EITHER),
  "port.close": functionGiving(() => undefined),
  "port.inbox": BIT,
  "port.outbox": BIT,
  "maybe.present": BOOLEAN,
  "either.arrived": BOOLEAN,
};

/** The methods by which the promise of a value hands it on. */
export function promiseMember(
  types: Inference,
  value: Type | undefined,
  name: string,
): FunctionType | undefined {
  switch (name) {
    case "then": {
      const callback = { input: value, schedule: "unknown" } as const;
      return functionGiving((site) => callbackResult(types, site, value), { callback });
    }
    case "catch":
      return functionGiving(() => nullable(value), { callback: { schedule: "unknown" } });
    case "finally":
      return functionGiving(() => value, { callback: { schedule: "later", dropsResult: true } });
    default:
      return undefined;
  }
}

/** What a function gives that is handed to another one, which calls it with `input`. */
function callbackResult(
  types: Inference,
  { inputs, scope }: CallSite,
  input: Type | undefined,
): Type | undefined {
  const callback = types.of(inputs[0], scope);
  if (callback?.kind !== "function") return undefined;
  if (input) types.teachInput(callback, input);
  return callback.result({ inputs: [], scope });
}

/** Methods of lists that give one element. */
const PICKERS: ReadonlySet<string> = new Set([
  "at",
  "find",
  "findLast",
  "get",
  "pop",
  "shift",
]);

/** Methods of lists that give elements of the same list. */
const COPIERS: ReadonlySet<string> = new Set([
  "concat",
  "filter",
  "reverse",
  "slice",
  "sort",
  "splice",
  "toReversed",
  "toSorted",
  "toSpliced",
  "values",
  "with",
]);

const SCHEDULES: ReadonlyMap<string, Schedule> = new Map([
  ["forEach", "repeated"],
  ["map", "repeated"],
  ["flatMap", "repeated"],
]);

function listMember(types: Inference, list: ListType, name: string): Type | undefined {
  const element = lent(list.element);
  if (/^\d+$/.test(name) || name === "") return nullable(element);
  const schedule = SCHEDULES.get(name) ?? "unknown";
  const callback = { input: element, schedule, dropsResult: name === "forEach" };
  if (PICKERS.has(name)) return functionGiving(() => nullable(element), { callback });
  if (COPIERS.has(name)) return functionGiving(() => listOf(list.element), { callback });
  if (name === "map" || name === "flatMap") return mapper(types, element, callback);
  if (name === "entries") return functionGiving(() => listOf(pairOf(list.element)));
  if (name === "reduce" || name === "reduceRight") return reducer(types);
  return functionGiving(() => undefined, { callback });
}

/** `map` and `flatMap` give a list of what their function gives. */
export function mapper(
  types: Inference,
  element: Type | undefined,
  callback: Callback,
): FunctionType {
  return functionGiving((site) => {
    const given = callbackResult(types, site, element);
    return given?.kind === "list" ? given : listOf(given);
  }, { callback });
}

/** `reduce` passes on what it begins with, as its function changes it. */
export function reducer(types: Inference): FunctionType {
  return functionGiving((site) => {
    const start = types.of(site.inputs[1], site.scope);
    return callbackResult(types, site, start) ?? start;
  });
}

/** `bind`, `call` and `apply` give what the function gives. */
function boundFunction(owner: FunctionType, name: string): Type | undefined {
  if (name === "bind") {
    return functionGiving(({ inputs }) => inputs.length > 1 ? functionGiving(owner.result) : owner);
  }
  return name === "call" || name === "apply" ? functionGiving(owner.result) : undefined;
}

/** What a stack is given, it disposes of. */
function stackMember(types: Inference, name: string): Type | undefined {
  if (name === "defer") {
    return functionGiving(() => undefined, { callback: { schedule: "later", dropsResult: true } });
  }
  if (name !== "use" && name !== "adopt") return undefined;
  return functionGiving(({ inputs, scope }) => lent(types.of(inputs[0], scope)));
}

/** Whether a property says what a `Maybe` or `Either` holds. */
export function isCheck(owner: Type | undefined, name: string): boolean {
  return isContainer(owner) && CHECKS[owner.kind] === name;
}
