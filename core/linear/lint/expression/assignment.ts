import { checkOf } from "./condition.ts";
import {
  followCast,
  followDefaults,
  followFunction,
  followListener,
} from "../statement/function.ts";
import { type Demand, ESCAPE, type Flow, LOOK, USE } from "../flow/flow.ts";
import { endOf, outlives, type Place, placeOf, supply } from "../flow/place.ts";
import * as s from "../syntax/syntax.ts";
import { CHECKS } from "../syntax/vocabulary.ts";
import { isContainer, isLinearType, type LinearType, type Type } from "../types/value_type.ts";
import { rootBinding } from "./argument.ts";
import { hastyFinding, keptFinding } from "../finding.ts";
import { pairedValues, partsOf } from "../types/hoist.ts";

/** What comes into a pattern. */
export interface Incoming {
  readonly isDeclaration: boolean;
  /** The expression whose value comes in; absent when the value is not written here. */
  readonly value?: s.SyntaxNode | undefined;
  /** What comes in, when its expression was followed already, or is not written here. */
  readonly type?: Type | undefined;
}

/** `const a = ..., { b } = ...;` */
export function followDeclarations(flow: Flow, node: s.SyntaxNode): void {
  for (const declarator of s.children(node, "declarations")) {
    const id = s.part(declarator, "id");
    const value = s.child(declarator, "init");
    const annotation = s.child(id, "typeAnnotation");
    assignPattern(flow, id, { isDeclaration: true, value });
    if (annotation && s.part(annotation, "typeAnnotation").type === "TSNeverKeyword") flow.stop();
  }
}

/** `a = b`, `[a] = b`, `a.b = c`, `a ??= b`, `a += b`. */
export function followAssignment(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  const left = s.part(node, "left");
  const value = s.part(node, "right");
  const operator = s.word(node, "operator");
  if (operator === "=") {
    assignPattern(flow, left, { isDeclaration: false, value });
  } else if (operator.length === 3) assignPerhaps(flow, node);
  else {
    flow.follow(left, LOOK);
    return flow.follow(value, LOOK);
  }
  const place = placeOf(flow, left);
  const isKept = operator !== "=" && demand.act === "move"; // the name goes on holding it
  if (place) supply(flow, place, isKept ? ESCAPE : demand);
}

/** `a ??= b`, `a ||= b` and `a &&= b` look at what is there before they assign. */
function assignPerhaps(flow: Flow, node: s.SyntaxNode): void {
  const left = s.part(node, "left");
  const place = placeOf(flow, left);
  if (!place) flow.follow(left, LOOK);
  const isAnd = s.word(node, "operator") === "&&=";
  const before = flow.block;
  const after = flow.newBlock();
  for (const isPresent of [true, false]) {
    flow.block = before;
    flow.continueIn(flow.newBlock());
    const act = isPresent ? "present" : "absent";
    if (place?.kind === "port") flow.emit(act, place.binding, { node: place.node });
    if (isPresent === isAnd) {
      assignPattern(flow, left, { isDeclaration: false, value: s.part(node, "right") });
    }
    flow.block.next.push(after);
  }
  flow.block = after;
}

/** Follows a value into a pattern. */
export function assignPattern(flow: Flow, pattern: s.SyntaxNode, incoming: Incoming): void {
  switch (pattern.type) {
    case "Identifier":
      return assignName(flow, pattern, incoming);
    case "AssignmentPattern":
      followDefaults(flow, pattern);
      return assignPattern(flow, s.part(pattern, "left"), incoming);
    case "ArrayPattern":
      return assignElements(flow, pattern, incoming);
    case "ObjectPattern":
      return assignProperties(flow, pattern, incoming);
    case "RestElement":
      return assignPattern(flow, s.part(pattern, "argument"), incoming);
    default:
      flow.follow(pattern, LOOK);
      if (incoming.value) followListener(flow, s.propertyName(pattern), incoming.value);
      flow.forgetFields(true);
  }
}

function assignName(flow: Flow, id: s.SyntaxNode, incoming: Incoming): void {
  const { value } = incoming;
  const type = value ? flow.typeOf(value) : incoming.type;
  if (value && incoming.isDeclaration && s.isFunction(s.bare(value))) {
    if (s.isCast(value)) followCast(flow, value, demandOf(id));
    return followFunction(flow, flow.scope.functionAt(s.bare(value)));
  }
  const isLook = isLinearType(type) && flow.types.onlyLooks(id);
  const binding = flow.scope.resolve(s.word(id, "name"));
  const isMade = value !== undefined && /^(?:Array|Object)Expression$/.test(value.type);
  const into = isMade && incoming.isDeclaration ? binding : undefined;
  if (value) flow.follow(value, isLook ? USE : { ...demandOf(id), into });
  if (isLook) return;
  if (!binding) return;
  learn(flow, binding, type);
  if (value && incoming.isDeclaration) binding.check = checkOf(flow, value);
  const isOurs = isLinearType(flow.types.ofBinding(binding)) && !binding.alias;
  if (isOurs) arrive(flow, binding, { ...incoming, id, type });
}

