import { CHECKS, MOVE, TYPES } from "../syntax/vocabulary.ts";
import * as v from "./value_type.ts";

/** What a linear module exports as a value. */
export function exportedValue(name: string): v.Type | undefined {
  if (name === MOVE) return MOVE_FUNCTION;
  const kind = TYPES.get(name);
  const instance = kind === "client" || kind === "server" ? { kind } : undefined;
  const nothing = () => undefined;
  return instance &&
    { kind: "class", instance, member: nothing, functions: () => [], constructedBy: nothing };
}

const MOVE_FUNCTION: v.Type = v.functionGiving(() => undefined, { isMove: true });

/** What a member of a value is. */
export function memberType(owner: v.Type | undefined, name: string): v.Type | undefined {
  if (!owner) return undefined;
  if (v.isContainer(owner) && name === "value") return owner.isLoan ? v.lent(v.PORT) : v.PORT;
  switch (owner.kind) {
    case "object":
    case "class":
      return owner.member(name);
    case "module":
      return exportedValue(name);
    case "list":
      return listMember(owner, name);
    case "function":
      return boundFunction(owner, name);
    case "stack":
      return stackMember(name);
    case "disposable":
    case "literals":
      return undefined;
    default:
      return MEMBERS[`${owner.kind}.${name}`] ?? promiseMember(owner, name);
  }
}

const RUN_ONCE: v.Callback = { schedule: "once" };
const REGISTER: v.Callback = { input: v.PORT, isHandler: true, schedule: "unknown" };

const BIT: v.Type = { kind: "literals", texts: new Set(["0", "1"]) };

/** What the library gives its values, as far as the rules look at it. */
const MEMBERS: Readonly<Record<string, v.Type>> = {
  "client.open": v.functionGiving(() => v.PORT),
  "client.openAsync": v.functionGiving(() => v.PORT),
  "client.tryOpen": v.functionGiving(() => v.MAYBE),
  "server.tryOpen": v.functionGiving(() => v.MAYBE),
  "server.operatePort": v.functionGiving(() => undefined, { callback: REGISTER }),
  "port.use": v.functionGiving(() => undefined, { callback: RUN_ONCE }),
  "port.send": v.functionGiving(() => v.PORT, { callback: RUN_ONCE }),
  "port.recv": v.functionGiving(() => v.PORT, { callback: RUN_ONCE }),
  "port.recvAsync": v.functionGiving(() => v.PORT, { callback: RUN_ONCE }),
  "port.query": v.functionGiving(() => v.EITHER),
  "port.close": v.functionGiving(() => undefined),
  "port.inbox": BIT,
  "port.outbox": BIT,
  "maybe.present": v.BOOLEAN,
  "either.arrived": v.BOOLEAN,
};

/** The methods by which the promise of a value hands it on. */
export function promiseMember(value: v.Type | undefined, name: string): v.FunctionType | undefined {
  switch (name) {
    case "then": {
      const callback = { input: value, schedule: "unknown" } as const;
      return v.functionGiving((site) => callbackResult(site, value), { callback });
    }
    case "catch":
      return v.functionGiving(() => v.nullable(value), { callback: { schedule: "unknown" } });
    case "finally":
      return v.functionGiving(() => value, { callback: { schedule: "later", dropsResult: true } });
    default:
      return undefined;
  }
}

/** What a function gives that is handed to another one, which calls it with `input`. */
function callbackResult(
  { inputs, scope }: v.CallSite,
  input: v.Type | undefined,
): v.Type | undefined {
  const callback = scope.typeOf(inputs[0]);
  if (callback?.kind !== "function") return undefined;
  if (input) scope.types.teachInput(callback, input);
  return callback.result({ inputs: [], scope });
}

/** Methods of lists that give one element. */
const PICKERS: ReadonlySet<string> = new Set(["at", "find", "findLast", "get", "pop", "shift"]);

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

const SCHEDULES: ReadonlyMap<string, v.Schedule> = new Map([
  ["forEach", "repeated"],
  ["map", "repeated"],
  ["flatMap", "repeated"],
]);

function listMember(list: v.ListType, name: string): v.Type | undefined {
  const element = v.lent(list.element);
  if (/^\d+$/.test(name) || name === "") return v.nullable(element);
  const schedule = SCHEDULES.get(name) ?? "unknown";
  const callback = { input: element, schedule, dropsResult: name === "forEach" };
  if (PICKERS.has(name)) return v.functionGiving(() => v.nullable(element), { callback });
  if (COPIERS.has(name)) return v.functionGiving(() => v.listOf(list.element), { callback });
  if (name === "map" || name === "flatMap") return mapper(element, callback);
  if (name === "entries") return v.functionGiving(() => v.listOf(v.pairOf(list.element)));
  if (name === "reduce" || name === "reduceRight") return reducer();
  return v.functionGiving(() => undefined, { callback });
}

/** `map` and `flatMap` give a list of what their function gives. */
export function mapper(element: v.Type | undefined, callback: v.Callback): v.FunctionType {
  return v.functionGiving((site) => {
    const given = callbackResult(site, element);
    return given?.kind === "list" ? given : v.listOf(given);
  }, { callback });
}

/** `reduce` passes on what it begins with, as its function changes it. */
export function reducer(): v.FunctionType {
  return v.functionGiving((site) => {
    const start = site.scope.typeOf(site.inputs[1]);
    return callbackResult(site, start) ?? start;
  });
}

/** `bind`, `call` and `apply` give what the function gives. */
function boundFunction(owner: v.FunctionType, name: string): v.Type | undefined {
  if (name === "bind") {
    return v.functionGiving(({ inputs }) =>
      inputs.length > 1 ? v.functionGiving(owner.result) : owner
    );
  }
  return name === "call" || name === "apply" ? v.functionGiving(owner.result) : undefined;
}

/** What a stack is given, it disposes of. */
function stackMember(name: string): v.Type | undefined {
  if (name === "defer") {
    return v.functionGiving(() => undefined, {
      callback: { schedule: "later", dropsResult: true },
    });
  }
  if (name !== "use" && name !== "adopt") return undefined;
  return v.functionGiving(({ inputs, scope }) => v.lent(scope.typeOf(inputs[0])));
}

/** Whether a property says what a `Maybe` or `Either` holds. */
export function isCheck(owner: v.Type | undefined, name: string): boolean {
  return v.isContainer(owner) && CHECKS[owner.kind] === name;
}
