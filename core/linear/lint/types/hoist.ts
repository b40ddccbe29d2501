import { type Declaration, Scope } from "../syntax/scope.ts";
import {
  bare,
  child,
  children,
  declarationIn,
  keyName,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { memberType } from "./member.ts";
import { lent, type ObjectType, pairOf, type Type } from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** The declarations that give a type a name, and are known before anything runs. */
const TYPE_DECLARATIONS: ReadonlySet<string> = new Set([
  "ClassDeclaration",
  "TSEnumDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
]);

/** Declares what the statements of a block declare, before any of them runs. */
export function hoist(types: Inference, scope: Scope, statements: readonly SyntaxNode[]): void {
  for (const statement of statements) {
    const node = declarationIn(statement);
    if (node.type === "VariableDeclaration") hoistVariables(types, scope, node);
    const isType = TYPE_DECLARATIONS.has(node.type);
    const declaredAs = DECLARED_AS.get(node.type);
    const id = isType || declaredAs ? child(node, "id") : undefined;
    if (!id) continue;
    if (isType) scope.declareType(word(id, "name"), node);
    const source = () => types.of(node, scope);
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
export function hoistVariables(types: Inference, scope: Scope, node: SyntaxNode): void {
  const declaredAs = word(node, "kind");
  for (const declarator of children(node, "declarations")) {
    const init = child(declarator, "init");
    const source = () => types.of(init, scope);
    declarePattern(types, scope, { pattern: child(declarator, "id"), declaredAs, source, init });
  }
}

/** The names of the head of a loop. */
export function loopScope(types: Inference, loop: SyntaxNode, parent: Scope): Scope {
  const scope = new Scope(parent);
  const head = child(loop, "init") ?? child(loop, "left");
  if (head?.type !== "VariableDeclaration") return scope;
  if (loop.type === "ForStatement") hoistVariables(types, scope, head);
  else {
    const pattern = child(children(head, "declarations")[0] ?? head, "id");
    const source = () => elementType(types.of(child(loop, "right"), parent), loop, parent);
    declarePattern(types, scope, { pattern, declaredAs: word(head, "kind"), source });
  }
  return scope;
}

/** What a round of `for of` gets. */
export function elementType(
  iterable: Type | undefined,
  loop: SyntaxNode,
  scope: Scope,
): Type | undefined {
  const list = iterable?.kind === "object" ? iteratedBy(iterable, scope) : iterable;
  if (list?.kind !== "list" || loop.type === "ForInStatement") return undefined;
  return list.isMap ? pairOf(list.element) : lent(list.element);
}

/** What the iterator of an object of this file gives. */
function iteratedBy(iterable: ObjectType, scope: Scope): Type | undefined {
  const method = iterable.member("Symbol.asyncIterator") ?? iterable.member("Symbol.iterator");
  return method?.kind === "function" ? method.result({ inputs: [], scope }) : undefined;
}

/** The names of `catch (error)` and of the cases of a `switch`. */
export function clauseScope(types: Inference, node: SyntaxNode, parent: Scope): Scope {
  const scope = new Scope(parent);
  declarePattern(types, scope, { pattern: child(node, "param"), declaredAs: "catch" });
  const body = child(node, "body");
  if (body) hoist(types, scope, children(body, "body"));
  hoist(types, scope, children(node, "cases").flatMap((one) => children(one, "consequent")));
  return scope;
}

/** Declares the type parameters of a function, which stand for what they extend. */
export function declareTypeParameters(scope: Scope, node: SyntaxNode): void {
  const declaration = child(node, "typeParameters");
  for (const one of declaration ? children(declaration, "params") : []) {
    const name = child(one, "name");
    if (name) scope.declareType(word(name, "name"), one);
  }
}

/** Declares the names of a pattern, each with what comes into it. */
export function declarePattern(
  types: Inference,
  scope: Scope,
  { pattern, ...declaration }: Declaration & { readonly pattern: SyntaxNode | undefined },
): void {
  const { declaredAs, source } = declaration;
  const into = (inner: SyntaxNode | undefined, change: Partial<Declaration>) =>
    declarePattern(types, scope, { declaredAs, source, ...change, pattern: inner });
  switch (pattern?.type) {
    case "Identifier":
      return void scope.declare(pattern, declaration);
    case "AssignmentPattern": {
      const otherwise = child(pattern, "right");
      return into(child(pattern, "left"), {
        source: () => source?.() ?? types.of(otherwise, scope),
      });
    }
    case "TSParameterProperty":
      return into(child(pattern, "parameter"), { declaredAs: "property" });
    case "RestElement": {
      const annotation = child(pattern, "typeAnnotation");
      const rest = () => types.annotated(annotation, scope) ?? source?.();
      return into(child(pattern, "argument"), { source: rest });
    }
    case "ObjectPattern":
    case "ArrayPattern":
      return declareParts(types, scope, { ...declaration, pattern });
  }
}

function declareParts(
  types: Inference,
  scope: Scope,
  { pattern, declaredAs, source, init }: Declaration & { readonly pattern: SyntaxNode },
): void {
  const annotation = child(pattern, "typeAnnotation");
  const whole = () => types.annotated(annotation, scope) ?? source?.();
  const values = pattern.type === "ArrayPattern" ? pairedValues(init) : undefined;
  for (const { key, inner } of partsOf(pattern)) {
    const value = values?.[Number(key)];
    const incoming = value
      ? { init: value, source: () => types.of(value, scope) }
      : { source: inner.type === "RestElement" ? whole : () => partOf(types, whole(), key) };
    declarePattern(types, scope, { pattern: inner, declaredAs, ...incoming });
  }
}

/** The patterns inside a pattern, by the name or the number of what comes in. */
export function partsOf(
  pattern: SyntaxNode,
): readonly { readonly key: string; readonly inner: SyntaxNode }[] {
  if (pattern.type === "ArrayPattern") {
    return children(pattern, "elements").map((inner, index) => ({ key: `${index}`, inner }));
  }
  return children(pattern, "properties").map((one) => {
    const key = child(one, "key");
    return { key: key ? keyName(key) : "", inner: child(one, "value") ?? one };
  });
}

/** What `[a, b]` gets, value by value, from an array that is written in place. */
export function pairedValues(init: SyntaxNode | undefined): readonly SyntaxNode[] | undefined {
  const value = init && bare(init);
  if (value?.type === "ArrayExpression") return pairable(children(value, "elements"));
  if (value?.type !== "AwaitExpression") return undefined;
  const call = bare(part(value, "argument"));
  const callee = part(call, "callee");
  const isAll = word(part(callee, "object"), "name") === "Promise" &&
    propertyName(callee) === "all";
  return isAll ? pairedValues(children(call, "arguments")[0]) : undefined;
}

function pairable(values: readonly SyntaxNode[]): readonly SyntaxNode[] | undefined {
  return values.some(({ type }) => type === "SpreadElement") ? undefined : values;
}

function partOf(types: Inference, whole: Type | undefined, key: string): Type | undefined {
  return whole && memberType(types, whole, key);
}
