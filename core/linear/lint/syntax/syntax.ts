import { assert } from "../../../memory/assert.ts";
import type { Check } from "../expression/condition.ts";
import type { Place } from "../flow/place.ts";
import type { Procedure } from "../flow/graph.ts";
import type { Oracle } from "../types/oracle.ts";
import type { Type } from "../types/value_type.ts";

/** A node of the parser's tree, typed here only as far as every node has fields. */
export interface PackedNode {
  /** The kind of node, as ESTree names it. */
  readonly type: string;
  /** First and last character, as offsets in the source text. */
  readonly range: readonly [number, number];
}

/**
 * A node of the tree, the same object each time it is read. Read its fields with {@linkcode child},
 * {@linkcode children} and {@linkcode word}.
 */
export class SyntaxNode {
  readonly type: string;
  /** Where {@linkcode propertyName} remembers what it found. */
  memberName: string | undefined;
  /** The node of the parser's tree. */
  readonly packed: PackedNode;
  /** The fields that were read, the latest first. */
  #fields: KnownField | undefined;

  constructor(packed: PackedNode) {
    this.type = packed.type;
    this.packed = packed;
  }

  /** First and last character, as offsets in the source text. */
  get range(): readonly [number, number] {
    return this.packed.range;
  }

  /** What a field holds: a node, a list of nodes, or a plain value. */
  field(name: string): unknown {
    for (let known = this.#fields; known; known = known.next) {
      if (known.name === name) return known.value;
    }
    const value = unpacked((this.packed as unknown as Readonly<Record<string, unknown>>)[name]);
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
  if (Array.isArray(value)) {
    return value.some(isPacked)
      ? value.map((one) => new SyntaxNode(isPacked(one) ? one : HOLE))
      : [];
  }
  return isPacked(value) ? new SyntaxNode(value) : value;
}

/** What `[, a]` leaves out. */
const HOLE: PackedNode = { type: "", range: [0, 0] };

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

/** The nodes in a list field. */
export function children(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node.field(field);
  return Array.isArray(value) ? value : [];
}

/** What stands in the braces of a class, an interface or a function. */
export function bodyOf(node: SyntaxNode): readonly SyntaxNode[] {
  return children(part(node, "body"), "body");
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

const CASTS: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

const WRAPPERS: ReadonlySet<string> = new Set([
  ...CASTS,
  "ChainExpression",
  "ParenthesizedExpression",
  "TSInstantiationExpression",
  "TSNonNullExpression",
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

/** Whether an expression says what a value is. */
export function isCast(node: SyntaxNode): boolean {
  return CASTS.has(node.type);
}

/** Whether the node is a function with a body, of any form. */
export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type);
}

/** Whether an expression is `undefined` or `null`. */
export function isNothing(node: SyntaxNode): boolean {
  return node.type === "Identifier" ? word(node, "name") === "undefined" : literal(node) === null;
}

/** The parameters of a function that its callers give; `this` is none. */
export function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  return children(node, "params").filter((one) => word(one, "name") !== "this");
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

/** The kind of type that a function says it returns. */
export function returnType(node: SyntaxNode): string {
  return part(part(node, "returnType"), "typeAnnotation").type;
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

/** What is known of one parameter from the calls of its function. */
export interface KnownInput {
  readonly type: Type;
  /** Whether the caller keeps the port unless the function consumes it. */
  readonly isReference: boolean;
  /** Whether the port is that of a call that a handler serves. */
  readonly isGiven: boolean;
}

/** A function of this file, with what its uses tell about it. */
export class LocalFunction {
  readonly node: SyntaxNode;
  /** Where it was written: its free names are looked up here. */
  readonly scope: Scope;
  /** What is known of its parameters, when nothing is written there. */
  readonly inputs: (KnownInput | undefined)[] = [];
  /** Whether a server calls it with a port: what it throws refuses the call. */
  isHandler = false;
  /** Whether it is kept in an object or an array. */
  isStored = false;
  /** Whether nobody takes what it returns. */
  dropsResult = false;
  /** Its body as a graph; absent until somebody needs it. */
  procedure: Procedure | undefined;

  constructor(node: SyntaxNode, scope: Scope) {
    this.node = node;
    this.scope = scope;
  }

  /** The names of its parameters, and what its body declares. */
  get ownScope(): Scope {
    return this.scope.types.functionScope(this);
  }
}

/** One declared name. */
export class Binding {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly scope: Scope;
  /** How it was declared: `const`, `let`, `using`, `function`, `parameter`, ... */
  readonly declaredAs: string;
  /** What comes in where it is declared. */
  readonly origin: Declaration;
  /** `undefined` until somebody asks; `null` while or when there is none. */
  type: Type | null | undefined;
  /** The value of a `Maybe` or `Either` that the name stands for. */
  alias: Place | undefined;
  /** The question about a port that the name holds the answer to. */
  check: Check | undefined;
  /** Whether it is a parameter through which a function works on its caller's name. */
  isReference = false;
  /** Whether its port is that of a call that a handler serves. */
  isGiven = false;
  /** Whether it is a parameter whose port the caller consumes. */
  isLent = false;
  /** Of a port, the list that it is put into; of a list, where all that is in it is consumed. */
  list: Binding | undefined;
  collectedAt: SyntaxNode | undefined;
  /** Whether some place of the program consumes it. */
  isConsumed = false;
  /** Whether some place of the program assigns to it, beside its declaration. */
  isAssigned = false;

  constructor(
    node: SyntaxNode,
    place: Declaration & { readonly scope: Scope; readonly name?: string },
  ) {
    this.name = place.name ?? word(node, "name");
    this.node = node;
    this.scope = place.scope;
    this.declaredAs = place.declaredAs;
    this.origin = place;
  }

  /** Whether the block itself disposes of the value. */
  get isDisposed(): boolean {
    return this.declaredAs === "using" || this.declaredAs === "await using";
  }

  /** Whether it is no name of the program, but a value on its way into a call. */
  get isTemporary(): boolean {
    return this.declaredAs === "temporary";
  }

  /** Whether it is no name of the program, but a field of an object. */
  get isField(): boolean {
    return this.declaredAs === "field";
  }

  /** Whether the name never stands for another value, which is known when the graph is built. */
  get isFixed(): boolean {
    return this.declaredAs === "const" || this.isDisposed || !this.isAssigned;
  }
}

/** How names come into a scope. */
export interface Declaration {
  readonly declaredAs: string;
  /** The expression that it is declared with, or of which it gets a part. */
  readonly value?: SyntaxNode | undefined;
  /** Whether it gets a part of something: an element, a property. */
  readonly isPart?: boolean | undefined;
  readonly partName?: string | undefined;
  /** The function that it is a parameter of. */
  readonly parameterOf?: LocalFunction | undefined;
}

/** The names of one block, function or class. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly bindings = new Map<string, Binding>();
  /** Whether it is that of a function, where `var` belongs. */
  readonly isFunction: boolean;
  /** The procedure whose run makes and ends the names. */
  owner: Procedure | undefined;
  readonly #types: Oracle | undefined;

  /** @param types what works out the names and expressions; that of the parent when it is absent */
  constructor(parent?: Scope, isFunction = false, types?: Oracle) {
    this.parent = parent;
    this.isFunction = isFunction;
    this.#types = types ?? (parent ? parent.#types : undefined);
  }

  /** What works out the names and expressions. */
  get types(): Oracle {
    assert(this.#types !== undefined, "a scope that is asked for types has an oracle");
    return this.#types;
  }

  /** What an expression gives here. */
  typeOf(expression: SyntaxNode | undefined): Type | undefined {
    return this.types.of(expression, this);
  }

  /** The function that is written at a place of this scope. */
  functionAt(node: SyntaxNode): LocalFunction {
    return this.types.functionAt(node, this);
  }

  /** The name as it is known here. */
  resolve(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.parent?.resolve(name);
  }

  /** The scope that a `var` of this one belongs to. */
  get functionScope(): Scope {
    return this.isFunction || !this.parent ? this : this.parent.functionScope;
  }

  declare(node: SyntaxNode, declaration: Declaration): Binding {
    const isVar = declaration.declaredAs === "var";
    const scope = isVar ? this.functionScope : this;
    const known = isVar ? scope.bindings.get(word(node, "name")) : undefined;
    if (known) return known; // declared again
    const binding = new Binding(node, { ...declaration, scope });
    scope.bindings.set(binding.name, binding);
    return binding;
  }
}
