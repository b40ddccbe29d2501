import type { LocalFunction } from "../syntax/scope.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";
import type { Scope } from "../syntax/scope.ts";
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
  readonly functions: () => readonly LocalFunction[];
  readonly constructedBy: () => LocalFunction | undefined;
  /** What a static member is. */
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
  readonly inputs: readonly SyntaxNode[];
  readonly scope: Scope;
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

/** A function or method. */
export interface FunctionType {
  readonly kind: "function";
  /** Where it is written, when that is in this file. */
  readonly local?: LocalFunction;
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
