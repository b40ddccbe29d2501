import { Conditions } from "./conditions.ts";
import type { Facts } from "../facts/facts.ts";
import { RUNS_LATER } from "../facts/modes.ts";
import { Names } from "./names.ts";
import type { Path } from "./path.ts";
import type { Place } from "../facts/places.ts";
import { ts } from "../program/compiler.ts";
import { BITS, join } from "./state.ts";
import {
  bare,
  calledName,
  isAssignment,
  isFn,
  keeperOf,
  parentOf,
  rootOf,
  takerOf,
} from "../facts/syntax.ts";

const { OWNED, MOVED, LOOSE, HELD, DRAINED, CAPTURED, LATER, KEPT } = BITS;
const LEAVES =
  /^(get|at|find|findLast|values|entries|keys|sort|next|push|set|add|forEach|clear|delete|fill)$/;
const { SyntaxKind } = ts;

/** Follows a path through expressions, in the order in which they run. */
export class Expressions {
  readonly names: Names;
  readonly conditions: Conditions;
  readonly #facts: Facts;
  readonly #path: Path;
  /** What took the closures that have a port, and the closures that a name calls off. */
  readonly #takers = new Map<Place, ts.Node>();
  readonly #handles = new Map<ts.Symbol, ts.Node>();

  constructor(facts: Facts, path: Path, piece: ts.Node) {
    this.#facts = facts;
    this.#path = path;
    this.names = new Names(facts, path, piece);
    this.conditions = new Conditions(facts);
  }

