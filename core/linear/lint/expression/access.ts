import { nativeMember } from "../library/library.ts";
import { isNullish } from "../path/condition.ts";
import { fill, madeOf } from "../path/making.ts";
import { blame, touch } from "../path/misuse.ts";
import { letGo, listen } from "../foreign/handover.ts";
import { hasBodies } from "../path/module.ts";
import { partKey } from "../path/pattern.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Abandoned } from "../path/thrown.ts";
import { Scope } from "../path/scope.ts";
import {
  Func,
  isFunction,
  isLinear,
  isThing,
  Item,
  List,
  Look,
  Native,
  Port,
  Unknown,
  type Value,
} from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import { dispose } from "../statement/block.ts";
import * as s from "../syntax/syntax.ts";
import { inside, isThere } from "./look.ts";

/** What a port shows beside its operations. */
const SEEN: ReadonlySet<string> = new Set(["inbox", "index", "outbox"]);

/** Properties that turn true while the program waits or works. */
const VOLATILE: ReadonlySet<string> = new Set(["aborted"]);

/** What a chain of `?.` gives that ended early. */
export const SHORT = new Unknown();

/** `object.name` and `object[name]`. */
export function* accessed(run: Run, node: s.Access, scope: Scope): Steps<Value> {
  const value = yield* inChain(run, node, scope);
  return value === SHORT ? undefined : value;
}

/** As {@linkcode accessed}, where more of a chain may come. */
function* inChain(run: Run, node: s.Access, scope: Scope): Steps<Value> {
  const owner = yield* ownerOf(run, node, scope);
  if (owner === SHORT) return SHORT;
  const declaration = owner instanceof Unknown && ts.isIdentifier(node.expression)
    ? run.declarationAt(node.expression)
    : undefined;
  if (declaration && ts.isEnumDeclaration(declaration)) {
    const type = run.file.typeAt(node);
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  }
  const key = ts.isPropertyAccessExpression(node)
    ? node.name.text
    : yield* partKey(run, node, scope);
  return yield* part(owner, key, { node, scope });
}

/** What stands before a `.`; {@linkcode SHORT} where that is nothing, and `?.` says so. */
export function* ownerOf(
  run: Run,
  node: s.Access | ts.CallExpression,
  scope: Scope,
): Steps<Value> {
  const inner = s.bare(node.expression);
  if (inner.kind === ts.SyntaxKind.SuperKeyword) return scope.frame.self;
  const known = ts.isIdentifier(inner) ? scope.find(inner.text) : undefined;
  const owner = known
    ? known.value
    : s.isAccess(inner)
    ? yield* inChain(run, inner, scope)
    : yield* run.interpreter.evaluate(run, inner, scope);
  const isCut = owner === undefined && ts.isCallExpression(inner) && ts.isOptionalChain(inner);
  if (isCut) return SHORT;
  if (owner !== SHORT && node.questionDotToken && isNullish(run, owner)) return SHORT;
  return owner;
}

/** A part by a name or by a value. */
export function* part(owner: Value, key: string | Unknown, site: Site): Steps<Value> {
  const { run } = site.scope;
  if (typeof key === "string") return yield* member(owner, key, site);
  if (!(owner instanceof List)) return yield* member(owner, run.keyOf(key), site);
  if (owner.found.has(key)) return owner.found.get(key);
  const items = yield* fill(run, owner, site);
  const ways = [...items.slice(0, 3), undefined];
  const value = ways[run.choose(ways.length)];
  owner.found.set(key, value);
  return value;
}

/** A property of a value. */
export function* member(owner: Value, name: string, site: Site): Steps<Value> {
  const { run } = site.scope;
  if (owner === undefined || owner === null) throw new Abandoned(true);
  if (owner instanceof Port) return yield* portMember(run, owner, name, site);
  if (owner instanceof Look) return lookMember(run, owner, name, site);
  if (owner instanceof Item) return yield* itemMember(run, owner, name, site);
  if (owner instanceof Unknown) return yield* unknownMember(run, owner, name, site);
  if (owner instanceof List && /^\d+$/.test(name)) {
    return (yield* fill(run, owner, site))[Number(name)];
  }
  return yield* nativeMember(owner, name, site);
}

/** What may be read of a port that was consumed: which one it was. */
function* portMember(run: Run, port: Port, name: string, site: Site): Steps<Value> {
  const native = yield* nativeMember(port, name, site);
  if (isFunction(native)) return native;
  if (name !== "index") touch(run, port, site);
  if (!SEEN.has(name)) letGo(run, port); // the program knows more of it than its type says
  const answer = run.answer(name, port);
  answer.isUnique = name === "index";
  return answer;
}

function lookMember(run: Run, look: Look, name: string, site: Site): Value {
  if (name === (look.kind === "maybe" ? "present" : "arrived")) return isThere(run, look);
  if (name === "Symbol.dispose") return disposerOf(look);
  if (name !== "value") return new Unknown();
  const isHasty = look.truth === undefined;
  if (site.isPattern && look.kind === "maybe" && look.truth === false) return undefined;
  if (isHasty) look.truth = true;
  if (isHasty || (look.kind === "maybe" && !look.truth)) {
    blame(run, { rule: "unchecked-maybe", subject: look, isHasty }, site);
  }
  look.port ??= inside(run, look);
  return look.port;
}

/** What `[Symbol.dispose]` of a `Maybe` is. */
function disposerOf(look: Look): Native {
  return new Native(function* (_run, _, site) {
    yield* dispose(look, site, "[Symbol.dispose]()");
    return undefined;
  }, [look]);
}

