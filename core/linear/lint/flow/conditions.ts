import type { Facts } from "../facts/facts.ts";
import { ts } from "../program/compiler.ts";
import { BITS, type State, withBits } from "./state.ts";
import { bare, calledName } from "../facts/syntax.ts";

const { OWNED, MOVED, ABSENT, LOOSE, KEPT, UNSEEN, SUM } = BITS;
const NOTHING = /^(undefined|null|void 0)$/;

/** Answers what conditions say of who is there, on the branch where they hold and on the other one. */
export class Conditions {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** What is true where a condition came out true, or false; nothing where it cannot. */
  narrowed(state: State | undefined, condition: ts.Node, isTrue: boolean): State | undefined {
    if (!state) return undefined;
    const node = bare(condition);
    const { places } = this.#facts;
    if (node.kind === ts.SyntaxKind.TrueKeyword) return isTrue ? state : undefined;
    if (node.kind === ts.SyntaxKind.FalseKeyword) return isTrue ? undefined : state;
    if (
      ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken
    ) return this.narrowed(state, node.operand, !isTrue);
    if (ts.isBinaryExpression(node)) return this.#operated(state, node, isTrue);
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      const isSame = calledName(node) === "Boolean" && first;
      return isSame ? this.narrowed(state, first, isTrue) : this.#predicated(state, node, isTrue);
    }
    if (ts.isPropertyAccessExpression(node)) {
      const from = bare(node.expression);
      const owner = ts.isBinaryExpression(from) ? from.left : from;
      const place = places.at(owner);
      const bits = place && state.get(place)?.bits;
      const name = node.name.text;
      if (name === "present") return this.#there(state, owner, isTrue);
      if (/^(length|size)$/.test(name) && place?.kind === "bag" && bits !== undefined) {
        return isTrue ? state : withBits(state, place, ABSENT);
      }
      if (node.questionDotToken && isTrue) return this.#there(state, owner, true);
      if (place?.kind === "bag") {
        return this.#inState(state, node, this.#facts.types.checker.getTrueType(), isTrue);
      }
    }
    if (places.at(node)) return this.#there(state, node, isTrue);
    return ts.isIdentifier(node) ? this.#aliased(state, node, isTrue) : state;
  }

  #operated(state: State, node: ts.BinaryExpression, isTrue: boolean): State | undefined {
    const { left, right } = node;
    switch (node.operatorToken.getText()) {
      case "&&":
        return isTrue ? this.narrowed(this.narrowed(state, left, true), right, true) : state;
      case "||":
        return isTrue ? state : this.narrowed(this.narrowed(state, left, false), right, false);
      case "=":
      case "instanceof":
        return this.narrowed(state, left, isTrue);
      case ">":
        return right.getText() === "0" ? this.narrowed(state, left, isTrue) : state;
      case "==":
      case "===":
        return this.#compared(state, left, right, isTrue);
      case "!=":
      case "!==":
        return this.#compared(state, left, right, !isTrue);
    }
    return state;
  }

  /** `isOpen(maybe)`, where the type of `isOpen` says what an answer means. */
  #predicated(state: State, call: ts.CallExpression, isTrue: boolean): State | undefined {
    const { types } = this.#facts;
    const signature = types.checker.getResolvedSignature(call);
    const asked = signature && types.checker.getTypePredicateOfSignature(signature);
    const value = call.arguments[asked?.parameterIndex ?? -1];
    return value && types.kindOf(asked?.type) ? this.#there(state, value, isTrue) : state;
  }

  /** A constant that was set to a condition. */
  #aliased(state: State, name: ts.Identifier, isTrue: boolean): State | undefined {
    const declared = this.#facts.types.symbolAt(name)?.valueDeclaration;
    if (!declared) return state;
    const isConstant = ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const;
    if (ts.isVariableDeclaration(declared) && isConstant) {
      const { initializer } = declared;
      const isCondition = initializer && !ts.isCallExpression(initializer);
      return isCondition ? this.narrowed(state, initializer, isTrue) : state;
    }
    const from = ts.isBindingElement(declared) ? declared.parent.parent : undefined;
    const isPresence = from && (declared as ts.BindingElement).name.getText() === "present";
    const value = isPresence && ts.isVariableDeclaration(from) && from.initializer;
    return value ? this.#there(state, value, isTrue) : state;
  }

  /** `left === right`, or not: with nothing, a flag, a state of a union. */
  #compared(state: State, left: ts.Node, right: ts.Node, is: boolean): State | undefined {
    const [text, other] = [bare(right).getText(), bare(left).getText()];
    if (/^(undefined|null|true|false)$/.test(other)) return this.#compared(state, right, left, is);
    if (ts.isTypeOfExpression(left)) {
      return this.narrowed(state, left.expression, is !== /undefined/.test(text));
    }
    if (NOTHING.test(text)) return this.narrowed(state, left, !is);
    if (text === "true" || text === "false") {
      return this.narrowed(state, left, (text === "true") === is);
    }
    if (!ts.isPropertyAccessExpression(left)) return state;
    if (text === "0" && /^(length|size)$/.test(left.name.text)) {
      return this.narrowed(state, left, !is);
    }
    if (is && left.questionDotToken) return this.#there(state, left.expression, true);
    return this.#inState(state, left, this.#facts.types.at(right), is);
  }

  /** `union.state === value`, or not, where the states that are left hold no port. */
  #inState(
    state: State,
    { expression, name }: ts.PropertyAccessExpression,
    value: ts.Type,
    is: boolean,
  ): State {
    const { types, places } = this.#facts;
    const place = places.at(expression);
    const type = types.at(expression);
    if (!place || !state.has(place) || !type.isUnion()) return state;
    if (!(value.flags & ts.TypeFlags.Literal)) return state;
    const rest = type.types.filter((one) => {
      const field = one.getProperty(name.text);
      return field && (types.checker.getTypeOfSymbol(field) === value) === is;
    });
    if (rest.length === 0) return state;
    if (!rest.some((one) => types.kindOf(one))) return withBits(state, place, ABSENT);
    const isFull = !rest.some((one) => types.mayBeEmpty(one));
    return isFull ? withBits(state, place, state.get(place)!.bits & ~SUM) : state;
  }

  /** Whether there is something in a place. */
  #there(state: State, written: ts.Node, is: boolean): State | undefined {
    const { types, places } = this.#facts;
    const place = places.at(written);
    const holding = place && state.get(place);
    if (!place || (!holding && !place.isShared)) return state;
    if (!holding) return withBits(state, place, is ? OWNED : ABSENT);
    const type = types.at(written);
    const isMaybe = types.has(type, "present");
    const bits = isMaybe ? holding.bits & ~UNSEEN : holding.bits;
    if (bits & LOOSE || (place.kind === "bag" && !types.mayBeNothing(type))) return state;
    if (is) {
      const known = place.isShared ? ABSENT | KEPT : ABSENT;
      if (bits & ~ABSENT) return withBits(state, place, bits & ~known);
      return isMaybe ? state : undefined;
    }
    if (isMaybe) return withBits(state, place, bits & MOVED ? bits & ~OWNED : ABSENT);
    return bits & ABSENT ? withBits(state, place, ABSENT) : undefined;
  }

  /** Whether a comparison can come out in one way only: a chain that has asked all before. */
  isCertain(condition: ts.Node): boolean {
    const node = bare(condition);
    if (!ts.isBinaryExpression(node) || !/^===?$/.test(node.operatorToken.getText())) return false;
    const left = this.#facts.types.at(node.left);
    return left === this.#facts.types.at(node.right) && left.isLiteral();
  }

  /** Whether the cases of a switch are all that there can be. */
  isExhaustive({ expression, caseBlock }: ts.SwitchStatement): boolean {
    const { types } = this.#facts;
    const type = types.at(expression);
    const nameOf = (one: ts.Type) => types.checker.typeToString(one);
    const cases = caseBlock.clauses.filter(ts.isCaseClause);
    const seen = cases.map((one) => nameOf(types.at(one.expression)));
    const flags = ts.TypeFlags.BooleanLiteral | ts.TypeFlags.EnumLiteral;
    const isSeen = (one: ts.Type) =>
      (one.isLiteral() || one.flags & flags) && seen.includes(nameOf(one));
    return caseBlock.clauses.some(ts.isDefaultClause) ||
      (type.isUnion() ? type.types : [type]).every(isSeen);
  }
}
