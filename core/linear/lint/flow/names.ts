import type { Facts } from "../facts/facts.ts";
import type { Mode } from "../facts/modes.ts";
import type { Path } from "./path.ts";
import type { Place } from "../facts/places.ts";
import { ts } from "../program/compiler.ts";
import { BITS } from "./state.ts";
import {
  bare,
  isAssignment,
  isFn,
  isInside,
  keeperOf,
  parentOf,
  rootOf,
  startOf,
} from "../facts/syntax.ts";

const { OWNED, MOVED, ABSENT, LOOSE, HELD, DRAINED, CAPTURED, LATER, KEPT, UNSEEN, SUM, SPENT } =
  BITS;
/** What reads a collection and leaves in it what it has read. */
const READS = /^(get|at|find|findLast|values|entries|keys|sort|next)$/;

/** What names of ports hold on a path, and what an occurrence of one does. */
export class Names {
  readonly #facts: Facts;
  readonly #path: Path;
  /** The function that is followed. */
  readonly #piece: ts.Node;
  /** The fields, and parts of objects, that names were read from. */
  readonly #fields = new Map<Place, Place>();

  constructor(facts: Facts, path: Path, piece: ts.Node) {
    this.#facts = facts;
    this.#path = path;
    this.#piece = piece;
  }

  /** One occurrence of a name. */
  touch(node: ts.Node, place: Place, mode: Mode): void {
    const path = this.#path;
    const { now } = path;
    if (mode === "look") return;
    if (place.isShared && now && !now.has(place)) path.set(place, OWNED | ABSENT | KEPT);
    const holding = path.now?.get(place);
    if (!holding) {
      if (place.within && now?.has(place.within) && mode === "move") path.set(place, MOVED, node);
      return;
    }
    const { bits, at } = holding;
    if (bits & LOOSE) return mode === "move" ? path.set(place, MOVED, node) : undefined;
    if (mode === "maybe") return path.set(place, LOOSE, node);
    const { parent } = node;
    const isUse = ts.isPropertyAccessExpression(parent)
      ? !/^(index|present|arrived)$/.test(parent.name.text)
      : !isLook(parent);
    const ends = mode === "move" || (mode === "drain" && place.kind === "port");
    const isLater = bits & CAPTURED && !ends; // it runs when this code is over
    if (bits & MOVED && mode !== "drop" && (ends || isUse) && !isLater) {
      path.tell(ends ? "again" : "after", node, place, at);
    }
    if (mode === "absorb") {
      return path.set(
        place,
        OWNED | (bits & KEPT) | (this.#areHeld(parent.parent) ? HELD : 0),
        node,
      );
    }
    if (bits & SPENT && (ends || mode === "drain")) path.tell("spent", node, place, at);
    if (mode === "drain" && place.kind === "bag") {
      return path.set(place, (bits & ~SPENT) | DRAINED, node);
    }
    if (!ends) return;
    if (bits & HELD && place.kind === "port") path.tell("held", node, place, at);
    if (bits & LATER) path.tell("usedLater", node, place, at);
    if (path.using.has(place) || path.served.has(place)) this.#keep(node, place);
    const isStored = keeperOf(node) !== undefined; // its keeper ends it, and until then it may be used
    path.set(place, MOVED | (isStored ? CAPTURED : 0) | (bits & ABSENT), node);
    const field = this.#fields.get(place);
    if (field && (path.bitsAt(field) ?? 0) & OWNED) path.set(field, MOVED, node);
  }

  /** Whether a call puts into a list what a stack closes: `ports.push(stack.use(port))`. */
  #areHeld(call: ts.Node): boolean {
    return ts.isCallExpression(call) && call.arguments.length > 0 &&
      call.arguments.every((one) => this.bitsOf(one) === HELD);
  }

