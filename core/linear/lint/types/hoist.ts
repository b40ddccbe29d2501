import * as s from "../syntax/syntax.ts";

/** Declares what the statements of a block declare, before any of them runs. */
export function hoist(scope: s.Scope, statements: readonly s.SyntaxNode[]): void {
  for (const statement of statements) {
    const node = s.declarationIn(statement);
    if (node.type === "VariableDeclaration") hoistVariables(scope, node);
    const declaredAs = DECLARED_AS.get(node.type);
    const id = declaredAs ? s.child(node, "id") : undefined;
    if (id && declaredAs) scope.declare(id, { declaredAs });
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
    const value = s.child(declarator, "init");
    declarePattern(scope, { pattern: s.child(declarator, "id"), declaredAs, value });
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
    const value = loop.type === "ForOfStatement" ? s.child(loop, "right") : undefined;
    declarePattern(scope, { pattern, declaredAs: s.word(head, "kind"), isPart: true, value });
  }
  return scope;
}

/** The names of `catch (error)` and of the cases of a `switch`. */
export function clauseScope(node: s.SyntaxNode, parent: s.Scope): s.Scope {
  const scope = new s.Scope(parent);
  declarePattern(scope, { pattern: s.child(node, "param"), declaredAs: "catch" });
  hoist(scope, s.bodyOf(node));
  hoist(scope, s.children(node, "cases").flatMap((one) => s.children(one, "consequent")));
  return scope;
}

/** Declares the names of a pattern, each with what comes into it. */
export function declarePattern(
  scope: s.Scope,
  { pattern, ...declaration }: s.Declaration & { readonly pattern: s.SyntaxNode | undefined },
): void {
  const into = (inner: s.SyntaxNode | undefined, change: Partial<s.Declaration> = {}) =>
    declarePattern(scope, { ...declaration, ...change, pattern: inner });
  switch (pattern?.type) {
    case "Identifier":
      return void scope.declare(pattern, declaration);
    case "AssignmentPattern":
      return into(s.child(pattern, "left"));
    case "TSParameterProperty":
      return into(s.child(pattern, "parameter"), { declaredAs: "property" });
    case "RestElement":
      return into(s.child(pattern, "argument"));
    case "ObjectPattern":
    case "ArrayPattern": {
      const values = pattern.type === "ArrayPattern" ? pairedValues(declaration.value) : undefined;
      for (const { key, inner } of partsOf(pattern)) {
        const value = values?.[Number(key)];
        into(inner, value ? { value, isPart: false } : { isPart: true, partName: key });
      }
    }
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
