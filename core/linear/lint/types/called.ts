import type { LocalFunction } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { CONSUMERS, MOVE, SCHEDULERS, USERS } from "../syntax/vocabulary.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import type { Oracle } from "./oracle.ts";
import type { ValueReader } from "./value_reader.ts";
import { type Callback, type Called, isLinearType, type Type } from "./value_type.ts";

/** What a call or `new` calls, as far as the compiler knows. */
export function calledAt(
  oracle: Oracle,
  call: ts.CallExpression | ts.NewExpression,
): Called | undefined {
  const { file } = oracle;
  const signature = file.checker.getResolvedSignature(call);
  if (!signature) return undefined;
  const parameters = new Parameters(file, signature, call);
  const predicate = file.checker.getTypePredicateOfSignature(signature);
  return {
    local: localCalled(oracle, call.expression, signature),
    isMove: isMove(file.reader, signature.declaration),
    callback: callbackOf(oracle, call) ?? callbackIn(file, signature),
    isGuard: predicate !== undefined && predicate.type !== undefined,
    isAssertion: predicate?.kind === ts.TypePredicateKind.AssertsIdentifier && !predicate.type,
    takesPorts: takesPorts(file, signature),
    isOpaque: signature.declaration !== undefined && ts.isFunctionTypeNode(signature.declaration),
    isNever: (signature.getReturnType().flags & ts.TypeFlags.Never) !== 0,
    parameter: (index) => parameters.at(index),
    onlyLooksAt: (index) => parameters.onlyLooks(index),
  };
}

/** The function of this file that runs. */
function localCalled(
  oracle: Oracle,
  callee: ts.Expression,
  { declaration }: ts.Signature,
): LocalFunction | undefined {
  if (declaration && ts.isConstructorDeclaration(declaration)) {
    return oracle.functionDeclaredBy(declaration);
  }
  const type = oracle.of(s.bare(callee));
  return type?.kind === "function" ? type.local : undefined;
}

/** The library's `move`, under whatever name: it gives back what it gets. */
export function isMove(reader: ValueReader, declaration: ts.Node | undefined): boolean {
  if (!declaration || !ts.isFunctionDeclaration(declaration)) return false;
  const [held, ...others] = declaration.typeParameters ?? [];
  if (declaration.name?.text !== MOVE || !held?.constraint || others.length > 0) return false;
  const isSame = [declaration.type, declaration.parameters[0]?.type].every((one) =>
    one?.getText() === held.name.text
  );
  return isSame && reader.valueOf(reader.checker.getTypeAtLocation(held))?.kind === "port";
}

/**
 * Whether a function takes a port for good where it says that it gets one. A function type only
 * where it also gives one back, or serves calls: what a callback is lent, its caller closes.
 */
export function takesPorts(file: CheckedFile, signature: ts.Signature): boolean {
  const { declaration } = signature;
  if (!declaration || file.isOfLanguage(declaration)) return false;
  const isFunctionType = ts.isFunctionTypeNode(declaration);
  if (!isFunctionType) return true;
  return isHandlerType(declaration) || isLinearType(file.reader.valueOf(signature.getReturnType()));
}

/** The type of functions that serve a call. */
export function isHandlerType({ parent }: ts.Node): boolean {
  return ts.isTypeAliasDeclaration(parent) && parent.name.text === "TypedHandler";
}

/** What a signature says of its inputs. */
class Parameters {
  readonly #file: CheckedFile;
  readonly #signature: ts.Signature;
  readonly #call: ts.Node;

  constructor(file: CheckedFile, signature: ts.Signature, call: ts.Node) {
    this.#file = file;
    this.#signature = signature;
    this.#call = call;
  }

  at(index: number): Type | undefined {
    const type = this.#typeAt(index);
    return type && this.#file.reader.valueOf(type);
  }

