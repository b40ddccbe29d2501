import { ts } from "../program/compiler.ts";
import { placeOf } from "./misuse.ts";
import type { Frame } from "./scope.ts";
import { Run, type Site, type Steps } from "./run.ts";
import { Thrown } from "./thrown.ts";
import {
  Cursor,
  type Filling,
  Future,
  isLinear,
  List,
  Look,
  Port,
  Table,
  type Turn,
  Unknown,
  type Value,
} from "./value.ts";

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
const LISTS: ReadonlySet<string> = new Set(["Array", "ReadonlyArray"]);
const TABLES: ReadonlySet<string> = new Set(["Map", "ReadonlyMap", "ReadonlySet", "Set"]);
const CURSORS: ReadonlySet<string> = new Set(["AsyncGenerator", "Generator"]);
const PROMISES: ReadonlySet<string> = new Set(["Promise", "PromiseLike"]);

/** Whose a value is that code from elsewhere gives. */
export interface Origin {
  /** Whether who gets it has to consume it. */
  readonly isOwned: boolean;
}

/** A value of which only the type is known. */
export function* madeOf(type: ts.Type, site: Site, origin: Origin): Steps<Value> {
  const { run } = site.scope;
  if (type.isUnion()) return yield* oneOf(run, type, site, origin);
  const { checker, reader } = run.file;
  const name = type.symbol?.name ?? "";
  if (PROMISES.has(name)) {
    const [held] = reader.argumentsOf(type);
    return held ? promised(run, () => madeOf(held, site, origin), site) : new Unknown();
  }
  if (LISTS.has(name) || checker.isTupleType(type)) {
    return new List([], elementsOf(run, () => type));
  }
  if (TABLES.has(name)) return new Table(/Set$/.test(name), elementsOf(run, () => type));
  if (CURSORS.has(name)) {
    return cursorOf(elementsOf(run, () => type, true), run, /^Async/.test(name));
  }
  const kind = reader.kindOf(type);
  if (kind === "port") return linear(run, new Port(site.node, origin.isOwned), site);
  if (kind === "maybe" || kind === "either") {
    return linear(run, new Look(kind, site.node, origin.isOwned), site);
  }
  return new Unknown(() => type);
}

/** Notes that something came to be that must be consumed. */
export function linear<T extends Port | Look>(run: Run, value: T, site?: Site): T {
  value.madeIn = (site?.node ?? value.madeAt).getSourceFile();
  if (site) value.madeAt = placeOf(run, site) ?? value.madeAt;
  run.linear.push(value);
  return value;
}

/** One way in which a value of a union may be; the others are other paths. */
function* oneOf(run: Run, type: ts.UnionType, site: Site, origin: Origin): Steps<Value> {
  const kindOf = (one: ts.Type) => run.file.reader.kindOf(one);
  const whole = run.file.checker.getNonNullableType(type);
  const kind = kindOf(whole);
  const solid = type.types.filter(({ flags }) => (flags & NOTHING) === 0);
  const telling = solid.filter(isTelling);
  if (!kind && telling.length === 0) return new Unknown(() => type);
  const hasNothing = solid.length < type.types.length;
  if (hasNothing && run.choose(2) === 1) return undefined;
  if (!kind) {
    const ways = solid.length === telling.length ? telling : [...telling, undefined];
    const way = ways[run.choose(ways.length)];
    return way ? yield* madeOf(way, site, origin) : new Unknown(() => whole);
  }
  return kind === "port"
    ? linear(run, new Port(site.node, origin.isOwned), site)
    : linear(run, new Look(kind, site.node, origin.isOwned), site);

  function isTelling(one: ts.Type): boolean {
    const name = one.symbol?.name ?? "";
    return kindOf(one) !== undefined || PROMISES.has(name);
  }
}

/** Names of functions that let time pass, so that timers come first. */
const PAUSE = /\b(?:delay|flush|idle|pause|settled?|sleep|ticks?|wait\w*)\b/i;

/** Whoever is given a signal has to count on its being heard. */
const SIGNAL = /\bsignal\b/i;

