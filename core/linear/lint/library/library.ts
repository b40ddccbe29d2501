import { foreignCall } from "../foreign/foreign.ts";
import { isTrue } from "../path/condition.ts";
import { fill, filledEntries } from "../path/making.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Thrown } from "../path/thrown.ts";
import {
  Cursor,
  Func,
  Future,
  isThing,
  Item,
  List,
  Native,
  Port,
  Table,
  type Thing,
  Unknown,
  type Value,
} from "../path/value.ts";
import { FUTURE, newFuture, PROMISE } from "./future.ts";
import { allOf, itemsCursor } from "./iteration.ts";
import { LIST, listFrom } from "./list.ts";
import type { Methods } from "./methods.ts";
import { plainMember, pureSpace } from "./plain.ts";
import { PORT } from "./port.ts";
import { newStack } from "./stack.ts";
import { newStream } from "./stream.ts";
import { newTable, TABLE } from "./table.ts";
import { newController, newEvent, newTarget, TARGET } from "./target.ts";
import { CLEAR, scheduler } from "./timer.ts";

const CURSOR: Methods<Cursor> = {
  *next(run, cursor, [sent], site) {
    void site;
    if (cursor.isAsync) return run.start(turnOf(cursor, sent));
    return yield* turnOf(cursor, sent);
  },
  *throw(run, cursor, [value]) {
    const error = new Thrown(value, false);
    const raise = function* (): Steps<Value> {
      if (!cursor.raise) throw error;
      const { isDone, value } = yield* cursor.raise(error);
      return resultOf(isDone, value);
    };
    return cursor.isAsync ? run.start(raise()) : yield* raise();
  },
  *return(run, cursor, [value]) {
    const close = function* (): Steps<Value> {
      yield* cursor.close();
      return resultOf(true, value);
    };
    return cursor.isAsync ? run.start(close()) : yield* close();
  },
  *drop(_run, cursor, [count]) {
    for (let index = 0; index < Number(count); index++) {
      if ((yield* cursor.next(undefined)).isDone) break;
    }
    return cursor;
  },
  // deno-lint-ignore require-yield
  *take(_run, cursor, [count]) {
    let leftCount = typeof count === "number" ? count : Infinity;
    const next: Cursor["next"] = function* (sent) {
      if (leftCount-- > 0) return yield* cursor.next(sent);
      yield* cursor.close();
      return { isDone: true, value: undefined };
    };
    return new Cursor(next, { close: cursor.close, holds: cursor.holds });
  },
  *toArray(_run, cursor, _, site) {
    return new List(yield* allOf(cursor, site));
  },
};

function* turnOf(cursor: Cursor, sent: Value): Steps<Value> {
  const { isDone, value } = yield* cursor.next(sent);
  return resultOf(isDone, value);
}

function resultOf(isDone: boolean, value: Value): Item {
  const item = new Item();
  item.parts.set("done", isDone).set("value", value);
  return item;
}

const FUNC: Methods<Func | Native> = {
  *call(run, func, [self, ...args], site) {
    return yield* run.interpreter.call(func, args, { ...site, isInner: true, self });
  },
  *apply(run, func, [self, list], site) {
    const args = list instanceof List ? yield* fill(run, list, site) : [];
    return yield* run.interpreter.call(func, args, { ...site, isInner: true, self });
  },
  // deno-lint-ignore require-yield
  *bind(_, func, [self, ...first]) {
    return new Native(
      (run, args, site) =>
        run.interpreter.call(func, [...first, ...args], { ...site, isInner: true, self }),
      [func, self, ...first],
      func instanceof Func ? func : func.target,
    );
  },
};

const KINDS: readonly (readonly [new (...args: never[]) => Thing, Methods<never>])[] = [
  [Port, PORT],
  [List, LIST],
  [Table, TABLE],
  [Future, FUTURE],
  [Cursor, CURSOR],
  [Func, FUNC],
  [Native, FUNC],
];

function methodsOf(owner: Value): Methods<Value> | undefined {
  return KINDS.find(([kind]) => owner instanceof kind)?.[1] as Methods<Value> | undefined;
}