  evaluate = (node: ts.Node | undefined): void => {
    if (!node || !this.#path.now || ts.isTypeNode(node) || ts.isClassLike(node)) return;
    if (ts.isFunctionLike(node)) this.#evaluateFn(node);
    else if (ts.isIdentifier(node)) this.#evaluateName(node);
    else if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      this.#access(node);
    } else if (ts.isBinaryExpression(node)) this.#operate(node);
    else if (ts.isConditionalExpression(node)) {
      const { condition, whenTrue, whenFalse } = node;
      this.branch(condition, () => this.evaluate(whenTrue), () => this.evaluate(whenFalse));
    } else if (ts.isPropertyAssignment(node)) this.evaluate(node.initializer);
    else if (ts.isShorthandPropertyAssignment(node)) this.evaluate(node.name);
    else if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#invoke(node);
    else if (ts.isObjectLiteralExpression(node)) this.#evaluateAll(node.properties);
    else if (ts.isArrayLiteralExpression(node)) this.#evaluateAll(node.elements);
    else {
      ts.forEachChild(node, this.evaluate);
      if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) this.#path.mayThrow(node);
      if (ts.isAwaitExpression(node)) this.#checkTemporary(node);
    }
  };

  /** The parts of what is not there before all of them are: a name keeps its port until then. */
  #evaluateAll(parts: readonly ts.Node[]): void {
    const isName = (one: ts.Node) =>
      ts.isShorthandPropertyAssignment(one) ||
      ts.isIdentifier(bare(ts.isPropertyAssignment(one) ? one.initializer : one));
    for (const one of parts) if (!isName(one)) this.evaluate(one);
    for (const one of parts) if (isName(one)) this.evaluate(one);
  }

  /** Runs one way or the other, as a condition comes out. */
  branch(condition: ts.Expression, whenTrue: () => void, whenFalse: () => void): void {
    const path = this.#path;
    this.evaluate(condition);
    const before = path.now;
    path.now = this.conditions.narrowed(before, condition, true);
    whenTrue();
    const after = path.now;
    const isCertain = this.conditions.isCertain(condition);
    path.now = isCertain ? undefined : this.conditions.narrowed(before, condition, false);
    whenFalse();
    path.now = join(after, path.now);
  }

  #evaluateFn(node: ts.Node): void {
    const isNamed = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node.parent) ||
      (ts.isClassElement(node) && !ts.isObjectLiteralExpression(node.parent));
    if (isFn(node) && !isNamed) this.#capture(node, node, false);
  }

  #evaluateName(node: ts.Identifier): void {
    const { places, modes, closures } = this.#facts;
    const place = places.at(node);
    if (place) this.names.touch(node, place, modes.of(node));
    else this.names.checkLent(node);
    const closure = closures.named(node);
    const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node;
    if (closure) this.#capture(closure, node, isCalled);
  }

  #access(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): void {
    const { places, modes } = this.#facts;
    const place = places.at(node);
    if (place?.isShared) return this.names.touch(node, place, modes.of(node));
    this.names.look(node, /^value$/);
    this.evaluate(node.expression);
    this.names.look(node, /^(present|arrived)$/);
    if (ts.isElementAccessExpression(node)) this.evaluate(node.argumentExpression);
    if (place) this.names.touch(node, place, modes.of(node));
  }

  // ---- closures

  #capture(fn: ts.Node, node: ts.Node, isCalled: boolean): void {
    const { types, modes, closures } = this.#facts;
    const path = this.#path;
    const call = ts.isCallExpression(node.parent) && !isCalled ? node.parent : undefined;
    const taker = call ? calledName(call) : "";
    const isLater = RUNS_LATER.test(taker);
    const isThen = /^(then|finally|catch)$/.test(taker) && !ts.isAwaitExpression(call!.parent);
    const isLast = isLater || isThen || ts.isReturnStatement(parentOf(node)) ||
      keeperOf(node) !== undefined;
    const isDeferred = call && ts.isPropertyAccessExpression(call.expression) &&
      types.isStack(call.expression.expression);
    for (const { place, consumes, uses: isUsed, at } of closures.capturesOf(fn)) {
      const bits = path.bitsAt(place);
      if (bits === undefined || bits & LOOSE) continue;
      if (place.kind === "bag") path.set(place, bits | DRAINED, node);
      else if (!consumes) {
        if (bits & MOVED && isUsed && isCalled) path.tell("after", node, place, path.atOf(place));
        if (isLast && isUsed && path.using.has(place)) {
          path.tell("kept", node, place, place.declaration);
        }
        if (isLater && isUsed) path.set(place, bits | LATER, node);
      } else if (isDeferred) path.set(place, bits | HELD, node);
      else {
        const holder = takerOf(node);
        if (bits & MOVED && this.#takers.get(place) === holder) continue;
        if (!isCalled && modes.runsOften(node)) path.tell("often", at, place);
        if (path.served.has(place) && (isLater || isThen)) path.tell("served", node, place);
        if (path.using.has(place) && isLast) path.tell("kept", node, place, place.declaration);
        if (bits & MOVED) path.tell("again", node, place, path.atOf(place));
        path.set(place, isLast && !isCalled ? MOVED | CAPTURED : MOVED, node);
        this.#takers.set(place, holder);
      }
    }
    const name = call && handleOf(call);
    const handle = name && types.symbolAt(name);
    if (handle) this.#handles.set(handle, fn);
  }

  // ---- calls

  #invoke(node: ts.CallExpression | ts.NewExpression): void {
    const { types, places, closures } = this.#facts;
    const path = this.#path;
    const callee = bare(node.expression);
    const owner = ts.isPropertyAccessExpression(callee) ? callee.expression : undefined;
    const own = owner && types.kindAt(owner) === "port" ? places.at(owner) : undefined;
    if (isFn(callee)) this.#capture(callee, callee, true);
    else if (!own) this.evaluate(node.expression);
    const name = calledName(node);
    const isOver = /^(removeEventListener|removeListener|off)$/.test(name);
    for (const one of node.arguments ?? []) {
      const listener = isOver ? closures.named(one) : undefined;
      if (listener) this.#release(listener, LOOSE); // it may have run
      if (listener) continue;
      const inner = own && isFn(one)
        ? closures.capturesOf(one).find(({ place }) => place === own)
        : undefined;
      if (inner?.uses) path.tell("ownCallback", inner.at, own);
      this.evaluate(one);
    }
    if (own) this.evaluate(node.expression); // its operation begins when the arguments are there
    const [first] = node.arguments ?? [];
    const handle = /^clear(Timeout|Interval)$/.test(name) ? first : name === "abort" && owner;
    const symbol = handle && types.symbolAt(handle);
    const calledOff = symbol && this.#handles.get(symbol);
    if (calledOff) this.#release(calledOff, name === "abort" ? LOOSE : OWNED);
    // A promise throws where it is awaited, and a port that is closed never.
    const isSafe = types.isPromise(node) || (own !== undefined && name === "close");
    if (!isSafe) path.mayThrow(node);
    if (name === "throwIfAborted") path.mayThrow(node, "throw");
    const isMethod = owner?.kind === SyntaxKind.ThisKeyword;
    if (isMethod || ts.isIdentifier(callee)) this.names.forget(isMethod);
    this.names.noteSpent(node, node);
    this.#checkTemporary(node);
    const isLost = name === "then" && own === undefined && owner &&
      types.kindAt(owner) === "port" &&
      first && isFn(first) && first.parameters.length === 0;
    if (isLost) path.tell("dropped", (callee as ts.PropertyAccessExpression).name);
    if (/^(race|any)$/.test(name) && first && ts.isArrayLiteralExpression(first)) {
      const { elements } = first;
      const ports = elements.filter((one) => types.kindAt(one) === "port");
      const isLosing = ports.length > 1 || (name === "race" && elements.length > 1);
      if (isLosing && !ports.every(ts.isIdentifier)) path.tell("race", node);
    }
    const isNever = (types.at(node).flags & ts.TypeFlags.Never) !== 0;
    const isEnd = isNever || /^(Deno|process)\.exit$/.test(node.expression.getText());
    if (isEnd) path.now = undefined;
  }

  /** A closure that nobody calls any more gives back what it took. */
  #release(closure: ts.Node, given: number): void {
    for (const { place } of this.#facts.closures.capturesOf(closure)) {
      const bits = this.#path.bitsAt(place) ?? 0;
      if (bits & CAPTURED) this.#path.set(place, given);
      else if (bits & LATER) this.#path.set(place, bits & ~LATER);
    }
  }

  /** A port that an expression has made and that has no name yet. */
  #checkTemporary(node: ts.Expression): void {
    const { types, modes, lists } = this.#facts;
    const kind = types.kindAt(node);
    if (!kind || !this.#path.now) return;
    const mode = modes.of(node);
    const callee = ts.isCallExpression(node) ? bare(node.expression) : undefined;
    if (callee && ts.isPropertyAccessExpression(callee)) {
      const name = callee.name.text;
      const owner = bare(callee.expression);
      const isBag = types.kindAt(owner) === "bag";
      const isCut = name === "splice" && mode === "drop" && !ts.isCallExpression(owner); // one that is known
      if (types.isStack(owner) || isCut || (isBag && LEAVES.test(name))) return;
      const isFresh = isBag && (ts.isCallExpression(owner) || ts.isArrayLiteralExpression(owner));
      if (isFresh && /^(slice|filter)$/.test(name)) this.#path.tell("dropped", node);
    }
    const keeper = mode === "move" ? keeperOf(node) : undefined;
    if (keeper) this.names.checkServed(node, keeper);
    const isCounted = ts.isPropertyAccessExpression(node.parent) &&
      /^(length|size)$/.test(node.parent.name.text) && !lists.shownBy(node);
    if (mode === "drop" || (mode === "lend" && (kind === "port" || isCounted))) {
      this.#path.tell(types.isLook(types.at(node)) ? "droppedLook" : "dropped", node);
    }
  }

  // ---- operators

  #operate(node: ts.BinaryExpression): void {
    const path = this.#path;
    const { kind } = node.operatorToken;
    if (isAssignment(node)) return this.#assign(node as ts.BinaryExpression);
    const isAnd = kind === SyntaxKind.AmpersandAmpersandToken;
    this.evaluate(node.left);
    if (!isAnd && kind !== SyntaxKind.BarBarToken && kind !== SyntaxKind.QuestionQuestionToken) {
      return this.evaluate(node.right);
    }
    const before = path.now;
    path.now = this.conditions.narrowed(before, node.left, isAnd);
    this.evaluate(node.right);
    path.now = join(this.conditions.narrowed(before, node.left, !isAnd), path.now);
  }

  #assign({ left, right, operatorToken: { kind } }: ts.BinaryExpression): void {
    const path = this.#path;
    const target = bare(left);
    const place = this.#facts.places.at(target);
    const bits = this.names.bitsOf(right);
    if (kind !== SyntaxKind.EqualsToken) {
      const isAnd = kind === SyntaxKind.AmpersandAmpersandEqualsToken;
      return this.#assignWhere(isAnd, target, right, bits);
    }
    this.evaluate(right);
    if (!path.now) return;
    if (place && !place.within) this.names.put(target, place, bits);
    else if (ts.isArrayLiteralExpression(target)) target.elements.forEach(this.#refill);
    else if (ts.isObjectLiteralExpression(target)) {
      for (const one of target.properties) {
        this.#refill(ts.isPropertyAssignment(one) ? one.initializer : one.name!);
      }
    } else if (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) {
      const owner = this.#facts.places.at(target.expression);
      if (place) path.set(place, OWNED | KEPT, target);
      if (owner && path.now.has(owner) && bits & OWNED) {
        this.names.touch(target.expression, owner, "absorb");
      } else this.evaluate(target.expression);
      if (ts.isElementAccessExpression(target)) this.evaluate(target.argumentExpression);
    }
  }

  /** `target &&= right`, `target ??= right` and the like. */
  #assignWhere(isAnd: boolean, target: ts.Node, right: ts.Expression, bits: number): void {
    const path = this.#path;
    const place = this.#facts.places.at(target);
    const isLocal = place !== undefined && !place.isShared;
    const before = path.now;
    if (isLocal) path.now = this.conditions.narrowed(before, target, isAnd);
    this.evaluate(right);
    if (!path.now) return;
    if (place && isAnd) this.names.put(target, place, bits);
    else if (place) path.set(place, bits, target);
    if (isLocal) path.now = join(path.now, this.conditions.narrowed(before, target, !isAnd));
    else if (!place) path.now = join(path.now, before);
  }

  readonly #refill = (target: ts.Node): void => {
    const place = this.#facts.places.at(target);
    if (place) this.names.put(target, place, OWNED);
  };
}

/** What calls a closure off: `timer = setTimeout(...)`, or `controller` by its `signal`. */
function handleOf(call: ts.CallExpression): ts.Node | undefined {
  const parent = parentOf(call);
  const [, , options] = call.arguments;
  if (options && ts.isObjectLiteralExpression(options)) {
    const signal = options.properties.find(({ name }) => name?.getText() === "signal");
    return signal && ts.isPropertyAssignment(signal) ? rootOf(signal.initializer) : undefined;
  }
  if (ts.isVariableDeclaration(parent)) return parent.name;
  return isAssignment(parent) ? parent.left : undefined;
}
