import * as s from "../syntax/syntax.ts";
import type { LinearKind } from "../syntax/vocabulary.ts";

/** What the rules know of a value. What they do not know has no type. */
export type Type =
  | LinearType
  | ClassType
  | FunctionType
  | ListType
  | LiteralType
  | ObjectType
  | { readonly kind: "client" | "server" | "handler" | "disposable" | "stack" | "module" };

/** A value that must be consumed exactly once. */
export interface LinearType {
  readonly kind: LinearKind;
  /** Whether somebody else has to see to its end: an array, a field, the caller. */
  readonly isLoan: boolean;
  /** Whether it may be `undefined` or `null`. */
  readonly isNullable: boolean;
}

/** Something that `new` makes instances of. */
export interface ClassType {
  readonly kind: "class";
  readonly instance: Type;
  /** Its constructor, methods and accessors, when it is written in this file. */
  readonly functions: () => readonly s.LocalFunction[];
  readonly constructedBy: () => s.LocalFunction | undefined;
  readonly member: (name: string) => Type | undefined;
}

/** An array, a set, a map or an iterator. */
export interface ListType {
  readonly kind: "list";
  readonly element: Type;
  /** Whether a round over it gives pairs of a key and an element. */
  readonly isMap: boolean;
}

/** Something with named members. */
export interface ObjectType {
  readonly kind: "object";
  readonly member: (name: string) => Type | undefined;
}

/** The values that a literal type allows, as source text; `undefined` for more than can be listed. */
export interface LiteralType {
  readonly kind: "literals";
  readonly texts: ReadonlySet<string> | undefined;
}

/** One call of a function, as far as its result depends on it. */
export interface CallSite {
  readonly inputs: readonly s.SyntaxNode[];
  readonly scope: s.Scope;
}

/**
 * How often and when a function runs what it is given. `later` is once, by code that drops what it
 * returns; `kept` is once, by whoever takes it out again; `ever` is again and again, later.
 */
export type Schedule = "once" | "repeated" | "later" | "kept" | "ever" | "unknown";

/** What a function hands to the functions that it is given. */
export interface Callback {
  /** What the first parameter is of the first function that it is given. */
  readonly input?: Type | undefined;
  readonly isHandler?: boolean;
  /** Whether nobody takes what they return. */
  readonly dropsResult?: boolean;
  readonly schedule: Schedule;
}

export interface FunctionType {
  readonly kind: "function";
  /** Where it is written, when that is in this file. */
  readonly local?: s.LocalFunction;
  /** Whether it is the library's `move`. */
  readonly isMove?: boolean;
  /** What it does to functions that it is given. */
  readonly callback?: Callback;
  /** Whether it only answers what its input is. */
  readonly isGuard?: boolean;
  /** Whether it only returns when its first input is true. */
  readonly isAssertion?: boolean;
  /** Whether it takes a port for good that it is given, though its body is not in this file. */
  readonly takesPorts?: () => boolean;
  /** Whether nothing runs after a call of it. */
  readonly isNever?: boolean;
  readonly parameter: (index: number) => Type | undefined;
  readonly result: (site: CallSite) => Type | undefined;
}

export const PORT: LinearType = { kind: "port", isLoan: false, isNullable: false };
export const MAYBE: LinearType = { kind: "maybe", isLoan: false, isNullable: false };
export const EITHER: LinearType = { kind: "either", isLoan: false, isNullable: false };

/** The type of a linear value that its holder owns. */
export function linearType(kind: LinearKind): LinearType {
  return { port: PORT, maybe: MAYBE, either: EITHER }[kind];
}

export function isLinearType(type: Type | undefined): type is LinearType {
  return type?.kind === "port" || type?.kind === "maybe" || type?.kind === "either";
}

/** Whether the value holds a port that must be asked for. */
export function isContainer(
  type: Type | undefined,
): type is LinearType & { readonly kind: "maybe" | "either" } {
  return type?.kind === "maybe" || type?.kind === "either";
}

/** The same value, with somebody else to see to its end. */
export function lent(type: Type | undefined): Type | undefined {
  return isLinearType(type) && !type.isLoan ? { ...type, isLoan: true } : type;
}

