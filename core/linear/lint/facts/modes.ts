import { ts } from "../program/compiler.ts";
import { keyOf, type Places } from "./places.ts";
import { bare, calledName, type Fn, isAssignment, isFn, ownerOf, parentOf } from "./syntax.ts";
import { isCallback, isOurs, isUsing, type PortTypes } from "./port_types.ts";

/**
 * What becomes of a port at the place where its name stands: it goes on under another name or ends
 * (`move`), stays what it was (`lend`, or `look` where only its identity matters), is thrown away
 * (`drop`), or nobody can say (`maybe`). A collection gives ports away (`drain`) or takes one in
 * (`absorb`).
 */
export type Mode = "move" | "lend" | "look" | "drop" | "maybe" | "drain" | "absorb";

const CONSUMES = /^(send|recv|recvAsync|query|close|then|catch|finally)$/;
const ABSORBS = /^(push|unshift|set|add|use|adopt|defer)$/;
const LOOKS =
  /^(has|get|includes|indexOf|lastIndexOf|delete|join|log|warn|error|info|stringify|Boolean|String|WeakRef)$/;
const SHOWS = /^(has|keys|includes|indexOf|delete|join|sort|findIndex)$/;
const ITERATES =
  /^(map|forEach|flatMap|some|every|reduce|reduceRight|find|filter|findIndex|findLast|toSorted|sort)$/;
const REPEATS =
  /^(setInterval|operatePort|from|addEventListener|on|map|forEach|flatMap|some|every|reduce|filter)$/;
/** Functions that run a closure when the code that calls them is over. */
export const RUNS_LATER =
  /^(setTimeout|setInterval|queueMicrotask|addEventListener|addListener|on|once|requestAnimationFrame)$/;
const { SyntaxKind } = ts;
/** What takes the value that stands in it. */
const TAKERS = new Set<ts.SyntaxKind>([
  ...[SyntaxKind.YieldExpression, SyntaxKind.ThrowStatement, SyntaxKind.SpreadElement],
  ...[SyntaxKind.VariableDeclaration, SyntaxKind.PropertyDeclaration],
  ...[SyntaxKind.BindingElement, SyntaxKind.Parameter, SyntaxKind.JsxExpression],
  ...[SyntaxKind.PropertyAssignment, SyntaxKind.ShorthandPropertyAssignment],
  SyntaxKind.ExportAssignment,
]);

/** Whether code that asks what happens to a port hears that it may go on. */
function isTaking(mode: Mode): boolean {
  return mode === "move" || mode === "drain" || mode === "maybe";
}

/** Answers what the code around a name does with its port, from the syntax and the types. */
export class Modes {
  readonly #types: PortTypes;
  readonly #places: Places;
  readonly #found = new Map<ts.Node, Mode>();
  readonly #lending = new Map<ts.Node, boolean>();

  constructor(types: PortTypes, places: Places) {
    this.#types = types;
    this.#places = places;
  }

  of(node: ts.Node): Mode {
    const mode = this.#found.get(node) ?? this.#find(node);
    this.#found.set(node, mode);
    return mode;
  }