function argumentsOf(node: ts.Node): string {
  return ts.isCallExpression(node) ? node.arguments.map((one) => one.getText()).join() : "";
}

/** Whether somebody sees to the rejection of an async function that waits here. */
function isCaughtAround({ promise, calledFrom }: Frame): boolean {
  return promise?.isGuarded || (calledFrom ? isCaughtAround(calledFrom.scope.frame) : false);
}

/** A promise that is settled when the code that runs waits. */
export function promised(run: Run, make: () => Steps<Value>, site: Site): Future {
  const future = new Future();
  const fire = () => {
    const { frame } = site.scope;
    const isGuarded = frame.guards > 0 || future.isGuarded || isCaughtAround(frame);
    if (isGuarded && run.surprisesLeft > 0 && run.choose(2) === 1) {
      run.surprisesLeft--;
      const error = Thrown.foreign();
      return run.reject(future, SIGNAL.test(argumentsOf(site.node)) ? error.asOwn() : error);
    }
    const made = run.start(make());
    run.onSettled(made, () => run.fulfil(future, made.value));
  };
  const isPause = PAUSE.test(site.node.getText());
  run.tasks.push({ isTimer: false, isPause, fire, holds: [], timesLeft: 1 });
  return future;
}

/** An iterator over what nobody knows: some elements, each made when it is asked for. */
export function cursorOf(
  filling: (site: Site) => Steps<Value>,
  run: Run,
  isAsync: boolean,
): Cursor {
  let leftCount = -1;
  const site = { node: run.file.source, scope: run.modules.values().next().value! };
  const next = (sent: Value) => {
    if (isLinear(sent)) sent.isOwned = false; // whoever has made it has that now
    if (leftCount < 0) leftCount = lengthOf(run);
    return turnOf(leftCount-- > 0 ? filling(site) : undefined);
  };
  return new Cursor(next, { isAsync });
}

/** One turn of an iterator, or that there is none any more. */
function* turnOf(made: Steps<Value> | undefined): Steps<Turn> {
  return made ? { isDone: false, value: yield* made } : { isDone: true, value: undefined };
}

/** How many elements there are of which nobody knows the count: one, none or two. */
export function lengthOf(run: Run): number {
  return [1, 0, 2][run.choose(3)]!;
}

/** Some elements, which stay where they are. */
function* someOf(run: Run, filling: Filling, site: Site): Steps<Value[]> {
  const values: Value[] = [];
  for (let leftCount = lengthOf(run); leftCount > 0; leftCount--) {
    const value = yield* filling(site);
    if (isLinear(value)) value.isOwned = false;
    values.push(value);
  }
  return values;
}

/** Gives a list of unknown length one. */
export function* fill(run: Run, list: List, site: Site): Steps<readonly Value[]> {
  const { filling } = list;
  if (filling) {
    list.filling = undefined;
    list.items.unshift(...yield* someOf(run, filling, site));
  }
  return list.items;
}

/** Makes elements of an array, a set, a map, a generator, by its type. */
export function elementsOf(
  run: Run,
  type: () => ts.Type | undefined,
  isOwned = false,
): Filling {
  return (site) => elementOf(run, type(), { site, isOwned });
}

function* elementOf(
  run: Run,
  whole: ts.Type | undefined,
  { site, isOwned }: Origin & { readonly site: Site },
): Steps<Value> {
  const held = whole && run.file.reader.argumentsOf(run.file.checker.getNonNullableType(whole));
  const element = held?.at(/Map$/.test(whole?.symbol?.name ?? "") ? 1 : 0);
  return element ? yield* madeOf(element, site, { isOwned }) : new Unknown();
}

/** The entries of a map or set, where nobody knows what is in it: some. */
export function* filledEntries(
  run: Run,
  table: Table,
  site: Site,
): Steps<ReadonlyMap<Value, Value>> {
  const { filling } = table;
  if (filling) {
    table.filling = undefined;
    const later = [...table.entries];
    table.entries.clear();
    for (const value of yield* someOf(run, filling, site)) {
      table.entries.set(table.isSet ? value : new Unknown(), value);
    }
    for (const [key, value] of later) table.entries.set(key, value);
  }
  return table.entries;
}
