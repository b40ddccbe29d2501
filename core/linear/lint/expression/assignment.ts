import { checkOf } from "./condition.ts";
import { followCast, followFunction, followListener } from "../statement/function.ts";
import { type Demand, DROP, ESCAPE, type Flow, LOOK, USE } from "../flow/flow.ts";
import { endOf, outlives, type Place, placeOf, supply } from "../flow/place.ts";
import { ts } from "../program/compiler.ts";
import { Binding } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { CHECKS } from "../syntax/vocabulary.ts";
import { isContainer, isLinearType, type LinearType, type Type } from "../types/value_type.ts";
import { unreachedParts } from "../types/list.ts";
import { rootBinding } from "./argument.ts";
import { hastyFinding, keptFinding } from "../finding.ts";

/** What comes into a pattern. */
export interface Incoming {
  readonly isDeclaration: boolean;
  /** The expression whose value comes in; absent when the value is not written here. */
  readonly value?: ts.Node | undefined;
  /** What comes in, when its expression was followed already, or is not written here. */
  readonly type?: Type | undefined;
}

/** `const a = ..., { b } = ...;` */
export function followDeclarations(flow: Flow, list: ts.VariableDeclarationList): void {
  for (const { name, initializer: value, type } of list.declarations) {
    assignPattern(flow, name, { isDeclaration: true, value });
    if (type?.kind === ts.SyntaxKind.NeverKeyword) flow.stop();
  }
}

/** `a = b`, `[a] = b`, `a.b = c`, `a ??= b`, `a += b`. */
export function followAssignment(flow: Flow, node: ts.BinaryExpression, demand: Demand): void {
  const { left, right: value } = node;
  const operator = s.operatorOf(node);
  if (operator === "=") {
    assignPattern(flow, left, { isDeclaration: false, value });
  } else if (["&&=", "||=", "??="].includes(operator)) assignPerhaps(flow, node);
  else {
    flow.follow(left, LOOK);
    return flow.follow(value, LOOK);
  }
  const place = placeOf(flow, left);
  const isKept = operator !== "=" && demand.act === "move"; // the name goes on holding it
  if (place) supply(flow, place, isKept ? ESCAPE : demand);
}

/** `a ??= b`, `a ||= b` and `a &&= b` look at what is there before they assign. */
function assignPerhaps(flow: Flow, node: ts.BinaryExpression): void {
  const { left, right: value } = node;
  const place = placeOf(flow, left);
  if (!place) flow.follow(left, LOOK);
  const isAnd = s.operatorOf(node) === "&&=";
  const before = flow.block;
  const after = flow.newBlock();
  for (const isPresent of [true, false]) {
    flow.block = before;
    flow.continueIn(flow.newBlock());
    const act = isPresent ? "present" : "absent";
    if (place?.kind === "port") flow.emit(act, place.binding, { node: place.node });
    if (isPresent === isAnd) assignPattern(flow, left, { isDeclaration: false, value });
    flow.block.next.push(after);
  }
  flow.block = after;
}

/** Follows a value into a pattern. */
export function assignPattern(flow: Flow, target: ts.Node, incoming: Incoming): void {
  const pattern = s.plain(target);
  if (ts.isIdentifier(pattern)) return assignName(flow, pattern, incoming);
  if (isPattern(pattern)) return assignParts(flow, pattern, incoming);
  flow.follow(pattern, LOOK);
  if (incoming.value) followListener(flow, s.propertyName(pattern), incoming.value);
  flow.forgetFields(true);
}

function isPattern(node: ts.Node): boolean {
  return ts.isArrayBindingPattern(node) || ts.isObjectBindingPattern(node) ||
    ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node);
}

