import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { CONSUMERS, MOVE } from "../syntax/vocabulary.ts";
import { SAFE } from "./usual.ts";
import type { ValueReader } from "../program/value_reader.ts";

/** The library's `move`, under whatever name: it gives back what it gets. */
export function isMove(reader: ValueReader, declaration: ts.Node | undefined): boolean {
  if (!declaration || !ts.isFunctionDeclaration(declaration)) return false;
  const [held, ...others] = declaration.typeParameters ?? [];
  if (declaration.name?.text !== MOVE || !held?.constraint || others.length > 0) return false;
  const isSame = [declaration.type, declaration.parameters[0]?.type].every((one) =>
    one?.getText() === held.name.text
  );
  return isSame && reader.kindOf(reader.checker.getTypeAtLocation(held)) === "port";
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
  return isHandlerType(declaration) ||
    file.reader.kindOf(signature.getReturnType()) !== undefined;
}

/** The type of functions that serve a call. */
function isHandlerType({ parent }: ts.Node): boolean {
  return ts.isTypeAliasDeclaration(parent) && parent.name.text === "TypedHandler";
}

/** What is known of a call by its types. */
export interface CallFacts {
  /** What is called, in words. */
  readonly name: string;
  /** Whether it never throws, although the types of the platform are not read. */
  readonly isSafe: boolean;
  readonly signature: ts.Signature | undefined;
  /** Absent where not even its declaration is known. */
  readonly parameters?: Parameters;
  readonly isMove: boolean;
  /** Whether it only answers what its input is. */
  readonly isGuard: boolean;
  /** Whether it takes a port for good. */
  readonly takes: boolean;
  /** Whether it tells by a boolean whether it has taken it. */
  readonly isAnswering: boolean;
}

/** What is known of a call by its types. */
export function callFacts(file: CheckedFile, node: ts.Node): CallFacts {
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
  const { checker } = file;
  const signature = isCall ? checker.getResolvedSignature(node) : undefined;
  const name = isCall ? s.calleeName(node as ts.CallExpression) : "";
  const isSafe = ts.isCallExpression(node) && SAFE.test(node.expression.getText());
  if (!signature?.declaration) {
    const nothing = { isMove: false, isGuard: false, takes: false, isAnswering: false };
    return { ...nothing, name, isSafe, signature: undefined };
  }
  const isGuard = checker.getTypePredicateOfSignature(signature) !== undefined;
  const answer = checker.getNonNullableType(signature.getReturnType());
  return {
    name,
    isSafe,
    signature,
    parameters: new Parameters(file, signature, node),
    isMove: isMove(file.reader, signature.declaration),
    isGuard,
    takes: takesPorts(file, signature) && !isGuard,
    isAnswering: (answer.flags & ts.TypeFlags.BooleanLike) !== 0,
  };
}

/** Whether a call tells a server of the library what serves an opcode. */
export function servesCalls(
  { checker, reader }: CheckedFile,
  { expression }: ts.CallExpression,
): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === "operatePort" &&
    reader.isDeclared(checker.getTypeAtLocation(expression.expression), "TypedServer");
}

/** What a signature says of its inputs. */
export class Parameters {
  readonly #file: CheckedFile;
  readonly #signature: ts.Signature;
  readonly #call: ts.Node;
  readonly #types = new Map<number, ts.Type | undefined>();

  constructor(file: CheckedFile, signature: ts.Signature, call: ts.Node) {
    this.#file = file;
    this.#signature = signature;
    this.#call = call;
  }

  /** A type parameter of the function itself says nothing but what it extends. */
  typeAt(index: number): ts.Type | undefined {
    if (!this.#types.has(index)) this.#types.set(index, this.#readType(index));
    return this.#types.get(index);
  }

  #readType(index: number): ts.Type | undefined {
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