/** What a value of the language's own does when it is called by a name. */
export function nativeMethod(owner: Value, name: string): Methods<Value>[string] | undefined {
  const methods = methodsOf(owner);
  return methods && Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/** A property of a value of the language's own. */
export function* nativeMember(owner: Value, name: string, site: Site): Steps<Value> {
  const { run } = site.scope;
  if (owner instanceof Native && owner.parts.has(name)) return owner.parts.get(name);
  const method = nativeMethod(owner, name);
  if (method) return new Native((run, args, site) => method(run, owner, args, site), [owner]);
  if (owner instanceof List && name === "length") return (yield* fill(run, owner, site)).length;
  if (owner instanceof Table && name === "size") {
    return (yield* filledEntries(run, owner, site)).size;
  }
  if (!isThing(owner)) return plainMember(owner, name);
  if (owner instanceof Cursor && CURSOR_OF_LIST.has(name)) {
    const list = new List(yield* allOf(owner, site));
    return new Native(function* (run, args, site) {
      const made = yield* LIST[name]!(run, list, args, site);
      return made instanceof List ? itemsCursor(made.items) : made;
    }, [list]);
  }
  if (owner instanceof List || owner instanceof Table) {
    return new Native((run, args, site) => {
      run.escaped.add(owner); // what it makes of what it holds is not known
      return foreignCall(args, site);
    }, [owner]);
  }
  if (methodsOf(owner)) return new Unknown();
  return run.answer(`.${name}`, owner);
}

/** What iterators have of arrays. */
const CURSOR_OF_LIST: ReadonlySet<string> = new Set([
  "every",
  "filter",
  "find",
  "flatMap",
  "forEach",
  "map",
  "reduce",
  "some",
]);

/** The object of some functions of the language. */
function space(methods: Methods<undefined>, call?: Native["run"]): Native {
  const made = new Native(call ?? ((_, args, site) => foreignCall(args, site)));
  for (const [name, method] of Object.entries(methods)) {
    made.parts.set(name, new Native((run, args, site) => method(run, undefined, args, site)));
  }
  return made;
}

const ARRAY: Methods<undefined> = {
  *from(run, _, args, site) {
    return yield* listFrom(run, args, site);
  },
  *fromAsync(run, _, [from, work], site) {
    const list = (yield* listFrom(run, [from, work], site)) as List;
    return yield* PROMISE.all!(run, undefined, [list], site);
  },
  // deno-lint-ignore require-yield
  *of(_run, _self, args) {
    return new List([...args]);
  },
  // deno-lint-ignore require-yield
  *isArray(run, _, [value]) {
    return value instanceof Unknown ? run.answer("isArray", value) : value instanceof List;
  },
};

function partsOf(value: Value): ReadonlyMap<string, Value> | undefined {
  return value instanceof Item && !value.type ? value.parts : undefined;
}

const OBJECT: Methods<undefined> = {
  *keys(_run, _, [value], site) {
    const parts = partsOf(value);
    return parts ? new List([...parts.keys()]) : yield* foreignCall([value], site);
  },
  *values(_run, _, [value], site) {
    const parts = partsOf(value);
    return parts ? new List([...parts.values()]) : yield* foreignCall([value], site);
  },
  *entries(_run, _, [value], site) {
    const parts = partsOf(value);
    return parts
      ? new List([...parts].map((pair) => new List(pair)))
      : yield* foreignCall([value], site);
  },
  // deno-lint-ignore require-yield
  *freeze(_run, _self, [value]) {
    return value;
  },
  // deno-lint-ignore require-yield
  *assign(_run, _self, [target, ...sources]) {
    for (const one of sources) {
      if (!(target instanceof Item) || !(one instanceof Item)) continue;
      for (const [key, value] of one.parts) target.parts.set(key, value);
    }
    return target;
  },
  *fromEntries(run, _, [pairs], site) {
    const item = new Item();
    for (const pair of yield* allOf(pairs, site)) {
      if (pair instanceof List) item.parts.set(run.keyOf(pair.items[0]), pair.items[1]);
    }
    return item;
  },
};

// deno-lint-ignore require-yield
const SYMBOL = new Native(function* () {
  const made = new Unknown();
  made.isUnique = true;
  return made;
});
for (const name of ["dispose", "asyncDispose", "iterator", "asyncIterator"]) {
  SYMBOL.parts.set(name, `Symbol.${name}`);
}

const ONCE = scheduler(1);

// deno-lint-ignore require-yield
const TRUTH = new Native(function* (run, [value]) {
  return isTrue(run, value);
});

/** What names mean that no program declares. */
const GLOBALS: Readonly<Record<string, Value>> = {
  Array: space(ARRAY),
  Boolean: TRUTH,
  EventTarget: TARGET,
  Infinity,
  Math: pureSpace(Math),
  NaN,
  Number: pureSpace(Number),
  Object: space(OBJECT),
  Promise: space(PROMISE),
  String: pureSpace(String),
  Symbol: SYMBOL,
  clearInterval: CLEAR,
  clearTimeout: CLEAR,
  queueMicrotask: ONCE,
  requestAnimationFrame: ONCE,
  setImmediate: ONCE,
  setInterval: scheduler(6),
  setTimeout: ONCE,
};

/** The value of a name that no program declares, if it is one of those that matter. */
export function global(_: Run, name: string): Value {
  return Object.hasOwn(GLOBALS, name) ? GLOBALS[name] : undefined;
}

/** `new` of something of the language; `undefined` for what does not matter. */
export function* constructNative(name: string, args: readonly Value[], site: Site): Steps<Value> {
  const { run } = site.scope;
  switch (name) {
    case "Array":
      return new List(
        typeof args[0] === "number" ? new Array(Math.min(args[0], 40)).fill(undefined) : [...args],
      );
    case "Map":
    case "Set":
    case "WeakMap":
    case "WeakSet":
      return yield* newTable(name.endsWith("Set"), args[0], site);
    case "Promise":
      return yield* newFuture(run, args[0], site);
    case "AbortController":
      return newController();
    case "CustomEvent":
    case "Event":
      return newEvent(args);
    case "EventTarget":
      return newTarget();
    case "AsyncDisposableStack":
    case "DisposableStack":
      return newStack(name === "AsyncDisposableStack");
    case "ReadableStream":
    case "TransformStream":
    case "WritableStream":
      return newStream(name, args, site);
  }
  return undefined;
}