function assignName(flow: Flow, id: ts.Identifier, incoming: Incoming): void {
  const { value } = incoming;
  const type = value ? flow.typeOf(value) : incoming.type;
  const made = value && s.bare(value);
  if (value && made && incoming.isDeclaration && s.isFunction(made)) {
    followCast(flow, value, demandOf(id));
    return followFunction(flow, flow.types.functionAt(made));
  }
  const isLook = isLinearType(type) && flow.types.onlyLooks(id);
  const binding = flow.bindingOf(id);
  const isList = made && (ts.isArrayLiteralExpression(made) || ts.isObjectLiteralExpression(made));
  const into = isList && incoming.isDeclaration ? binding : undefined;
  if (value) flow.follow(value, isLook ? USE : { ...demandOf(id), into });
  if (value && incoming.isDeclaration) dropUnreached(flow, value);
  if (isLook || !binding) return;
  learn(flow, binding, type);
  if (value && incoming.isDeclaration) binding.check = checkOf(flow, value);
  const isOurs = isLinearType(flow.types.ofBinding(binding)) && !binding.alias;
  if (isOurs) arrive(flow, binding, { ...incoming, id, type });
}

/** `const pair = [open(), open()]; pair[0].close();` loses the second. */
function dropUnreached(flow: Flow, value: ts.Node): void {
  for (const one of unreachedParts(flow.types.file, value)) {
    if (!placeOf(flow, one)) flow.dropTemporary(one, flow.typeOf(one), DROP);
  }
}

/** A name without an annotation is what it is given first. */
function learn(flow: Flow, binding: Binding, type: Type | undefined): void {
  if (!type || flow.types.ofBinding(binding)) return;
  binding.type = type;
  flow.types.forget();
}

/** What a value is wanted for that a name is about to hold. */
function demandOf(target: ts.Node): Demand {
  return { act: "move", by: `the assignment to '${s.nameOf(target)}'` };
}

/** The value was followed; now the name holds it. */
function arrive(
  flow: Flow,
  binding: Binding,
  { id, value, type, ...incoming }: Incoming & { readonly id: ts.Node },
): void {
  const isDeclaration = incoming.isDeclaration && binding.node === id; // `var` may come again
  const declared = flow.types.ofBinding(binding);
  const arrived = isLinearType(type) ? type : isSome(value) ? declared : undefined;
  if (!isLinearType(arrived)) {
    return flow.emit(isDeclaration ? "declare" : "clear", binding, { node: id });
  }
  const place = value && placeOf(flow, value);
  const end = place && !isDeclaration && outlives(binding, place.binding)
    ? endOf(flow, place.binding)
    : undefined;
  if (value && place && end) flow.emitFault(keptFinding(value, place.binding, end));
  const root = value && rootBinding(flow, value);
  if (root?.isGiven) binding.isGiven = true;
  flow.emit(isDeclaration ? "define" : "overwrite", binding, {
    node: id,
    isLoan: arrived.isLoan || isKept(value),
    isNullable: arrived.isNullable || (isLinearType(declared) && declared.isNullable),
    from: place?.inside ? undefined : place?.binding,
  });
}

/** Whether any value comes in, other than `undefined` and `null`. */
function isSome(value: ts.Node | undefined): value is ts.Node {
  if (!value) return false;
  const node = s.bare(value);
  return !s.isNothing(node);
}

/** Whether a value of which nothing is known stays where it comes from: in a field, an array. */
function isKept(value: ts.Node | undefined): boolean {
  const node = value && s.bare(value);
  return node !== undefined && s.isAccess(node) && s.propertyName(node) !== "value";
}

/**
 * `[a, b] = [c, d]` pairs them, all values before all names; the parts of another array are lent.
 * `{ value: port } = maybe` takes the port out; together with the check, `{ present, value }`, the
 * names go on speaking of the `Maybe`. The properties of a port are its own.
 */
