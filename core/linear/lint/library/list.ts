import { foundOut, isSame, isTrue } from "../path/condition.ts";
import { fill, lengthOf } from "../path/making.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { List, Unknown, type Value } from "../path/value.ts";
import { allOf, itemsCursor } from "./iteration.ts";
import type { Methods } from "./methods.ts";

/** Calls a function for each item, until it is told to stop. */
function* each(
  run: Run,
  list: List,
  work: Value,
  { site, take }: {
    readonly site: Site;
    readonly take: (result: Value, item: Value, index: number) => boolean | void;
  },
): Steps<void> {
  yield* fill(run, list, site);
  for (let index = 0; index < list.items.length && index < 64; index++) {
    const item = list.items[index];
    const inner = { ...site, isInner: true };
    const result = yield* run.interpreter.call(work, [item, index, list], inner);
    if (take(result, item, index)) return;
  }
}

function indexOf(run: Run, value: Value, length: number, absent: number): number {
  if (value instanceof Unknown) settle(run, value, { length, usual: absent });
  const known = foundOut(value);
  const index = typeof known === "number" ? known : absent;
  return index < 0 ? Math.max(length + index, 0) : Math.min(index, length);
}

/** A number that nobody knows says from now on which elements it means. */
function settle(
  run: Run,
  value: Unknown,
  { length, usual }: { readonly length: number; readonly usual: number },
): void {
  if (value.equal !== undefined) return;
  const least = run.found("<", 0, value) ? 1 : 0;
  const ways = Array.from({ length: Math.min(length, 3) - least + 1 }, (_, index) => index + least)
    .filter((one) => !value.unequal.has(one))
    .toSorted((one, other) => Math.abs(one - usual) - Math.abs(other - usual));
  if (ways.length > 0) value.equal = ways[run.choose(ways.length)];
}

/** What arrays can do that only read. */
const READING: Methods<List> = {
  *at(run, list, [index], site) {
    const items = yield* fill(run, list, site);
    return items.at(typeof index === "number" ? index : indexOf(run, index, items.length, 0));
  },
  *concat(run, list, args, site) {
    const items = [...yield* fill(run, list, site)];
    for (const one of args) {
      if (one instanceof List) items.push(...yield* fill(run, one, site));
      else items.push(one);
    }
    return new List(items);
  },
  *entries(run, list, _, site) {
    return itemsCursor((yield* fill(run, list, site)).map((one, index) => new List([index, one])));
  },
  *every(run, list, [work], site) {
    let isEach = true;
    yield* each(run, list, work, {
      site,
      take: (result) => (isEach = isTrue(run, result)) === false,
    });
    return isEach;
  },
  *filter(run, list, [work], site) {
    const found: Value[] = [];
    const take = (result: Value, item: Value) => void (isTrue(run, result) && found.push(item));
    yield* each(run, list, work, { site, take });
    return new List(found);
  },
  *find(run, list, [work], site) {
    let found: Value;
    yield* each(run, list, work, {
      site,
      take: (result, item) => isTrue(run, result) && (found = item, true),
    });
    return found;
  },
  *findIndex(run, list, [work], site) {
    let found = -1;
    yield* each(run, list, work, {
      site,
      take: (result, _, index) => isTrue(run, result) && (found = index, true),
    });
    return found;
  },
  *findLast(run, list, [work], site) {
    const reversed = new List([...yield* fill(run, list, site)].reverse());
    return yield* READING.find!(run, reversed, [work], site);
  },
  *flat(run, list, _, site) {
    const items: Value[] = [];
    for (const one of yield* fill(run, list, site)) {
      if (one instanceof List) items.push(...yield* fill(run, one, site));
      else items.push(one);
    }
    return new List(items);
  },
  *flatMap(run, list, [work], site) {
    const made = yield* READING.map!(run, list, [work], site);
    return yield* READING.flat!(run, made as List, [], site);
  },
  *forEach(run, list, [work], site) {
    yield* each(run, list, work, { site, take: () => {} });
    return undefined;
  },
  *includes(run, list, [value], site) {
    for (const one of yield* fill(run, list, site)) if (isSame(run, one, value)) return true;
    return false;
  },
  *indexOf(run, list, [value], site) {
    for (const [index, one] of (yield* fill(run, list, site)).entries()) {
      if (isSame(run, one, value)) return index;
    }
    return -1;
  },
  *join(run, list, _, site) {
    return run.answer("join", ...yield* fill(run, list, site));
  },
  *keys(run, list, _, site) {
    return itemsCursor([...(yield* fill(run, list, site)).keys()]);
  },
  *map(run, list, [work], site) {
    const made: Value[] = [];
    yield* each(run, list, work, { site, take: (result) => void made.push(result) });
    return new List(made);
  },
  *reduce(run, list, args, site) {
    const items = [...yield* fill(run, list, site)];
    let whole = args.length > 1 ? args[1] : items.shift();
    for (const [index, item] of items.entries()) {
      const inner = { ...site, isInner: true };
      whole = yield* run.interpreter.call(args[0], [whole, item, index, list], inner);
    }
    return whole;
  },
  *reduceRight(run, list, args, site) {
    const reversed = new List([...yield* fill(run, list, site)].reverse());
    return yield* READING.reduce!(run, reversed, args, site);
  },
  *slice(run, list, [from, to], site) {
    const items = yield* fill(run, list, site);
    const { length } = items;
    const start = indexOf(run, from, length, 0);
    return new List(items.slice(start, indexOf(run, to, length, length)));
  },
  *some(run, list, [work], site) {
    let isOne = false;
    yield* each(run, list, work, { site, take: (result) => isOne = isTrue(run, result) });
    return isOne;
  },
  *values(run, list, _, site) {
    return itemsCursor(yield* fill(run, list, site));
  },
  *with(run, list, [index, value], site) {
    const items = [...yield* fill(run, list, site)];
    items[indexOf(run, index, items.length, 0)] = value;
    return new List(items);
  },
};

