import { awaited } from "../expression/awaiting.ts";
import { cursorOf, elementsOf, fill, filledEntries } from "../path/making.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Abandoned } from "../path/thrown.ts";
import {
  Cursor,
  Func,
  Future,
  isFunction,
  isLinear,
  isThing,
  Item,
  List,
  Native,
  Table,
  type Turn,
  Unknown,
  type Value,
} from "../path/value.ts";

/** How many elements of a text, or of what never ends, are gone through. */
const TURNS_MAX = 3;

/** What `for ... of`, `...` and `[a, b] = ` go through. */
export function* iterate(value: Value, site: Site, isAsync = false): Steps<Cursor> {
  const { run } = site.scope;
  if (value instanceof Cursor) return value;
  if (value instanceof List) return listCursor(run, value, site);
  if (value instanceof Table) {
    const entries = yield* filledEntries(run, value, site);
    return itemsCursor(
      value.isSet ? [...entries.keys()] : [...entries].map((pair) => new List(pair)),
    );
  }
  if (value instanceof Item) {
    const names = ["Symbol.iterator", "Symbol.asyncIterator"];
    if (isAsync) names.reverse();
    for (const name of names) {
      const make = yield* run.interpreter.member(value, name, site);
      if (isFunction(make)) {
        const made = yield* run.interpreter.call(make, [], { ...site, isInner: true, self: value });
        return made instanceof Cursor ? made : yield* iterated(run, made, site);
      }
    }
    const next = yield* run.interpreter.member(value, "next", site);
    if (next instanceof Func) return yield* iterated(run, value, site);
  }
  if (typeof value === "string") return itemsCursor([...value].slice(0, TURNS_MAX));
  if (!isThing(value)) throw new Abandoned(true);
  if (value instanceof Future || value instanceof Native) throw new Abandoned(true);
  const type = value instanceof Unknown ? value.type : () => undefined;
  const isNativeAsync = /^Async/.test(type()?.symbol?.name ?? "");
  return cursorOf(elementsOf(run, type), run, isAsync && isNativeAsync);
}

/** An iterator that the program has written itself. */
// deno-lint-ignore require-yield
function* iterated(run: Run, made: Value, site: Site): Steps<Cursor> {
  const inner = { ...site, isInner: true };
  const ask = function* (name: string): Steps<Turn> {
    const method = yield* run.interpreter.member(made, name, site);
    if (!isFunction(method)) return { isDone: true, value: undefined };
    let result = yield* run.interpreter.call(method, [], { ...inner, self: made });
    if (result instanceof Future) result = yield* awaited(run, result, site);
    if (!(result instanceof Item)) return { isDone: true, value: undefined };
    const isDone = result.parts.get("done") === true;
    return { isDone, value: result.parts.get("value") };
  };
  return new Cursor(() => ask("next"), {
    *close() {
      yield* ask("return");
    },
    holds: () => [made],
    isAsync: true,
  });
}

/** Goes through a list as it is, also while it changes. */
function listCursor(run: Run, list: List, site: Site): Cursor {
  let index = 0;
  return new Cursor(() => turnOf(index++, fill(run, list, site)), { holds: () => [list] });
}

/** Goes through some values. */
export function itemsCursor(items: readonly Value[]): Cursor {
  let index = 0;
  return new Cursor(() => turnOf(index++, items), { holds: () => items });
}

function* turnOf(index: number, items: readonly Value[] | Steps<readonly Value[]>): Steps<Turn> {
  const all = Array.isArray(items) ? items : yield* items as Steps<readonly Value[]>;
  return { isDone: index >= all.length, value: all[index] };
}

/** Everything that can be gone through. */
export function* allOf(value: Value, site: Site): Steps<Value[]> {
  const cursor = yield* iterate(value, site);
  const all: Value[] = [];
  for (let count = 0; count < 64; count++) {
    const turn = yield* cursor.next(undefined);
    if (turn.isDone) break;
    all.push(turn.value);
  }
  return all;
}

/** Asks a generator for all that it has. */
export function* exhausted(run: Run, result: Value): Steps<Value> {
  if (!(result instanceof Cursor)) return result;
  for (let count = 0; count < 5; count++) {
    const turn = yield* result.next(undefined);
    if (turn.isDone) return turn.value;
    run.escaped.add(turn.value);
    if (isLinear(turn.value)) turn.value.isOwned = false;
  }
  yield* result.close();
  return undefined;
}
