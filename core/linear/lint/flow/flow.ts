import type { Facts } from "../facts/facts.ts";
import { lastLineOf, lineOf, type Tell } from "../finding.ts";
import { Path } from "./path.ts";
import { ts } from "../program/compiler.ts";
import { BITS, type State } from "./state.ts";
import { Statements } from "./statements.ts";
import { calledName, type Fn, isFn } from "../facts/syntax.ts";
import { isCallback } from "../facts/port_types.ts";

const { OWNED, MOVED, ABSENT, LOOSE, DRAINED, KEPT } = BITS;
/** Methods whose name says that the object is over with them. */
const ENDS =
  /^#?(close|dis(pose|connect)|end|finish|stop|abort|cancel|free|shut|release|destroy|take|terminate|quit|tear|clean|commit|rollback|detach|complete|\[Symbol)/i;

/** Where code runs in one piece: a function, a file, the start value of a field. */
export type Piece = Fn | ts.SourceFile | ts.ClassStaticBlockDeclaration | InitialisedProperty;

type InitialisedProperty = ts.PropertyDeclaration & { readonly initializer: ts.Expression };

/** Whether a node is a {@linkcode Piece}. */
export function isPiece(node: ts.Node): node is Piece {
  return isFn(node) || ts.isSourceFile(node) || ts.isClassStaticBlockDeclaration(node) ||
    (ts.isPropertyDeclaration(node) && node.initializer !== undefined);
}

/** Follows the ports of one function on all its paths, from what signatures say of all others. */
export function follow(facts: Facts, piece: Piece, tell: Tell): void {
  new Walk(facts, piece, tell).run();
}

class Walk {
  readonly #facts: Facts;
  readonly #piece: Piece;
  readonly #path: Path;
  readonly #statements: Statements;

  constructor(facts: Facts, piece: Piece, tell: Tell) {
    this.#facts = facts;
    this.#piece = piece;
    this.#path = new Path(tell);
    this.#statements = new Statements(facts, this.#path, piece);
  }