  #find(node: ts.Node): Mode {
    const types = this.#types;
    const { parent } = node;
    if (bare(parent) !== parent) return this.of(parent);
    if (this.#isAskedToLend(node)) return "lend";
    if (ts.isAwaitExpression(parent)) return types.isPromise(node) ? "move" : this.of(parent);
    if (ts.isPropertyAccessExpression(parent)) return this.#ofOwner(node, parent);
    if (ts.isElementAccessExpression(parent)) return this.#ofIndexed(node, parent);
    if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
      if (parent.expression === node) return "lend";
      return this.#ofArgument(parent, [...parent.arguments ?? []].indexOf(node as ts.Expression));
    }
    if (ts.isReturnStatement(parent)) {
      const fn = ownerOf(parent);
      const isField = ts.isGetAccessor(fn) && this.#places.at(node)?.isField;
      if (isField) return "lend"; // it stays there
      return isFn(fn) ? this.#ofResult(fn) : "move";
    }
    if (ts.isArrowFunction(parent)) return this.#ofResult(parent);
    if (ts.isBinaryExpression(parent)) return this.#ofOperand(node, parent);
    if (ts.isConditionalExpression(parent)) {
      return parent.condition === node ? "lend" : this.of(parent);
    }
    if (ts.isExpressionStatement(parent) || ts.isVoidExpression(parent)) return "drop";
    if (ts.isForStatement(parent)) return parent.condition === node ? "lend" : "drop";
    if (ts.isForOfStatement(parent)) {
      const { initializer, statement } = parent;
      const [variable] = ts.isVariableDeclarationList(initializer) ? initializer.declarations : [];
      const isLent = variable && !this.takes(variable, statement) && !isUsing(variable.parent);
      return isLent ? "lend" : "drain";
    }
    if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) {
      const { name } = parent;
      if (types.kindAt(node) === "bag") {
        return this.#takesNamed(name, ownerOf(parent)) ? "drain" : "lend";
      }
      const names = name.elements.map((one) => (one.propertyName ?? one.name).getText());
      return names.includes("value") ? "move" : "lend";
    }
    if (ts.isArrayLiteralExpression(parent)) return this.#ofElement(node, parent);
    if (ts.isSpreadAssignment(parent)) return this.#ofCopied(node, parent.parent);
    return TAKERS.has(parent.kind) ? "move" : "lend";
  }

  /** Whether what stands here is wanted as a `Lent` port: in a field, a variable, a result. */
  #isAskedToLend(node: ts.Node): boolean {
    const { parent } = node;
    const isPlace = TAKERS.has(parent.kind) || ts.isReturnStatement(parent) ||
      ts.isArrayLiteralExpression(parent) || ts.isArrowFunction(parent) || isAssignment(parent);
    const asked = isPlace && ts.isExpression(node)
      ? this.#types.checker.getContextualType(node)
      : undefined;
    return asked !== undefined && this.#types.isLent(this.#types.checker.getNonNullableType(asked));
  }

  /** `{ ...call, port }`: a copy takes no port if it gets others under all their names. */
  #ofCopied(node: ts.Node, { properties }: ts.ObjectLiteralExpression): Mode {
    const types = this.#types;
    const names = new Set(properties.map(({ name }) => name?.getText()));
    const isTaken = types.at(node).getProperties().some((field) =>
      types.kindOf(types.checker.getTypeOfSymbol(field)) && !names.has(field.name)
    );
    return isTaken ? "move" : "lend";
  }

  /** An element of a list that is gone through at once, or one of the promises of a race. */
  #ofElement(node: ts.Node, list: ts.ArrayLiteralExpression): Mode {
    const isName = ts.isIdentifier(node);
    const user = parentOf(list);
    if (ts.isCallExpression(user) && /^(race|any)$/.test(calledName(user))) {
      return isName ? "maybe" : "move";
    }
    const isLent = (ts.isForOfStatement(user) || ts.isPropertyAccessExpression(user)) &&
      this.of(list) === "lend";
    return isLent ? "lend" : "move";
  }

  #ofOperand(node: ts.Node, parent: ts.BinaryExpression): Mode {
    const isRight = parent.right === node;
    switch (parent.operatorToken.kind) {
      case SyntaxKind.CommaToken:
        return isRight ? this.of(parent) : "drop";
      case SyntaxKind.BarBarToken:
      case SyntaxKind.QuestionQuestionToken:
        return this.of(parent);
      case SyntaxKind.AmpersandAmpersandToken:
        return isRight ? this.of(parent) : "lend";
    }
    return isAssignment(parent) && isRight ? "move" : "lend";
  }

  #ofIndexed(node: ts.Node, parent: ts.ElementAccessExpression): Mode {
    const { argumentExpression: key } = parent;
    if (key === node) return "lend";
    if (this.#types.kindAt(node) !== "port") return isTaking(this.of(parent)) ? "drain" : "lend";
    const isEnd = CONSUMES.test(keyOf(key) ?? "") ||
      /^Symbol\.(asyncD|d)ispose$/.test(key.getText());
    return isEnd ? "move" : "lend";
  }

  /** `node.name`: an operation of a port, the value of a Maybe, a field of an object, a list's method. */
  #ofOwner(node: ts.Node, access: ts.PropertyAccessExpression): Mode {
    const types = this.#types;
    const name = access.name.text;
    const isCalled = ts.isCallExpression(access.parent) && access.parent.expression === access;
    const type = types.at(bare(node));
    if (types.kindOf(type) === "port" || types.isPromise(node) || types.isAny(type)) {
      const isValue = name === "value" && (types.kindAt(access) || types.isAny(types.at(access)));
      if (isValue && !isCalled && !types.isAny(type)) return this.of(access);
      return isCalled && CONSUMES.test(name) ? "move" : "lend";
    }
    if (!isCalled) return types.kindAt(access) && isTaking(this.of(access)) ? "drain" : "lend";
    if (!types.isCollection(type) && !types.isStack(node)) return "lend";
    if (ABSORBS.test(name)) return "absorb";
    const [callback] = (access.parent as ts.CallExpression).arguments;
    if (ITERATES.test(name) && callback && isFn(callback)) {
      return callback.parameters.some((one) => this.takes(one)) ? "drain" : "lend";
    }
    return SHOWS.test(name) ? "lend" : "drain";
  }

  /** What a function returns is its caller's, unless the caller takes nothing. */
  #ofResult(fn: Fn): Mode {
    const types = this.#types;
    const context = fn.type ? undefined : types.contextOf(fn);
    if (RUNS_LATER.test(calledName(fn.parent)) && ts.isArrowFunction(fn)) return "drop";
    if (!context) return "move";
    const result = context.getReturnType();
    const keeps = (one: ts.Type) => types.kindOf(one) !== undefined || types.isUnknown(one);
    if (types.checker.typeToString(result) === "SyncResult") return "drop";
    return (result.isUnion() ? [result, ...result.types] : [result]).some(keeps) ? "move" : "drop";
  }

  #ofArgument(call: ts.CallExpression | ts.NewExpression, index: number): Mode {
    const types = this.#types;
    const name = calledName(call);
    if (/^set(Timeout|Interval)$/.test(name) && index > 1) return "move"; // to its callback
    if (name === "move" || call.expression.kind === SyntaxKind.SuperKeyword) return "move";
    const signature = types.checker.getResolvedSignature(call);
    const parameter = signature?.parameters[Math.min(index, signature.parameters.length - 1)];
    if (!signature?.declaration || !parameter) return "maybe"; // an import that leads nowhere
    if (types.checker.getTypePredicateOfSignature(signature)?.parameterIndex === index) {
      return "lend";
    }
    const { expression } = call;
    if (ts.isPropertyAccessExpression(expression) && types.isStack(expression.expression)) {
      return "move";
    }
    const isKnown = isOurs(signature.declaration);
    if (LOOKS.test(name) && !isKnown) return "look";
    const declared = parameter.valueDeclaration;
    const type = this.#asked(parameter, call, index);
    if (!types.kindOf(type)) { // it says nothing of ports
      if (!isKnown) return types.isAny(type) && ABSORBS.test(name) ? "move" : "lend";
      return types.isUnknown(type) ? "maybe" : types.canEnd(type) ? "move" : "lend";
    }
    if (types.kindAt(call.arguments![index]!) === "bag") return "drain";
    const isLender = declared && ts.isParameter(declared) && isOurs(declared) &&
      this.#isOnlyLent(declared);
    if (isLender) return "maybe"; // which is told where it is declared
    return isCallback(signature) && !types.kindOf(signature.getReturnType()) ? "maybe" : "move";
  }

  /** The type that a parameter has for the argument with this number. */
  #asked(parameter: ts.Symbol, call: ts.Node, index: number): ts.Type {
    const { checker } = this.#types;
    const declared = parameter.valueDeclaration;
    const type = checker.getTypeOfSymbolAtLocation(parameter, call);
    const isRest = declared && ts.isParameter(declared) && declared.dotDotDotToken;
    if (!isRest || !checker.isArrayLikeType(type)) return type;
    const items = checker.getTypeArguments(type as ts.TypeReference);
    return items[checker.isTupleType(type) ? index : 0] ?? type;
  }

  /** Whether a parameter or loop variable is consumed anywhere where its name can be seen. */
  takes(
    { name, parent }: ts.ParameterDeclaration | ts.VariableDeclaration,
    within: ts.Node | undefined = (parent as Fn).body,
  ): boolean {
    return within !== undefined && this.#takesNamed(name, within);
  }

  #takesNamed(name: ts.BindingName, within: ts.Node): boolean {
    if (!ts.isIdentifier(name)) {
      return name.elements.some((one) =>
        ts.isBindingElement(one) && this.#takesNamed(one.name, within)
      );
    }
    const symbol = this.#types.symbolAt(name);
    const visit = (node: ts.Node): boolean => {
      const isIt = ts.isIdentifier(node) && node.text === name.text &&
        this.#types.symbolAt(node) === symbol;
      return (isIt && isTaking(this.of(node))) || (ts.forEachChild(node, visit) ?? false);
    };
    return name.text === "this" || visit(within);
  }

  /** Whether a function only looks at what a parameter says that it takes. */
  #isOnlyLent(parameter: ts.ParameterDeclaration): boolean {
    const before = this.#lending.get(parameter);
    if (before !== undefined) return before;
    this.#lending.set(parameter, false); // a function that calls itself
    const fn = parameter.parent;
    const isPlain = !parameter.dotDotDotToken && !parameter.initializer &&
      !ts.isParameterPropertyDeclaration(parameter, fn);
    const is = isFn(fn) && isPlain && !this.takes(parameter);
    this.#lending.set(parameter, is);
    return is;
  }

  /** Whether a function that is handed to another one is called more than once by it. */
  runsOften(fn: ts.Node): boolean {
    const call = parentOf(fn);
    if (!ts.isCallExpression(call) || call.expression === fn) return false;
    const [event, , options] = call.arguments; // some events come once
    const isOnce = /once/.test(options?.getText() ?? "") ||
      /"(abort|close|unload)"/.test(event!.getText());
    return !isOnce && REPEATS.test(calledName(call)) && !this.#types.kindAt(call);
  }

  /** Whether a call hands the elements of a list to a function, one by one. */
  isIteration(call: ts.Node): boolean {
    return ITERATES.test(calledName(call));
  }
}