/** What arrays can do that changes them. */
const CHANGING: Methods<List> = {
  // deno-lint-ignore require-yield
  *push(_, list, args) {
    list.items.push(...args);
    return list.filling ? new Unknown() : list.items.length;
  },
  // deno-lint-ignore require-yield
  *unshift(_, list, args) {
    list.items.unshift(...args);
    return list.filling ? new Unknown() : list.items.length;
  },
  *pop(run, list, _, site) {
    if (list.items.length === 0) yield* fill(run, list, site);
    return list.items.pop();
  },
  *shift(run, list, _, site) {
    yield* fill(run, list, site);
    return list.items.shift();
  },
  *splice(run, list, [from, count, ...added], site) {
    const items = [...yield* fill(run, list, site)];
    const start = indexOf(run, from, items.length, 0);
    const all = items.length - start;
    const removed = items.splice(start, indexOf(run, count, all, all), ...added);
    list.items = items;
    return new List(removed);
  },
  *reverse(run, list, _, site) {
    (yield* fill(run, list, site) as Steps<Value[]>).reverse();
    return list;
  },
  *sort(run, list, _, site) {
    yield* fill(run, list, site);
    return list;
  },
  *fill(run, list, [value], site) {
    yield* fill(run, list, site);
    list.items = list.items.map(() => value);
    return list;
  },
};

/** What arrays can do. */
export const LIST: Methods<List> = {
  ...READING,
  ...CHANGING,
  *toReversed(run, list, _, site) {
    return new List([...yield* fill(run, list, site)].reverse());
  },
  *toSorted(run, list, _, site) {
    return new List([...yield* fill(run, list, site)]);
  },
  *toSpliced(run, list, args, site) {
    const copy = new List([...yield* fill(run, list, site)]);
    yield* CHANGING.splice!(run, copy, args, site);
    return copy;
  },
};

/** `Array.from(values, work)`. */
export function* listFrom(run: Run, [from, work]: readonly Value[], site: Site): Steps<Value> {
  const length = from && typeof from === "object" && "parts" in from && from.parts.get("length");
  const items = typeof length === "number"
    ? Array.from({ length: Math.min(length, 40) }, () => undefined)
    : length instanceof Unknown
    ? Array.from({ length: lengthOf(run) }, () => undefined)
    : yield* allOf(from, site);
  const list = new List(items);
  return work === undefined ? list : yield* LIST.map!(run, list, [work], site);
}