/** A name without an annotation is what it is given first. */
function learn(flow: Flow, binding: s.Binding, type: Type | undefined): void {
  if (!type || flow.types.ofBinding(binding)) return;
  binding.type = type;
  flow.types.forget();
}

/** What a value is wanted for that a name is about to hold. */
function demandOf(target: s.SyntaxNode): Demand {
  return { act: "move", by: `the assignment to '${s.word(target, "name")}'` };
}

/** The value was followed; now the name holds it. */
function arrive(
  flow: Flow,
  binding: s.Binding,
  { id, value, type, ...incoming }: Incoming & { readonly id: s.SyntaxNode },
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
function isSome(value: s.SyntaxNode | undefined): value is s.SyntaxNode {
  if (!value) return false;
  const node = s.bare(value);
  return !s.isNothing(node);
}

/** Whether a value of which nothing is known stays where it comes from: in a field, an array. */
function isKept(value: s.SyntaxNode | undefined): boolean {
  const node = value && s.bare(value);
  return node?.type === "MemberExpression" && s.word(s.part(node, "property"), "name") !== "value";
}

/** `[a, b] = [c, d]` pairs them, all values before all names; the parts of another array are lent. */
function assignElements(flow: Flow, pattern: s.SyntaxNode, incoming: Incoming): void {
  const { isDeclaration, value } = incoming;
  const values = pairedValues(value);
  if (value && !values) flow.follow(value, ESCAPE);
  const paired = values?.map((one) => flow.typeOf(one));
  for (const [index, one] of (values ?? []).entries()) {
    const target = s.children(pattern, "elements")[index];
    flow.follow(one, target?.type === "Identifier" ? demandOf(target) : ESCAPE);
  }
  if (value && values && value.type !== "ArrayExpression") flow.mayThrow();
  const whole = value ? flow.typeOf(value) : incoming.type;
  for (const { key, inner } of partsOf(pattern)) {
    const type = paired ? paired[Number(key)] : flow.types.partOf(whole, { key, inner, value });
    assignPattern(flow, inner, { isDeclaration, type });
  }
}

/**
 * `{ value: port } = maybe` takes the port out; together with the check, `{ present, value }`, the
 * names go on speaking of the `Maybe`. The properties of a port are its own.
 */
function assignProperties(flow: Flow, pattern: s.SyntaxNode, incoming: Incoming): void {
  const { value } = incoming;
  const type = value ? flow.typeOf(value) : incoming.type;
  if (isContainer(type)) return openContainer(flow, pattern, { ...incoming, type });
  if (value) {
    flow.follow(value, isLinearType(type) ? { act: "use", by: "destructuring" } : ESCAPE);
  }
  for (const { key, inner } of partsOf(pattern)) {
    followDefaults(flow, inner);
    const { isDeclaration } = incoming;
    assignPattern(flow, inner, {
      isDeclaration,
      type: flow.types.partOf(type, { key, inner, value }),
    });
  }
}

type Opening = Incoming & {
  readonly type: LinearType & { readonly kind: "maybe" | "either" };
};

function openContainer(flow: Flow, pattern: s.SyntaxNode, incoming: Opening): void {
  const { value, type, isDeclaration } = incoming;
  const parts = new Map(partsOf(pattern).map(({ key, inner }) => [key, inner]));
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
  if (port) {
    const part = flow.types.partOf(type, { key: "value", inner: port });
    assignPattern(flow, port, { isDeclaration, type: part });
  }
}

/** A container that no name holds gets one; names that had parts of another one get it anew. */
function holdContainer(flow: Flow, pattern: s.SyntaxNode, incoming: Opening): Place {
  const { value, type, isDeclaration } = incoming;
  const names = partsOf(pattern).map(({ inner }) => flow.scope.resolve(s.word(inner, "name")));
  const known = isDeclaration ? undefined : names.find((one) => one?.alias)?.alias;
  if (value) flow.follow(value, { act: "move", by: "destructuring" });
  if (known) {
    flow.emit("overwrite", known.binding, { node: pattern, isLoan: type.isLoan });
    return { ...known, node: pattern, kind: type.kind, inside: false };
  }
  const declaredAs = names[0]?.declaredAs ?? "const";
  const binding = new s.Binding(pattern, { scope: flow.scope, declaredAs });
  binding.type = type;
  flow.scope.bindings.set(`destructured at ${pattern.range[0]}`, binding);
  flow.emit("define", binding, { node: pattern, isLoan: type.isLoan });
  return { binding, node: pattern, kind: type.kind, inside: false };
}

/** The names of the parts stand for the check and the value of the container. */
function nameParts(
  flow: Flow,
  { place, check, port }: {
    readonly place: Place;
    readonly check: s.SyntaxNode;
    readonly port: s.SyntaxNode | undefined;
  },
): void {
  const asked = flow.scope.resolve(s.word(check, "name"));
  if (asked) asked.check = { place, isNegated: false };
  const held = port && flow.scope.resolve(s.word(port, "name"));
  if (held) held.alias = { ...place, kind: "port", inside: true };
}
