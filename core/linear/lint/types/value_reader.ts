import { DECLARED, type LinearKind } from "../syntax/vocabulary.ts";
import { ts } from "../program/compiler.ts";
import { linearType, type Type } from "./value_type.ts";

/** What a type of the compiler is to the rules, with nothing said of loans. */
export interface Reading {
  readonly kind: LinearKind | "list" | "disposable" | "absent";
  readonly isNullable: boolean;
}

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
const PROMISES: ReadonlySet<string> = new Set(["Promise", "PromiseLike"]);
const LISTS: ReadonlySet<string> = new Set(["Array", "ReadonlyArray", "Set", "Map", "Generator"]);
const DISPOSABLES: ReadonlySet<string> = new Set(["Disposable", "AsyncDisposable"]);
const DEPTH_MAX = 8;

/** Tells what values are from what the compiler knows of them. */
export class ValueReader {
  readonly checker: ts.TypeChecker;
  readonly #known = new Map<ts.Type, Reading | undefined>();

  constructor(checker: ts.TypeChecker) {
    this.checker = checker;
  }

  /** What a value of a type is: owned, unless somebody says otherwise. */
  valueOf(type: ts.Type): Type | undefined {
    const reading = this.read(type);
    if (!reading || reading.kind === "absent") return undefined;
    const { kind, isNullable } = reading;
    if (kind === "list" || kind === "disposable") return { kind };
    return isNullable ? { ...linearType(kind), isNullable } : linearType(kind);
  }

  read(type: ts.Type, depth = 0): Reading | undefined {
    if (depth > DEPTH_MAX) return undefined;
    if (!this.#known.has(type)) {
      this.#known.set(type, undefined); // a type that is made of itself is nothing
      this.#known.set(type, this.#readFirst(type, depth + 1));
    }
    return this.#known.get(type);
  }

  #readFirst(type: ts.Type, depth: number): Reading | undefined {
    if (type.flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Conditional)) {
      const constraint = this.checker.getBaseConstraintOfType(type);
      return constraint && constraint !== type ? this.read(constraint, depth) : undefined;
    }
    if (type.isUnion()) return this.#readUnion(type.types, depth);
    if (type.isIntersection()) {
      return type.types.map((one) => this.read(one, depth)).find((one) => one);
    }
    return type.flags & ts.TypeFlags.Object ? this.#readObject(type, depth) : undefined;
  }

  /** A union of one kind, or of one kind and nothing. */
  #readUnion(types: readonly ts.Type[], depth: number): Reading | undefined {
    const solid = types.filter(({ flags }) => (flags & NOTHING) === 0);
    const found = solid.map((one) => this.read(one, depth));
    const first = found.find((one) => one && one.kind !== "absent");
    const isOne = found.every((one) =>
      one && (one.kind === first?.kind || (one.kind === "absent" && first?.kind === "maybe"))
    );
    if (!first || !isOne) return undefined;
    const isNullable = solid.length < types.length || found.some((one) => one?.isNullable);
    return { kind: first.kind, isNullable };
  }

  #readObject(type: ts.Type, depth: number): Reading | undefined {
    const name = type.symbol?.name ?? "";
    const [held] = this.argumentsOf(type);
    if (PROMISES.has(name) && held) return this.read(held, depth);
    if (name === "OwnedPort" || name === "SentPort") {
      return this.isDeclared(type, name) ? { kind: "port", isNullable: false } : undefined;
    }
    if (LISTS.has(name) && held) return { kind: "list", isNullable: false };
    if (DISPOSABLES.has(name)) return { kind: "disposable", isNullable: false };
    if (name === "Absent" && type.getProperty("present")) {
      return { kind: "absent", isNullable: false };
    }
    if (name === "Present" && this.#holdsPort(type, depth)) {
      return { kind: "maybe", isNullable: false };
    }
    const isEither = type.getProperty("arrived") !== undefined && this.#holdsPort(type, depth);
    return isEither ? { kind: "either", isNullable: false } : undefined;
  }

  #holdsPort(type: ts.Type, depth: number): boolean {
    const value = type.getProperty("value");
    return value !== undefined &&
      this.read(this.checker.getTypeOfSymbol(value), depth)?.kind === "port";
  }

  /** Whether a type is the library's own of this name, from wherever it comes. */
  isDeclared(type: ts.Type, name: string): boolean {
    const solid = this.checker.getNonNullableType(type);
    return solid.symbol?.name === name &&
      DECLARED.get(name)!.every((one) => solid.getProperty(one) !== undefined);
  }

  argumentsOf(type: ts.Type): readonly ts.Type[] {
    const isReference = (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference;
    return isReference ? this.checker.getTypeArguments(type as ts.TypeReference) : [];
  }
}
