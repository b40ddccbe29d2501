import * as s from "../syntax/syntax.ts";
import { memberType } from "./member.ts";
import {
  firstOf,
  functionGiving,
  isLinearType,
  lent,
  type ObjectType,
  pairOf,
  type Type,
} from "./value_type.ts";

/** The declarations that give a type a name, and are known before anything runs. */
const TYPE_DECLARATIONS: ReadonlySet<string> = new Set([
  "ClassDeclaration",
  "TSEnumDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
]);

/** Declares what the statements of a block declare, before any of them runs. */
export function hoist(scope: s.Scope, statements: readonly s.SyntaxNode[]): void {
  for (const statement of statements) {
    const node = s.declarationIn(statement);
    if (node.type === "VariableDeclaration") hoistVariables(scope, node);
    const isType = TYPE_DECLARATIONS.has(node.type);
    const declaredAs = DECLARED_AS.get(node.type);
    const id = isType || declaredAs ? s.child(node, "id") : undefined;
    if (!id) continue;
    if (isType) scope.declareType(s.word(id, "name"), node);
    const source = () => scope.typeOf(node);
    if (declaredAs) scope.declare(id, { declaredAs, init: node, source });
  }
}

/** What else declares a value under its `id`. */
const DECLARED_AS: ReadonlyMap<string, string> = new Map([
  ["ClassDeclaration", "class"],
  ["FunctionDeclaration", "function"],
  ["TSDeclareFunction", "signature"],
  ["TSEnumDeclaration", "enum"],
  ["TSModuleDeclaration", "namespace"],
]);

/** Declares the names of `const a = b, { c } = d`. */
function hoistVariables(scope: s.Scope, node: s.SyntaxNode): void {
  const declaredAs = s.word(node, "kind");
  for (const declarator of s.children(node, "declarations")) {
    const init = s.child(declarator, "init");
    const source = () => scope.typeOf(init);
    declarePattern(scope, { pattern: s.child(declarator, "id"), declaredAs, source, init });
  }
}

/** The names of the head of a loop. */
export function loopScope(loop: s.SyntaxNode, parent: s.Scope): s.Scope {
  const scope = new s.Scope(parent);
  const head = s.child(loop, "init") ?? s.child(loop, "left");
  if (head?.type !== "VariableDeclaration") return scope;
  if (loop.type === "ForStatement") hoistVariables(scope, head);
  else {
    const pattern = s.child(s.children(head, "declarations")[0] ?? head, "id");
    const source = () => elementType(parent.typeOf(s.child(loop, "right")), loop, parent);
    declarePattern(scope, { pattern, declaredAs: s.word(head, "kind"), source });
  }
  return scope;
}

/** What a round of `for of` gets. */
export function elementType(
  iterable: Type | undefined,
  loop: s.SyntaxNode,
  scope: s.Scope,
): Type | undefined {
  const list = iterable?.kind === "object" ? iteratedBy(iterable, scope) : iterable;
  if (list?.kind !== "list" || loop.type === "ForInStatement") return undefined;
  return list.isMap ? pairOf(list.element) : lent(list.element);
}

/** What the iterator of an object of this file gives. */
function iteratedBy(iterable: ObjectType, scope: s.Scope): Type | undefined {
  const method = iterable.member("Symbol.asyncIterator") ?? iterable.member("Symbol.iterator");
  return method?.kind === "function" ? method.result({ inputs: [], scope }) : undefined;
}

/** The names of `catch (error)` and of the cases of a `switch`. */
export function clauseScope(node: s.SyntaxNode, parent: s.Scope): s.Scope {
  const scope = new s.Scope(parent);
  declarePattern(scope, { pattern: s.child(node, "param"), declaredAs: "catch" });
  hoist(scope, s.bodyOf(node));
  hoist(scope, s.children(node, "cases").flatMap((one) => s.children(one, "consequent")));
  return scope;
}

/** Declares the type parameters of a function, which stand for what they extend. */
export function declareTypeParameters(scope: s.Scope, node: s.SyntaxNode): void {
  for (const one of s.children(s.part(node, "typeParameters"), "params")) {
    const name = s.child(one, "name");
    if (name) scope.declareType(s.word(name, "name"), one);
  }
}

/** Declares the names of a pattern, each with what comes into it. */
export function declarePattern(
  scope: s.Scope,
  { pattern, ...declaration }: s.Declaration & { readonly pattern: s.SyntaxNode | undefined },
): void {
  const { declaredAs, source } = declaration;
  const into = (inner: s.SyntaxNode | undefined, change: Partial<s.Declaration>) =>
    declarePattern(scope, { declaredAs, source, ...change, pattern: inner });
  switch (pattern?.type) {
    case "Identifier":
      return void scope.declare(pattern, declaration);
    case "AssignmentPattern": {
      const otherwise = s.child(pattern, "right");
      return into(s.child(pattern, "left"), {
        source: () => source?.() ?? scope.typeOf(otherwise),
      });
    }
    case "TSParameterProperty":
      return into(s.child(pattern, "parameter"), { declaredAs: "property" });
    case "RestElement": {
      const annotation = s.child(pattern, "typeAnnotation");
      const rest = () => scope.annotated(annotation) ?? source?.();
      return into(s.child(pattern, "argument"), { source: rest });
    }
    case "ObjectPattern":
    case "ArrayPattern":
      return declareParts(scope, { ...declaration, pattern });
  }
}

