/**
 * A node of the tree that `deno lint` hands to a plugin. Its fields are getters over a packed
 * buffer, typed here only as far as every node has them; read the others with {@linkcode child},
 * {@linkcode children} and {@linkcode word}.
 */
export interface SyntaxNode {
  /** The kind of node, as ESTree names it. */
  readonly type: string;
  /** First and last character, as offsets in the source text. */
  readonly range: readonly [number, number];
}

function fieldOf(node: SyntaxNode, field: string): unknown {
  return (node as unknown as Readonly<Record<string, unknown>>)[field];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The node in a field, if there is one. */
export function child(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const value = fieldOf(node, field);
  return isNode(value) ? value : undefined;
}

/**
 * The node in a field that the grammar asks for. Where the parser left it out, in code that is not
 * finished, a node of no type: it has no parts and means nothing.
 */
export function part(node: SyntaxNode, field: string): SyntaxNode {
  return child(node, field) ?? { type: "", range: node.range };
}

/**
 * The nodes in a list field. The tree of Deno 2.9 ends a list at its first hole: of `[, a]` there
 * is nothing to see, so that `a` is a name that nobody follows.
 */
export function children(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = fieldOf(node, field);
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The text in a field: a name, an operator, a kind. Empty when there is none. */
export function word(node: SyntaxNode, field: string): string {
  const value = fieldOf(node, field);
  return typeof value === "string" ? value : "";
}

/** Whether a boolean field is set. */
export function flag(node: SyntaxNode, field: string): boolean {
  return fieldOf(node, field) === true;
}

/** The value of a literal; `undefined` for every other node. */
export function literal(node: SyntaxNode | undefined): unknown {
  return node?.type === "Literal" ? fieldOf(node, "value") : undefined;
}

const WRAPPERS: ReadonlySet<string> = new Set([
  "ChainExpression",
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

/** The expression under casts, parentheses and `?.`, which change no value. */
export function bare(node: SyntaxNode): SyntaxNode {
  const inner = WRAPPERS.has(node.type) ? child(node, "expression") : undefined;
  return inner ? bare(inner) : node;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "ArrowFunctionExpression",
  "FunctionDeclaration",
  "FunctionExpression",
]);

/** Whether the node is a function with a body, of any form. */
export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type);
}

/** The property name of `object.name` and `object.#name`; empty for `object[name]`. */
export function propertyName(member: SyntaxNode): string {
  const property = child(member, "property");
  if (!property || flag(member, "computed")) return "";
  return keyName(property);
}

/** The name that a key stands for, with its `#` when it is private. */
export function keyName(key: SyntaxNode): string {
  if (key.type === "PrivateIdentifier") return `#${word(key, "name")}`;
  if (key.type === "Identifier") return word(key, "name");
  const value = literal(key);
  return typeof value === "string" ? value : "";
}

/** The identifiers that a pattern binds, from left to right. */
export function boundIdentifiers(pattern: SyntaxNode | undefined): readonly SyntaxNode[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return children(pattern, "properties").flatMap((one) =>
        boundIdentifiers(child(one, "value") ?? child(one, "argument"))
      );
    case "ArrayPattern":
      return children(pattern, "elements").flatMap(boundIdentifiers);
    case "AssignmentPattern":
      return boundIdentifiers(child(pattern, "left"));
    case "RestElement":
      return boundIdentifiers(child(pattern, "argument"));
    case "TSParameterProperty":
      return boundIdentifiers(child(pattern, "parameter"));
    default:
      return [];
  }
}
