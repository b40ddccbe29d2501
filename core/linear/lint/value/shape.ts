import { Scope } from "../syntax/scope.ts";
import { child, children, flag, keyName, type SyntaxNode } from "../syntax/syntax.ts";
import { declareTypeParameters } from "../types/hoist.ts";
import { functionGiving, isLinearType, lent, type Type } from "./value_type.ts";
import type { Inference } from "../types/inference.ts";

/** What a type literal or an interface is made of. */
export interface Members {
  readonly node: SyntaxNode;
  readonly members: readonly SyntaxNode[];
  /** What it has from the interfaces that it extends. */
  readonly base?: (name: string) => Type | undefined;
}

/** The object that a type literal or an interface describes. */
export function membersType(
  types: Inference,
  scope: Scope,
  { node, members, base = () => undefined }: Members,
): Type {
  const isNamed = (one: SyntaxNode, name: string) => {
    const key = child(one, "key");
    return key !== undefined && keyName(key) === name;
  };
  const find = (name: string): Type | undefined => {
    const own = members.find((one) => isNamed(one, name));
    if (own) return lent(memberSignatureType(types, own, scope));
    const index = members.find(({ type }) => type === "TSIndexSignature");
    return base(name) ?? (index && lent(memberSignatureType(types, index, scope)));
  };
  return { kind: "object", member: (name) => types.memberOf(node, name, () => find(name)) };
}

function memberSignatureType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  if (node.type === "TSMethodSignature") return signatureType(types, node, scope);
  return types.annotated(child(node, "typeAnnotation"), scope);
}

/** The object that an interface describes, with what it extends. */
export function interfaceType(types: Inference, node: SyntaxNode, scope: Scope): Type {
  const bases = () => children(node, "extends").map((one) => types.annotated(one, scope));
  const base = (name: string): Type | undefined => {
    for (const one of bases()) {
      const found = one?.kind === "object" ? one.member(name) : undefined;
      if (found) return found;
    }
    return undefined;
  };
  const members = children(child(node, "body") ?? node, "body");
  return membersType(types, scope, { node, members, base });
}

/** A function that is only declared: `(port: P) => void`, `declare function f(): P`. */
export function signatureType(types: Inference, node: SyntaxNode, outer: Scope): Type {
  const scope = types.scopeAt(node, () => {
    const inner = new Scope(outer);
    declareTypeParameters(inner, node);
    return inner;
  });
  const parameters = children(node, "params");
  const parameter = (index: number) => parameterType(types, parameters, { index, scope });
  const result = () => types.annotated(child(node, "returnType"), scope);
  const isGuard = returnType(node) === "TSTypePredicate";
  const isAssertion = assertsTruth(node);
  const takesPorts = () => node.type !== "TSFunctionType" || isLinearType(result());
  return functionGiving(result, {
    parameter,
    isNever: isNever(node),
    isGuard,
    isAssertion,
    takesPorts,
  });
}

/** Whether a function says that it never returns. */
export function isNever(node: SyntaxNode): boolean {
  return returnType(node) === "TSNeverKeyword";
}

/** Whether a function only returns when its first input is true: `asserts condition`. */
export function assertsTruth(node: SyntaxNode): boolean {
  const annotation = child(node, "returnType");
  const type = annotation && child(annotation, "typeAnnotation");
  return type?.type === "TSTypePredicate" && flag(type, "asserts") &&
    !child(type, "typeAnnotation");
}

/** The kind of type that a function says it returns. */
export function returnType(node: SyntaxNode): string {
  const annotation = child(node, "returnType");
  return (annotation && child(annotation, "typeAnnotation")?.type) ?? "";
}

/** What a function says of one parameter; the last may stand for all that follow. */
export function parameterType(
  types: Inference,
  parameters: readonly SyntaxNode[],
  { index, scope }: { readonly index: number; readonly scope: Scope },
): Type | undefined {
  const own = parameters[index] ?? parameters.at(-1);
  const isRest = own?.type === "RestElement";
  if (!own || (!isRest && index >= parameters.length)) return undefined;
  const pattern = child(own, "parameter") ?? own;
  const target = pattern.type === "AssignmentPattern" ? child(pattern, "left") : pattern;
  const type = types.annotated(target && child(target, "typeAnnotation"), scope);
  return isRest && type?.kind === "list" ? type.element : type;
}