  /** A port that something will close must not go on living here under another name. */
  #keep(node: ts.Node, place: Place): void {
    const keeper = keeperOf(node);
    const parent = parentOf(node);
    const isGone = ts.isPropertyAccessExpression(parent) || ts.isAwaitExpression(parent) ||
      ts.isElementAccessExpression(parent) || (ts.isCallExpression(parent) && !keeper);
    if (this.#path.using.has(place)) {
      return isGone ? undefined : this.#path.tell("kept", node, place, place.declaration);
    }
    if (keeper) this.checkServed(node, keeper);
  }

  /** The port of a handler, under whatever name, is not kept where the handler does not end it. */
  checkServed(node: ts.Node, keeper: ts.Node): void {
    const place = this.#facts.places.at(startOf(node));
    const isServed = place !== undefined && this.#path.served.has(place);
    if (isServed && this.#isOutside(keeper)) this.#path.tell("served", node, place);
  }

  /** Whether the first name of an expression is declared outside of this function. */
  #isOutside(written: ts.Node): boolean {
    const root = rootOf(written);
    if (root.kind === ts.SyntaxKind.ThisKeyword) return true;
    const declared = this.#facts.types.symbolAt(root)?.valueDeclaration;
    return declared !== undefined && !isInside(declared, this.#piece);
  }

  /** A list whose ports were consumed one by one still has them. */
  noteSpent(node: ts.Node, at: ts.Node): void {
    const list = this.#facts.lists.spentBy(node);
    const place = list && this.#facts.places.at(list);
    const bits = this.#path.bitsAt(place);
    if (place && bits !== undefined) this.#path.set(place, bits | SPENT, at);
  }

  /** A name gets another value. */
  put(target: ts.Node, place: Place, bits: number): void {
    const path = this.#path;
    const known = path.bitsAt(place);
    if (place.isShared && known === undefined && bits & OWNED && isFn(this.#piece)) {
      const isFull = place.isField && !place.isOptional &&
        !ts.isConstructorDeclaration(this.#piece);
      const isOften = !place.isField && place.isOptional &&
        this.#facts.modes.runsOften(this.#piece);
      if (isFull || isOften) path.tell("overwritten", target, place);
    }
    const isLost = known && known & OWNED && !(known & (LOOSE | HELD | KEPT | DRAINED | SUM));
    if (isLost && !path.using.has(place)) {
      path.tell("overwritten", place.isShared ? target : place.declaration, place, target);
    }
    path.set(place, bits, target);
    for (const one of path.now?.keys() ?? []) if (one.within === place) path.set(one, LOOSE);
    for (const [name, field] of this.#fields) if (field === place) this.#unlink(name);
  }

  /** Another method, or function, may have taken what was seen in a field or a shared name. */
  forget(isField: boolean): void {
    for (const [place, { bits }] of this.#path.now ?? []) {
      const isTheirs = place.isShared && place.isField === isField;
      if (isTheirs && bits & OWNED && !(bits & MOVED)) this.#path.set(place, bits | KEPT);
    }
  }

  /** A name has alone what was in a field that got another value. */
  #unlink(name: Place): void {
    this.#fields.delete(name);
    const bits = this.#path.bitsAt(name);
    if (bits !== undefined) this.#path.set(name, bits & ~KEPT);
  }

  /** What a value gives to its new name. */
  bitsOf(written: ts.Expression | undefined): number {
    if (!written) return ABSENT;
    const { types, places, lists } = this.#facts;
    const node = bare(written);
    const type = types.at(node);
    const kind = types.kindOf(type);
    if (ts.isConditionalExpression(node)) {
      return this.bitsOf(node.whenTrue) | this.bitsOf(node.whenFalse);
    }
    if (ts.isBinaryExpression(node) && /^(\?\?|\|\|)$/.test(node.operatorToken.getText())) {
      return this.bitsOf(node.left) & ~ABSENT | this.bitsOf(node.right);
    }
    if (!kind) return types.isAny(type) ? LOOSE : ABSENT;
    const empty = types.mayBeNothing(type) ? ABSENT : 0;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (types.isStack(expression)) return HELD;
      const [each] = node.arguments;
      const made = each && ts.isArrowFunction(each) && name.text === "map" ? each.body : undefined;
      if (made && !ts.isBlock(made) && this.bitsOf(made) === HELD) return HELD;
      if (types.kindAt(expression) === "bag" && READS.test(name.text)) return OWNED | KEPT | empty;
    }
    const isView = kind === "bag" && ts.isCallExpression(node) && lists.shownBy(node);
    if (isView) return OWNED | KEPT | empty;
    if (isAssignment(node)) return OWNED | KEPT | empty; // the other name has it, too
    const known = this.#path.bitsAt(places.at(node)) ?? 0;
    if (known & (LOOSE | KEPT | HELD | DRAINED)) return known & ~MOVED | empty;
    const isPart = ts.isElementAccessExpression(node) ||
      (ts.isPropertyAccessExpression(node) && types.kindAt(node.expression) !== "port");
    if (isPart) return OWNED | KEPT | empty;
    if (kind === "port") return OWNED | empty | (types.isLook(type) ? UNSEEN : 0);
    return isEmpty(node) ? ABSENT : OWNED | empty | (types.mayBeEmpty(type) ? SUM : 0);
  }

  /** A variable that is declared takes what its start value gives. */
  declare(name: ts.Identifier, place: Place, bits: number, from: ts.Expression | undefined): void {
    const { places } = this.#facts;
    this.#path.set(place, bits, name);
    const origin = from && places.at(startOf(from));
    if (origin && this.#path.served.has(origin)) this.#path.served.add(place);
    const source = from && bare(from);
    const field = source && places.at(isAssignment(source) ? source.left : source);
    if (!field?.isField) return;
    this.#path.set(field, OWNED | ABSENT | KEPT); // still there until the other name is consumed
    this.#fields.set(place, field);
  }

  bind(name: ts.BindingName, bits: number): void {
    if (ts.isIdentifier(name)) {
      const place = this.#facts.places.at(name);
      if (place) this.#path.set(place, bits | (place.isOptional ? ABSENT : 0), name);
      return;
    }
    const value = ts.isVariableDeclaration(name.parent) ? name.parent.initializer : undefined;
    if (value) this.#tellUnnamed(name, value);
    for (const one of name.elements) if (ts.isBindingElement(one)) this.bind(one.name, bits);
  }

  /** `const { port } = this` and `const { value } = maybe` take out what they name. */
  unpack(name: ts.BindingPattern, initializer: ts.Expression): void {
    const { types, places } = this.#facts;
    const value = bare(initializer);
    const place = places.at(value);
    const bits = this.#path.bitsAt(place);
    if (place && bits !== undefined) this.#path.set(place, bits & ~UNSEEN);
    const isFresh = ts.isCallExpression(value) || ts.isAwaitExpression(value) ||
      ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value);
    const isObject = ts.isObjectBindingPattern(name);
    const keyOf = (one: ts.BindingElement) => (one.propertyName ?? one.name).getText();
    const isMethod = isObject && types.kindAt(value) === "port" &&
      !name.elements.some((one) => keyOf(one) === "value");
    if (isMethod) return;
    const isShown = isObject && place?.kind === "bag";
    this.bind(name, (bits === undefined && !isFresh) || isShown ? OWNED | KEPT : OWNED);
    if (!isShown) return;
    for (const one of name.elements) { // each is in its object, too
      const [part, taken] = [places.part(value, keyOf(one), one), places.at(one.name)];
      if (!part || !taken) continue;
      this.#path.set(part, OWNED | KEPT, one);
      this.#fields.set(taken, part);
    }
  }

  /** Ports of a tuple, or of an object that only this pattern has, that get no name. */
  #tellUnnamed(pattern: ts.BindingPattern, value: ts.Expression): void {
    const { types } = this.#facts;
    const whole = types.at(value);
    const isObject = ts.isObjectBindingPattern(pattern);
    const isFresh = isObject
      ? ts.isCallExpression(bare(value)) && types.kindOf(whole) === "bag"
      : types.checker.isTupleType(whole);
    if (!isFresh) return;
    const names = new Set(pattern.elements.map((one, index) => {
      if (!ts.isBindingElement(one)) return "";
      return isObject ? (one.propertyName ?? one.name).getText() : `${index}`;
    }));
    if (pattern.elements.some((one) => ts.isBindingElement(one) && one.dotDotDotToken)) return;
    for (const field of whole.getProperties()) {
      const isPort = (isObject || /^\d+$/.test(field.name)) &&
        types.kindOf(types.checker.getTypeOfSymbol(field)) === "port";
      if (isPort && !names.has(field.name)) this.#path.tell("unnamed", pattern.parent);
    }
  }

  /** Whether somebody has looked at a Maybe or an Either before its value is taken. */
  look(node: ts.Node, names: RegExp): void {
    if (!ts.isPropertyAccessExpression(node) || !names.test(node.name.text)) return;
    const { types, places } = this.#facts;
    const from = bare(node.expression);
    const place = places.at(ts.isBinaryExpression(from) ? from.left : from);
    const isTaken = node.name.text === "value";
    if (!place) {
      const isFresh = isTaken && ts.isCallExpression(from) && types.isLook(types.at(from));
      if (isFresh) this.#path.tell("unseen", node);
      return;
    }
    const bits = this.#path.bitsAt(place) ?? 0;
    if (!(bits & UNSEEN)) return;
    if (isTaken) this.#path.tell("unseen", node, place);
    this.#path.set(place, bits & ~UNSEEN);
  }

  /** What is lent, a port or its packet, goes nowhere that lives longer. */
  checkLent(node: ts.Identifier): void {
    const { types } = this.#facts;
    const keeper = keeperOf(node);
    if (!keeper || !this.#isOutside(keeper)) return;
    const parameter = types.symbolAt(node)?.valueDeclaration;
    const call = parameter && ts.isParameter(parameter) ? parameter.parent.parent : undefined;
    const owner = call && ts.isCallExpression(call) ? call.expression : undefined;
    const isPacket = owner && ts.isPropertyAccessExpression(owner) &&
      types.kindAt(owner.expression) === "port";
    if (isPacket || types.isLent(types.at(node))) this.#path.tell("lent", node);
  }
}

/** Whether an expression only asks whether there is a port, and which. */
function isLook(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) || ts.isPrefixUnaryExpression(node) ||
    ts.isIfStatement(node) || ts.isTypeOfExpression(node) || ts.isTemplateSpan(node) ||
    ts.isVariableDeclaration(node);
}

/** Whether a value is a collection that has nothing in it yet. */
function isEmpty(node: ts.Node): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0;
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0;
  return ts.isNewExpression(node) && !node.arguments?.length;
}
