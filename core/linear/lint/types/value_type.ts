import type { LocalFunction } from "../syntax/binding.ts";
import { CHECKS, type LinearKind } from "../syntax/vocabulary.ts";

/** What the rules know of a value. What they do not know has no type. */
export type Type =
  | LinearType
  | FunctionType
  | ClassType
  | { readonly kind: "list" | "disposable" };

/** A value that must be consumed exactly once. */
export interface LinearType {
  readonly kind: LinearKind;
  /** Whether somebody else has to see to its end: an array, a field, the caller. */
  readonly isLoan: boolean;
  /** Whether it may be `undefined` or `null`. */
  readonly isNullable: boolean;
}

/** A class of the file that is analysed. */
export interface ClassType {
  readonly kind: "class";
  /** Its methods and accessors. */
  readonly functions: () => readonly LocalFunction[];
}

/** A function that is written in the file that is analysed. */
export interface FunctionType {
  readonly kind: "function";
  readonly local: LocalFunction;
}

/**
 * How often and when a function runs what it is given. `later` is once, by code that drops what it
 * returns; `kept` is once, by whoever takes it out again, `listed` by this function itself; `ever` is
 * again and again, later, `watched` when something happens, if it does.
 */
export type Schedule =
  | "once"
  | "repeated"
  | "later"
  | "kept"
  | "listed"
  | "ever"
  | "watched"
  | "unknown";

/** What a function does to the functions that it is given. */
export interface Callback {
  /** Whether nobody takes what they return. */
  readonly dropsResult?: boolean;
  readonly schedule: Schedule;
}

/** What is called, and what becomes of what it is given. */
export interface Called {
  readonly local?: LocalFunction | undefined;
  /** Whether it is the library's `move`. */
  readonly isMove?: boolean;
  readonly callback?: Callback | undefined;
  /** Whether it only answers what its input is. */
  readonly isGuard?: boolean;
  /** Whether it only returns when its first input is true. */
  readonly isAssertion?: boolean;
  /** Whether it takes a port for good that it is given, though its body is not in this file. */
  readonly takesPorts?: boolean;
  /** Whether only its type is known: it may give the same port each time. */
  readonly isOpaque?: boolean;
  /** Whether nothing runs after a call of it. */
  readonly isNever?: boolean;
  readonly parameter: (index: number) => Type | undefined;
  /** Whether what it says of a parameter leaves no way to consume a port. */
  readonly onlyLooksAt: (index: number) => boolean;
}

/** The type of a linear value that its holder owns. */
export function linearType(kind: LinearKind): LinearType {
  return { kind, isLoan: false, isNullable: false };
}

export function isLinearType(type: Type | null | undefined): type is LinearType {
  return type?.kind === "port" || type?.kind === "maybe" || type?.kind === "either";
}

/** Whether the value holds a port that must be asked for. */
export function isContainer(
  type: Type | undefined,
): type is LinearType & { readonly kind: "maybe" | "either" } {
  return type?.kind === "maybe" || type?.kind === "either";
}

/** Whether a property says what a `Maybe` or `Either` holds. */
export function isCheck(owner: Type | undefined, name: string): boolean {
  return isContainer(owner) && CHECKS[owner.kind] === name;
}

/** The same value, with somebody else to see to its end. */
export function lent(type: Type | undefined, isLoan = true): Type | undefined {
  return isLinearType(type) && isLoan && !type.isLoan ? { ...type, isLoan } : type;
}
