/**
 * A node as `deno lint` hands it to a plugin. Its fields are getters over a packed buffer, typed here
 * only as far as every node has them.
 */
export interface PackedNode {
  /** The kind of node, as ESTree names it. */
  readonly type: string;
  /** First and last character, as offsets in the source text. */
  readonly range: readonly [number, number];
}

/**
 * A node of the tree, which remembers what was read of it: a field of a packed node is searched for
 * each time, and rules look at the same fields again and again. Read them with {@linkcode child},
 * {@linkcode children} and {@linkcode word}.
 */
export class SyntaxNode {
  readonly type: string;
  /** Where {@linkcode propertyName} remembers what it found. */
  memberName: string | undefined;
  readonly #packed: PackedNode;
  /** The fields that were read, the latest first. */
  #fields: KnownField | undefined;

  constructor(packed: PackedNode) {
    this.type = packed.type;
    this.#packed = packed;
  }

  /** First and last character, as offsets in the source text. */
  get range(): readonly [number, number] {
    return this.#packed.range;
  }

  /** What a field holds: a node, a list of nodes, or a plain value. */
  field(name: string): unknown {
    for (let known = this.#fields; known; known = known.next) {
      if (known.name === name) return known.value;
    }
    const value = unpacked((this.#packed as unknown as Readonly<Record<string, unknown>>)[name]);
    this.#fields = { name, value, next: this.#fields };
    return value;
  }
}

/** A list by links takes a quarter of the memory of an array that grows: most nodes have two fields. */
interface KnownField {
  readonly name: string;
  readonly value: unknown;
  readonly next: KnownField | undefined;
}

function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isPacked).map((one) => new SyntaxNode(one));
  return isPacked(value) ? new SyntaxNode(value) : value;
}

function isPacked(value: unknown): value is PackedNode {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The node in a field, if there is one. */
export function child(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const value = node.field(field);
  return value instanceof SyntaxNode ? value : undefined;
}

/**
 * The node in a field that the grammar asks for. Where the parser left it out, in code that is not
 * finished, a node of no type: it has no parts and means nothing.
 */
export function part(node: SyntaxNode, field: string): SyntaxNode {
  return child(node, field) ?? new SyntaxNode({ type: "", range: node.range });
}

/**
 * The nodes in a list field. The tree of Deno 2.9 ends a list at its first hole: of `[, a]` there
 * is nothing to see, so that `a` is a name that nobody follows.
 */
export function children(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node.field(field);
  return Array.isArray(value) ? value : [];
}

/** What a statement declares: the declaration that it exports, or itself. */
export function declarationIn(statement: SyntaxNode): SyntaxNode {
  const isExport = statement.type.startsWith("Export");
  return (isExport ? child(statement, "declaration") : undefined) ?? statement;
}

/** The text in a field: a name, an operator, a kind. Empty when there is none. */
export function word(node: SyntaxNode, field: string): string {
  const value = node.field(field);
  return typeof value === "string" ? value : "";
}

/** Whether a boolean field is set. */
export function flag(node: SyntaxNode, field: string): boolean {
  return node.field(field) === true;
}

/** The value of a literal; `undefined` for every other node. */
export function literal(node: SyntaxNode | undefined): unknown {
  return node?.type === "Literal" ? node.field("value") : undefined;
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

/** The property name of `object.name`, `object.#name` and `object["name"]`; else empty. */
export function propertyName(member: SyntaxNode): string {
  return member.memberName ??= readPropertyName(member);
}

function readPropertyName(member: SyntaxNode): string {
  const property = child(member, "property");
  if (!property) return "";
  if (!flag(member, "computed")) return keyName(property);
  return property.type === "Identifier" ? "" : keyName(property);
}

/** The name that a key stands for, with its `#` when it is private; `Symbol.x` for `[Symbol.x]`. */
export function keyName(key: SyntaxNode): string {
  if (key.type === "PrivateIdentifier") return `#${word(key, "name")}`;
  if (key.type === "Identifier") return word(key, "name");
  if (key.type === "MemberExpression") return symbolName(key);
  const value = literal(key);
  return typeof value === "string" || typeof value === "number" ? `${value}` : "";
}

/** `Symbol.dispose`, which names a method like a word does. */
function symbolName(key: SyntaxNode): string {
  const object = child(key, "object");
  return object && word(object, "name") === "Symbol" ? `Symbol.${propertyName(key)}` : "";
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