function declareParts(
  scope: s.Scope,
  { pattern, declaredAs, source, init }: s.Declaration & { readonly pattern: s.SyntaxNode },
): void {
  const annotation = s.child(pattern, "typeAnnotation");
  const whole = () => scope.annotated(annotation) ?? source?.();
  const values = pattern.type === "ArrayPattern" ? pairedValues(init) : undefined;
  for (const { key, inner } of partsOf(pattern)) {
    const value = values?.[Number(key)];
    const incoming = value
      ? { init: value, source: () => scope.typeOf(value) }
      : { source: inner.type === "RestElement" ? whole : () => memberType(whole(), key) };
    declarePattern(scope, { pattern: inner, declaredAs, ...incoming });
  }
}

/** The patterns inside a pattern, by the name or the number of what comes in. */
export function partsOf(
  pattern: s.SyntaxNode,
): readonly { readonly key: string; readonly inner: s.SyntaxNode }[] {
  if (pattern.type === "ArrayPattern") {
    return s.children(pattern, "elements").map((inner, index) => ({ key: `${index}`, inner }));
  }
  return s.children(pattern, "properties").map((one) => {
    const key = s.child(one, "key");
    return { key: key ? s.keyName(key) : "", inner: s.child(one, "value") ?? one };
  });
}

/** What `[a, b]` gets, value by value, from an array that is written in place. */
export function pairedValues(init: s.SyntaxNode | undefined): readonly s.SyntaxNode[] | undefined {
  const value = init && s.bare(init);
  if (value?.type === "ArrayExpression") {
    const values = s.children(value, "elements");
    return values.some(({ type }) => type === "SpreadElement") ? undefined : values;
  }
  if (value?.type !== "AwaitExpression") return undefined;
  const call = s.bare(s.part(value, "argument"));
  const callee = s.part(call, "callee");
  const isAll = s.word(s.part(callee, "object"), "name") === "Promise" &&
    s.propertyName(callee) === "all";
  return isAll ? pairedValues(s.children(call, "arguments")[0]) : undefined;
}

/** What a type literal or an interface is made of. */
export interface Members {
  readonly node: s.SyntaxNode;
  readonly members: readonly s.SyntaxNode[];
  /** What it has from the interfaces that it extends. */
  readonly base?: (name: string) => Type | undefined;
}

/** The object that a type literal or an interface describes. */
export function membersType(
  scope: s.Scope,
  { node, members, base = () => undefined }: Members,
): Type {
  const find = (name: string): Type | undefined => {
    const own = members.find((one) => s.isNamed(one, name));
    if (own) return lent(memberSignatureType(own, scope));
    const index = members.find(({ type }) => type === "TSIndexSignature");
    return base(name) ?? (index && lent(memberSignatureType(index, scope)));
  };
  return { kind: "object", member: scope.types.membersOf(node, find) };
}

function memberSignatureType(node: s.SyntaxNode, scope: s.Scope): Type | undefined {
  if (node.type === "TSMethodSignature") return signatureType(node, scope);
  return scope.annotated(s.child(node, "typeAnnotation"));
}

/** The object that an interface describes, with what it extends. */
export function interfaceType(node: s.SyntaxNode, scope: s.Scope): Type {
  const bases = () => s.children(node, "extends").map((one) => scope.annotated(one));
  const base = (name: string) =>
    firstOf(bases(), (one) => one?.kind === "object" ? one.member(name) : undefined);
  return membersType(scope, { node, members: s.bodyOf(node), base });
}

/** A function that is only declared: `(port: P) => void`, `declare function f(): P`. */
export function signatureType(node: s.SyntaxNode, outer: s.Scope): Type {
  const scope = outer.types.scopeAt(node, () => {
    const inner = new s.Scope(outer);
    declareTypeParameters(inner, node);
    return inner;
  });
  const parameters = s.children(node, "params");
  const parameter = (index: number) => parameterType(parameters, { index, scope });
  const result = () => scope.annotated(s.child(node, "returnType"));
  const takesPorts = () => node.type !== "TSFunctionType" || isLinearType(result());
  return functionGiving(result, {
    parameter,
    isNever: isNever(node),
    isGuard: returnType(node) === "TSTypePredicate",
    isAssertion: assertsTruth(node),
    takesPorts,
  });
}

/** Whether a function says that it never returns. */
export function isNever(node: s.SyntaxNode): boolean {
  return returnType(node) === "TSNeverKeyword";
}

/** Whether a function only returns when its first input is true: `asserts condition`. */
export function assertsTruth(node: s.SyntaxNode): boolean {
  const type = s.part(s.part(node, "returnType"), "typeAnnotation");
  return type.type === "TSTypePredicate" && s.flag(type, "asserts") &&
    !s.child(type, "typeAnnotation");
}

/** The kind of type that a function says it returns. */
export function returnType(node: s.SyntaxNode): string {
  return s.part(s.part(node, "returnType"), "typeAnnotation").type;
}

/** What a function says of one parameter; the last may stand for all that follow. */
export function parameterType(
  parameters: readonly s.SyntaxNode[],
  { index, scope }: { readonly index: number; readonly scope: s.Scope },
): Type | undefined {
  const own = parameters[index] ?? parameters.at(-1);
  const isRest = own?.type === "RestElement";
  if (!own || (!isRest && index >= parameters.length)) return undefined;
  const pattern = s.child(own, "parameter") ?? own;
  const target = pattern.type === "AssignmentPattern" ? s.child(pattern, "left") : pattern;
  const type = scope.annotated(target && s.child(target, "typeAnnotation"));
  return isRest && type?.kind === "list" ? type.element : type;
}