function* itemMember(run: Run, item: Item, name: string, site: Site): Steps<Value> {
  const isSuper = s.isAccess(site.node) &&
    s.bare(site.node.expression).kind === ts.SyntaxKind.SuperKeyword;
  const start = isSuper ? site.scope.frame.func?.home?.base : item;
  let last: Value = item;
  for (let one: Value = start; one !== undefined; one = one.base) {
    last = one;
    if (!(one instanceof Item)) break;
    const accessor = one.accessors.get(name);
    if (accessor?.get) {
      return yield* run.interpreter.call(accessor.get, [], { ...site, self: item });
    }
    if (!one.parts.has(name)) continue;
    const value = one.parts.get(name);
    const isMethod = value instanceof Func && one !== item && !ts.isArrowFunction(value.node);
    return isMethod ? new Func(value.node, value.scope, item, value.home) : value;
  }
  const isOpen = item.type !== undefined || last instanceof Unknown;
  if (!isOpen && name.startsWith("?")) return unknownPart(run, item, name);
  if (!isOpen) return name === "constructor" ? item.base : undefined;
  return yield* ofType(run, item.type?.(), name, { site, owner: item });
}

/** A part by a name that is not known: one of those that there are, or none. */
function unknownPart(run: Run, item: Item, name: string): Value {
  const parts = [...item.parts].slice(0, 4);
  const [other, value] = parts[run.choose(parts.length + 1)] ?? [];
  if (other?.startsWith("?")) item.parts.delete(other); // it is the same name
  item.parts.set(name, value);
  return value;
}

/** Takes a part away, also by the name that it has where it was found by one that is not known. */
export function removePart({ parts }: Item | Unknown, name: string): void {
  const value = parts.get(name);
  const isFound = name.startsWith("?") && isLinear(value);
  for (const [other, one] of isFound ? parts : []) {
    if (one === value && !other.startsWith("?")) parts.delete(other);
  }
  parts.delete(name);
}

function* unknownMember(run: Run, owner: Unknown, name: string, site: Site): Steps<Value> {
  if (owner.isPlain) return run.answer(name, owner);
  const known = owner.parts.get(name);
  const isFlag = VOLATILE.has(name) && known instanceof Unknown && !known.truth;
  if (owner.parts.has(name) && !isFlag) return known;
  return yield* ofType(run, owner.type(), name, { site, owner });
}

/** A part of something of which only the type is known; it stays where it is. */
function* ofType(
  run: Run,
  type: ts.Type | undefined,
  name: string,
  { site, owner }: { readonly site: Site; readonly owner: Item | Unknown },
): Steps<Value> {
  const { checker } = run.file;
  const symbol = type && checker.getPropertyOfType(checker.getNonNullableType(type), name);
  const declaration = symbol?.declarations?.find((one) => "body" in one && one.body);
  if (declaration && hasBodies(run, declaration.getSourceFile())) {
    const scope = run.moduleOf(declaration.getSourceFile());
    const func = new Func(declaration as Func["node"], scope, owner);
    if (ts.isGetAccessor(declaration)) {
      return yield* run.interpreter.call(func, [], { ...site, self: owner });
    }
    owner.parts.set(name, func);
    return func;
  }
  const isAccess = s.isAccess(site.node) || ts.isBindingElement(site.node.parent);
  const own = symbol ? checker.getTypeOfSymbolAtLocation(symbol, site.node) : undefined;
  const value = own || isAccess
    ? yield* madeOf(own ?? run.file.typeAt(site.node), site, { isOwned: false })
    : new Unknown();
  owner.parts.set(name, value);
  if (/^(?:length|size)$/.test(name)) run.answer("<", value, 0).truth = false;
  return value;
}

/** Puts a value into something. */
export function* store(
  owner: Value,
  key: string | Unknown,
  { value, site }: { readonly value: Value; readonly site: Site },
): Steps<void> {
  const { run } = site.scope;
  const name = run.keyOf(key);
  if (owner instanceof Item) {
    for (let one: Value = owner; one instanceof Item; one = one.base) {
      const set = one.accessors.get(name)?.set;
      if (set) return void (yield* run.interpreter.call(set, [value], { ...site, self: owner }));
    }
    overwritten(owner.parts.get(name), value, site);
    if (key instanceof Unknown) removePart(owner, name);
    owner.parts.set(name, value);
  } else if (owner instanceof Unknown) {
    overwritten(owner.parts.get(name), value, site);
    owner.parts.set(name, value);
    run.escaped.add(owner);
    if (isThing(value)) run.escaped.add(value);
    if (value instanceof Func && /^on[A-Za-z]/.test(name)) {
      listen(run, value, { site, timesMax: 1 });
    }
  } else if (owner instanceof List) {
    const items = yield* fill(run, owner, site);
    if (key instanceof Unknown) {
      const before = owner.found.get(key);
      const index = before === undefined ? -1 : items.indexOf(before);
      owner.items[index < 0 ? items.length : index] = value;
      owner.found.set(key, value);
    } else if (name === "length") owner.items.length = Math.min(Number(value) || 0, items.length);
    else if (Number(name) < 256) owner.items[Number(name)] = value;
  } else if (owner === undefined || owner === null) {
    throw new Abandoned(true);
  }
}

/** Notes where something went out of sight because something else came in its place. */
export function overwritten(before: Value, after: Value, { node }: Site): void {
  const isGone = (before instanceof Port || before instanceof Look) && before !== after;
  if (isGone) before.left = { node, isOverwritten: true };
}