/** The same value, or `undefined`. */
export function nullable(type: Type | undefined): Type | undefined {
  return isLinearType(type) && !type.isNullable ? { ...type, isNullable: true } : type;
}

/** The same value, and not `undefined`. */
export function solid(type: Type | undefined): Type | undefined {
  return isLinearType(type) && type.isNullable ? { ...type, isNullable: false } : type;
}

export function listOf(element: Type | undefined, isMap = false): ListType | undefined {
  return element && { kind: "list", element, isMap };
}

/** The first type that is known of some things. */
export function firstOf<T>(
  things: readonly T[],
  typeOf: (one: T) => Type | undefined,
): Type | undefined {
  for (const one of things) {
    const type = typeOf(one);
    if (type) return type;
  }
  return undefined;
}

/** A pair of a key and an element, as a map gives them. */
export function pairOf(element: Type): ObjectType {
  return { kind: "object", member: (name) => name === "1" ? lent(element) : undefined };
}

/** A function of which only the result is known. */
export function functionGiving(
  result: FunctionType["result"],
  details: Partial<Omit<FunctionType, "kind" | "result">> = {},
): FunctionType {
  return { kind: "function", parameter: () => undefined, result, ...details };
}

/** One of two values: linear when either is, because somebody has to see to its end. */
export function eitherOf(left: Type | undefined, right: Type | undefined): Type | undefined {
  if (!left || !right) return nullable(left ?? right);
  if (isLinearType(left) && isLinearType(right)) return linearOf(left, right);
  if (left.kind === "literals" && right.kind === "literals") {
    return { kind: "literals", texts: right.texts && left.texts?.union(right.texts) };
  }
  if (left.kind === "object" && right.kind === "object") {
    return { kind: "object", member: (name) => left.member(name) ?? right.member(name) };
  }
  return left.kind === right.kind ? left : undefined;
}

function linearOf(left: LinearType, right: LinearType): LinearType | undefined {
  if (left.kind !== right.kind) return undefined;
  const isLoan = left.isLoan || right.isLoan;
  return { kind: left.kind, isLoan, isNullable: left.isNullable || right.isNullable };
}

/** `string` and `number`: no list of cases has all of them. */
const ANYTHING: Type = { kind: "literals", texts: undefined };
export const BOOLEAN: Type = { kind: "literals", texts: new Set(["true", "false"]) };

/** The values of a literal type: `"a"`, `1`, `boolean`. */
export function literalType(node: s.SyntaxNode): Type | undefined {
  if (node.type === "TSBooleanKeyword") return BOOLEAN;
  if (node.type !== "TSLiteralType") return ANYTHING;
  const value = s.child(node, "literal");
  const text = value && literalText(value);
  return text === undefined ? undefined : { kind: "literals", texts: new Set([text]) };
}

/** The members of an enum, as they are written where they are used. */
export function enumType(node: s.SyntaxNode): Type {
  const name = s.word(s.child(node, "id") ?? node, "name");
  const members = s.children(s.child(node, "body") ?? node, "members");
  const texts = members.map((one) => {
    const id = s.child(one, "id");
    return `${name}.${id ? s.word(id, "name") || s.word(id, "value") : ""}`;
  });
  return { kind: "literals", texts: new Set(texts) };
}

/** A literal or a `Name.member`, as text that is the same wherever it is written. */
export function literalText(node: s.SyntaxNode): string | undefined {
  if (node.type === "Literal") {
    const value = s.literal(node);
    return typeof value === "bigint" ? `${value}n` : JSON.stringify(value);
  }
  const sign = node.type === "UnaryExpression" && s.word(node, "operator") === "-" ? "-" : "";
  const argument = sign && s.child(node, "argument");
  if (argument) return `-${literalText(argument)}`;
  const object = node.type === "MemberExpression" ? s.child(node, "object") : undefined;
  const property = object && s.child(node, "property");
  return object && property ? `${s.word(object, "name")}.${s.word(property, "name")}` : undefined;
}
