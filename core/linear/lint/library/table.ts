import { foundOut } from "../path/condition.ts";
import { filledEntries } from "../path/making.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { isLinear, isThing, List, Table, Unknown, type Value } from "../path/value.ts";
import { allOf, itemsCursor } from "./iteration.ts";
import type { Methods } from "./methods.ts";

function* find(run: Run, table: Table, given: Value, site: Site): Steps<boolean> {
  const key = foundOut(given);
  if (table.entries.has(key)) return true;
  if (table.absent.has(key)) return false;
  const isKnown = !table.filling && !hasOpenKeys(table, key);
  if (isKnown) return false;
  const { filling } = table;
  if (!filling) return yield* findAmong(run, table, key);
  if (run.choose(2) === 1) {
    table.absent.add(key);
    return false;
  }
  const value = table.isSet ? key : yield* filling(site);
  if (isLinear(value)) value.isOwned = false;
  table.entries.set(key, value);
  return true;
}

/** Whether a key may be one of those that are there although nobody can say. */
function hasOpenKeys({ entries }: Table, key: Value): boolean {
  return key instanceof Unknown
    ? entries.size > 0
    : typeof key !== "object" && [...entries.keys()].some((one) => one instanceof Unknown);
}

/** Asks of each key whether it is the same one. */
// deno-lint-ignore require-yield
function* findAmong(run: Run, table: Table, key: Value): Steps<boolean> {
  for (const [one, value] of [...table.entries]) {
    const isOpen = one instanceof Unknown || key instanceof Unknown;
    if (!isOpen || !isEqual(run, one, key)) continue;
    table.entries.delete(one);
    table.entries.set(foundOut(key), value);
    return true;
  }
  table.absent.add(key);
  return false;
}

/** Whether two keys are the same; that they are not is the usual case. */
function isEqual(run: Run, one: Value, key: Value): boolean {
  const unknown = one instanceof Unknown ? one : key as Unknown;
  const other = unknown === one ? key : one;
  if (isThing(other)) {
    const isOne = run.areSame(unknown, other, false);
    run.hasEqualKeys ||= isOne;
    return isOne;
  }
  if (unknown.unequal.has(other) || run.choose(2) === 0) {
    unknown.unequal.add(other);
    return false;
  }
  unknown.equal = other;
  return run.hasEqualKeys = true;
}

/** What maps and sets can do. */
export const TABLE: Methods<Table> = {
  *get(run, table, [key], site) {
    return (yield* find(run, table, key, site)) ? table.entries.get(foundOut(key)) : undefined;
  },
  *has(run, table, [key], site) {
    return yield* find(run, table, key, site);
  },
  *set(run, table, [key, value], site) {
    yield* find(run, table, key, site);
    table.absent.delete(foundOut(key));
    table.entries.set(foundOut(key), value);
    return table;
  },
  // deno-lint-ignore require-yield
  *add(_, table, [value]) {
    table.entries.set(value, value);
    return table;
  },
  *delete(run, table, [key], site) {
    const isThere = yield* find(run, table, key, site);
    table.entries.delete(foundOut(key));
    table.absent.add(foundOut(key));
    return isThere;
  },
  // deno-lint-ignore require-yield
  *clear(_, table) {
    table.entries.clear();
    table.filling = undefined;
    return undefined;
  },
  *forEach(run, table, [work], site) {
    for (const [key, value] of [...yield* filledEntries(run, table, site)]) {
      yield* run.interpreter.call(work, [value, key, table], { ...site, isInner: true });
    }
    return undefined;
  },
  *keys(run, table, _, site) {
    return itemsCursor([...(yield* filledEntries(run, table, site)).keys()]);
  },
  *values(run, table, _, site) {
    return itemsCursor([...(yield* filledEntries(run, table, site)).values()]);
  },
  *entries(run, table, _, site) {
    return itemsCursor([...yield* filledEntries(run, table, site)].map((pair) => new List(pair)));
  },
};

/** `new Map(pairs)` and `new Set(values)`. */
export function* newTable(isSet: boolean, from: Value, site: Site): Steps<Table> {
  const table = new Table(isSet);
  if (from === undefined || from === null) return table;
  for (const one of yield* allOf(from, site)) {
    if (isSet) table.entries.set(one, one);
    else if (one instanceof List) table.entries.set(one.items[0], one.items[1]);
  }
  return table;
}
