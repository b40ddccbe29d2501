import { letGo } from "../foreign/handover.ts";
import { kept } from "../path/misuse.ts";
import { keyOf } from "../path/pattern.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Scope } from "../path/scope.ts";
import { Func, Item, Unknown, type Value } from "../path/value.ts";
import { newTarget, TARGET } from "../library/target.ts";
import { ts } from "../program/compiler.ts";
import { runBody } from "../statement/func.ts";
import * as s from "../syntax/syntax.ts";

/** A class: its methods, and what belongs to itself. */
export function* classOf(
  run: Run,
  node: ts.ClassLikeDeclaration,
  around: Scope,
): Steps<Value> {
  const base = s.baseOf(node);
  const parent = base && (yield* run.interpreter.evaluate(run, base, around));
  const scope = new Scope(around);
  const above = parent instanceof Item && parent.made ? parent.made.methods : undefined;
  const methods = new Item(above ?? (parent === undefined ? undefined : new Unknown()));
  const made = new Item(parent);
  made.made = { node, scope, methods };
  methods.parts.set("constructor", made);
  if (node.name) scope.variables.set(node.name.text, { value: made, node: node.name });
  for (const member of node.members) {
    const isStatic = s.isStatic(member);
    const owner = isStatic ? made : methods;
    if (ts.isMethodDeclaration(member) && member.body) {
      owner.parts.set(
        yield* keyOf(run, member.name, scope),
        new Func(member, scope, undefined, owner),
      );
    } else if (ts.isGetAccessor(member) || ts.isSetAccessor(member)) {
      const key = yield* keyOf(run, member.name, scope);
      const known = owner.accessors.get(key) ?? {};
      const kind = ts.isGetAccessor(member) ? "get" : "set";
      owner.accessors.set(key, { ...known, [kind]: new Func(member, scope, undefined, owner) });
    }
  }
  yield* initialize(run, { node, scope, owner: made, isStatic: true });
  return made;
}

/** Gives an object its fields, or a class its own. */
function* initialize(
  run: Run,
  { node, scope, owner, isStatic }: {
    readonly node: ts.ClassLikeDeclaration;
    readonly scope: Scope;
    readonly owner: Item;
    readonly isStatic: boolean;
  },
): Steps<void> {
  const inner = new Scope(scope, { ...scope.frame, self: owner, func: undefined });
  for (const member of node.members) {
    if (isStatic && ts.isClassStaticBlockDeclaration(member)) {
      const func = new Func(member as unknown as Func["node"], scope, owner);
      yield* runBody(func, [], { site: { node: member, scope: inner }, self: owner });
    }
    if (!ts.isPropertyDeclaration(member) || s.isStatic(member) !== isStatic) continue;
    const { initializer, name } = member;
    const value = initializer && (yield* run.interpreter.evaluate(run, initializer, inner));
    if (initializer) kept(value, initializer);
    owner.parts.set(yield* keyOf(run, name, inner), value);
  }
}

/** Makes an object of a class of the program. */
export function* construct(maker: Item, args: readonly Value[], site: Site): Steps<Value> {
  const { run } = site.scope;
  const self = new Item(maker.made!.methods);
  const result = yield* build(run, maker, { self, args, site });
  return result instanceof Item ? result : self;
}

/** Runs the constructors of a class and of those that it extends. */
export function* build(
  run: Run,
  maker: Value,
  { self, args, site }: {
    readonly self: Item;
    readonly args: readonly Value[];
    readonly site: Site;
  },
): Steps<Value> {
  if (!(maker instanceof Item) || !maker.made) {
    if (maker === TARGET) newTarget(self);
    else self.type ??= () => run.file.typeAt(site.node);
    return undefined;
  }
  const { node, scope } = maker.made;
  const own = node.members.find((one): one is ts.ConstructorDeclaration =>
    ts.isConstructorDeclaration(one) && one.body !== undefined
  );
  const fields = { node, scope, owner: self, isStatic: false };
  if (!own) {
    if (maker.base !== undefined) yield* build(run, maker.base, { self, args, site });
    yield* initialize(run, fields);
    return undefined;
  }
  const func = new Func(own, scope, self, maker.made.methods);
  makers.set(func, { maker, initialize: () => initialize(run, fields) });
  if (maker.base === undefined) yield* initialize(run, fields);
  return yield* runBody(func, args, { site, self });
}

/** What `super(...)` of a constructor has to do. */
const makers = new WeakMap<
  Func,
  { readonly maker: Item; readonly initialize: () => Steps<void> }
>();

/** `super(...)`. */
export function* constructBase(run: Run, args: readonly Value[], site: Site): Steps<Value> {
  const { func, self } = site.scope.frame;
  const known = func && makers.get(func);
  if (!known || !(self instanceof Item)) {
    for (const one of args) letGo(run, one); // somebody else calls the constructor
    return undefined;
  }
  yield* build(run, known.maker.base, { self, args, site });
  yield* known.initialize();
  return undefined;
}