  onlyLooks(index: number): boolean {
    const type = this.#typeAt(index);
    if (this.#takesApart(index)) return true;
    if (!type || this.#file.isOfLanguage(this.#signature.declaration)) return false;
    return onlyLooks(type);
  }

  /** `({ inbox }: Port) => …` has no name for the port. */
  #takesApart(index: number): boolean {
    const parameter = this.#signature.parameters[index]?.valueDeclaration;
    return parameter !== undefined && ts.isParameter(parameter) &&
      ts.isObjectBindingPattern(parameter.name) && this.at(index)?.kind === "port";
  }

  /** A type parameter of the function itself says nothing but what it extends. */
  #typeAt(index: number): ts.Type | undefined {
    const { parameters, declaration } = this.#signature;
    const parameter = parameters[index] ?? parameters.at(-1);
    const declared = parameter?.valueDeclaration;
    if (!parameter || !declared) return undefined;
    const isRest = ts.isParameter(declared) && declared.dotDotDotToken !== undefined;
    if (!isRest && index >= parameters.length) return undefined;
    const { checker, reader } = this.#file;
    const own = checker.getTypeAtLocation(declared);
    const isGeneric = own.isTypeParameter() &&
      own.symbol.declarations?.some(({ parent }) => parent === declaration);
    const type = isGeneric ? own : checker.getTypeOfSymbolAtLocation(parameter, this.#call);
    return isRest ? reader.argumentsOf(type)[0] : type;
  }
}

/** Whether a type has members, none of which consumes a port. */
export function onlyLooks(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every(onlyLooks);
  if ((type.flags & ts.TypeFlags.Object) === 0) return false;
  const names = type.getProperties().map(({ name }) => name);
  return names.length > 0 &&
    !names.some((one) => CONSUMERS.has(one) || one.startsWith("__@dispose"));
}

/** What a call does to the functions that it is given. */
function callbackOf(
  oracle: Oracle,
  call: ts.CallExpression | ts.NewExpression,
): Callback | undefined {
  const callee = s.bare(call.expression);
  if (ts.isNewExpression(call)) {
    return s.nameOf(callee) === "Promise" ? { schedule: "once" } : undefined;
  }
  if (!s.isAccess(callee)) return undefined;
  const name = s.propertyName(callee);
  const isOfPort = CONSUMERS.has(name) || USERS.has(name);
  return isOfPort && oracle.of(callee.expression)?.kind === "port"
    ? { schedule: "once" }
    : CALLBACKS[name];
}

/**
 * What the body of a function does to the functions that it is given: calls one in two of its
 * statements, one after the other, or does no more than to give it to a timer.
 */
function callbackIn(file: CheckedFile, { declaration }: ts.Signature): Callback | undefined {
  const body = declaration && "body" in declaration ? declaration.body as ts.Node : undefined;
  if (!body || !ts.isBlock(body)) return undefined;
  for (const { name } of declaration!.parameters) {
    const uses = ts.isIdentifier(name) ? usesOf(file, name, body) : [];
    const isStatement = ({ parent }: ts.Node) =>
      ts.isCallExpression(parent) && ts.isExpressionStatement(parent.parent) &&
      parent.parent.parent === body;
    const calls = uses.filter((use) => isStatement(use) && isCallee(use));
    if (calls.length > 1) return { schedule: "repeated" };
    const isTimed = (use: ts.Node) =>
      isStatement(use) && !isCallee(use) &&
      SCHEDULERS.has(s.calleeName(use.parent as ts.CallExpression));
    if (uses.length === 1 && isTimed(uses[0]!)) return { schedule: "later", dropsResult: true };
  }
  return undefined;
}

/** Whether a node is what is called. */
export function isCallee(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && node.parent.expression === node;
}

/** Whether a call tells a server of the library what serves an opcode. */
export function isServing(
  { checker, reader }: CheckedFile,
  { expression }: ts.CallExpression,
): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === "operatePort" &&
    reader.isDeclared(checker.getTypeAtLocation(expression.expression), "TypedServer");
}

/** Methods that say by their name how often they call. */
const CALLBACKS: Readonly<Record<string, Callback>> = {
  defer: { schedule: "later", dropsResult: true },
  finally: { schedule: "later", dropsResult: true },
  flatMap: { schedule: "repeated" },
  forEach: { schedule: "repeated", dropsResult: true },
  map: { schedule: "repeated" },
};

/** Where a name of a function is used in a body. */
export function usesOf(file: CheckedFile, name: ts.Node, body: ts.Node): readonly ts.Node[] {
  const symbol = file.symbolAt(name);
  const text = name.getText();
  const isName = (node: ts.Node) => ts.isIdentifier(node) || ts.isPrivateIdentifier(node);
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const isUse = isName(node) && node.text === text &&
      file.symbolAt(node) === symbol;
    if (isUse) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}