  run(): void {
    const path = this.#path;
    this.#enterCaptures();
    this.#execute();
    const isBody = isFn(this.#piece) && !ts.isBlock(this.#piece.body);
    path.leave(path.now, undefined, isBody ? lineOf(this.#piece) : lastLineOf(this.#piece));
    this.#leaveFields(path.now);
    this.#checkLists();
    for (const { state, kind, node } of path.exits) {
      if (kind !== "throw" && kind !== "return") continue;
      path.leave(state, undefined, lineOf(node), kind === "throw");
      if (kind === "return") this.#leaveFields(state);
    }
  }

  #execute(): void {
    const piece = this.#piece;
    const { evaluate } = this.#statements.expressions;
    if (isFn(piece)) {
      for (const one of piece.parameters) this.#enter(one, piece);
      if (ts.isBlock(piece.body)) this.#statements.executeAll(piece.body.statements);
      else evaluate(piece.body);
    } else if (ts.isSourceFile(piece)) this.#statements.executeAll(piece.statements);
    else if (ts.isClassStaticBlockDeclaration(piece)) {
      this.#statements.executeAll(piece.body.statements);
    } else evaluate(piece.initializer);
  }

  /** A closure that consumes a port has it from the beginning. */
  #enterCaptures(): void {
    if (ts.isSourceFile(this.#piece)) return;
    for (const { place, consumes } of this.#facts.closures.capturesOf(this.#piece)) {
      const isTaken = consumes && place.kind === "port";
      if (isTaken) this.#path.set(place, OWNED | (place.isOptional ? ABSENT : 0));
    }
  }

  #enter(parameter: ts.ParameterDeclaration, fn: Fn): void {
    const { types, places, modes } = this.#facts;
    const { names, evaluate } = this.#statements.expressions;
    const path = this.#path;
    const { name, initializer } = parameter;
    evaluate(initializer);
    if (!ts.isIdentifier(name)) {
      const isLent = types.kindAt(parameter) === "bag" && !modes.takes(parameter);
      return isLent ? undefined : names.bind(name, OWNED);
    }
    if (name.text === "this") return;
    const place = places.at(name);
    if (!place || place.isShared || ts.isParameterPropertyDeclaration(parameter, fn)) return;
    const isArgument = ts.isCallExpression(fn.parent) && fn.parent.expression !== fn;
    const call = isArgument ? fn.parent : undefined;
    const context = parameter.type ? undefined : types.contextOf(fn);
    const isServed = (call && calledName(call) === "operatePort") || types.isHandler(fn);
    const isLoose = !isServed && isCallback(context) &&
      !types.kindOf(context.getReturnType());
    if (isServed) path.served.add(place);
    // A function of one port may be meant for a handler, which refuses its call by a throw.
    if (isServed || (fn.parameters.length === 1 && types.at(name).getProperty("send"))) {
      path.refused = place;
    }
    const isOptional = place.isOptional || parameter.questionToken !== undefined;
    const bits = OWNED | (isOptional ? ABSENT : 0) | (place.kind === "bag" ? DRAINED | KEPT : 0);
    if (modes.takes(parameter)) return path.set(place, isLoose ? bits | KEPT : bits, parameter);
    // What a library shows one by one, or groups; only a promise gives its port away.
    const isShown = call && !isServed &&
      (modes.isIteration(call) ||
        (context && !isCallback(context) && calledName(call) !== "then"));
    if (place.kind === "bag" || isLoose || isShown) return;
    const own = types.checker.getSignatureFromDeclaration(fn);
    if (own && types.checker.getTypePredicateOfSignature(own)) return;
    if (isServed || context) path.tell("lost", parameter, place, fn);
    else path.tell("notLent", parameter, place);
  }

  /** A field keeps no port that was consumed: the next method would use it. */
  #leaveFields(state: State | undefined): void {
    const method = this.#method;
    if (!method || /Symbol/.test(method.name.getText())) return;
    for (const [place, { bits, at }] of state ?? []) {
      if (!place.isField || !(bits & MOVED) || bits & LOOSE) continue;
      const isEnd = isLast(method) || (isNamedAsEnd(method) && !place.isOptional);
      if (!isEnd) this.#path.tell("staleField", at ?? method, place);
    }
  }

  /** Nor does a list in a field, unless somebody empties it. */
  #checkLists(): void {
    const method = this.#method;
    if (!method || isLast(method)) return;
    const { types, lists } = this.#facts;
    const visit = (node: ts.Node): void => {
      const list = lists.spentBy(node);
      const isField = list && ts.isPropertyAccessExpression(list) &&
        list.expression.kind === ts.SyntaxKind.ThisKeyword && types.kindAt(list) === "bag";
      if (isField && !lists.isEmptiedIn(method, list)) {
        this.#path.tell("staleList", list, { name: list.getText() });
      }
      ts.forEachChild(node, visit);
    };
    visit(method);
  }

  /** The method that is followed, also one that is written as a field. */
  get #method(): Method | undefined {
    const piece = this.#piece;
    const owner = isFn(piece) && ts.isPropertyDeclaration(piece.parent) ? piece.parent : piece;
    const isMethod = isFn(piece) && ts.isClassLike(owner.parent) &&
      (ts.isMethodDeclaration(owner) || ts.isPropertyDeclaration(owner));
    return isMethod ? owner : undefined;
  }
}

type Method = ts.MethodDeclaration | ts.PropertyDeclaration;

function isNamedAsEnd({ name }: Method): boolean {
  return ENDS.test(name.getText());
}

/** Whether an object is over with a method, which no other method of it calls. */
function isLast(method: Method): boolean {
  const call = `this.${method.name.getText()}(`;
  const { members } = method.parent as ts.ClassLikeDeclaration;
  return isNamedAsEnd(method) &&
    !members.some((one) => one !== method && one.getText().includes(call));
}