function assignParts(flow: Flow, pattern: ts.Node, incoming: Incoming): void {
  const { isDeclaration, value } = incoming;
  const whole = value ? flow.typeOf(value) : incoming.type;
  if (isContainer(whole)) return openContainer(flow, pattern, { ...incoming, type: whole });
  const parts = s.partsOf(pattern);
  const values = s.pairedValues(value);
  if (value && !values) {
    flow.follow(value, isLinearType(whole) ? { act: "use", by: "destructuring" } : ESCAPE);
  }
  const types = new Map([...values ?? []].map(([key, one]) => [key, flow.typeOf(one)]));
  const rest = parts.find(({ key }) => key === "");
  for (const [key, one] of values ?? []) {
    const part = parts.find((each) => each.key === key) ?? rest;
    const isTaken = part && !ts.isOmittedExpression(part.target);
    const isName = part !== rest && !part?.otherwise && part && ts.isIdentifier(part.target);
    flow.follow(one, isName ? demandOf(part.target) : isTaken ? ESCAPE : DROP);
  }
  if (values && ts.isAwaitExpression(s.bare(value!))) flow.mayThrow();
  for (const part of parts) {
    const type = values ? types.get(part.key) : flow.types.partOf(whole, part, value);
    assignPart(flow, part, { isDeclaration, type });
  }
}

/** What is not there comes from the default, of which nothing is followed. */
function assignPart(flow: Flow, { target, otherwise }: s.Part, incoming: Incoming): void {
  if (otherwise) flow.follow(otherwise, ESCAPE);
  if (!ts.isOmittedExpression(target)) assignPattern(flow, target, incoming);
}

type Opening = Incoming & {
  readonly type: LinearType & { readonly kind: "maybe" | "either" };
};

function openContainer(flow: Flow, pattern: ts.Node, incoming: Opening): void {
  const { value, type, isDeclaration } = incoming;
  const parts = new Map(s.partsOf(pattern).map((one) => [one.key, one]));
  const check = parts.get(CHECKS[type.kind]);
  const port = parts.get("value");
  const known = value && placeOf(flow, value);
  if (!check && !port) return value && flow.follow(value, ESCAPE);
  if (check) {
    return nameParts(flow, { place: known ?? holdContainer(flow, pattern, incoming), check, port });
  }
  if (known) {
    flow.emit("move", known.binding, { node: known.node, inside: true, by: "destructuring" });
  } else if (value) {
    flow.follow(value, { act: "move", by: "destructuring" });
    flow.emitFault(hastyFinding(value, type.kind));
  }
  if (port) assignPart(flow, port, { isDeclaration, type: flow.types.partOf(type, port) });
}

/** A container that no name holds gets one; names that had parts of another one get it anew. */
function holdContainer(flow: Flow, pattern: ts.Node, incoming: Opening): Place {
  const { value, type, isDeclaration } = incoming;
  const names = s.partsOf(pattern).map(({ target }) => flow.bindingOf(target));
  const known = isDeclaration ? undefined : names.find((one) => one?.alias)?.alias;
  if (value) flow.follow(value, { act: "move", by: "destructuring" });
  if (known) {
    flow.emit("overwrite", known.binding, { node: pattern, isLoan: type.isLoan });
    return { ...known, node: pattern, kind: type.kind, inside: false };
  }
  const declaredAs = names[0]?.declaredAs ?? "const";
  const binding = new Binding(pattern, { scope: flow.scope, declaredAs });
  binding.type = type;
  flow.scope.bindings.set(pattern, binding);
  flow.emit("define", binding, { node: pattern, isLoan: type.isLoan });
  return { binding, node: pattern, kind: type.kind, inside: false };
}

/** The names of the parts stand for the check and the value of the container. */
function nameParts(
  flow: Flow,
  { place, check, port }: {
    readonly place: Place;
    readonly check: s.Part;
    readonly port: s.Part | undefined;
  },
): void {
  const asked = flow.bindingOf(check.target);
  if (asked) asked.check = { place, isNegated: false };
  const held = port && flow.bindingOf(port.target);
  if (held) held.alias = { ...place, kind: "port", inside: true };
}
