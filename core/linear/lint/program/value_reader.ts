import { DECLARED, type LinearKind } from "../syntax/vocabulary.ts";
import { ts } from "./compiler.ts";

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
const PROMISES: ReadonlySet<string> = new Set(["Promise", "PromiseLike"]);
const DEPTH_MAX = 8;

/** What a type is to the rules; an empty `Maybe` only says that the others beside it may be one. */
type Reading = LinearKind | "absent" | undefined;

/** Tells which values must be consumed, from what the compiler knows of their types. */
export class ValueReader {
  readonly checker: ts.TypeChecker;
  readonly #known = new Map<ts.Type, Reading>();

  constructor(checker: ts.TypeChecker) {
    this.checker = checker;
  }

  /** What a value of a type is, or what it is that it may be, or promises. */
  kindOf(type: ts.Type | undefined): LinearKind | undefined {
    const kind = type && this.#read(type, 0);
    return kind === "absent" ? undefined : kind;
  }

  #read(type: ts.Type, depth: number): Reading {
    if (depth > DEPTH_MAX) return undefined;
    if (!this.#known.has(type)) {
      this.#known.set(type, undefined); // a type that is made of itself is nothing
      this.#known.set(type, this.#readFirst(type, depth + 1));
    }
    return this.#known.get(type);
  }

  #readFirst(type: ts.Type, depth: number): Reading {
    if (type.flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Conditional)) {
      const constraint = this.checker.getBaseConstraintOfType(type);
      return constraint && constraint !== type ? this.#read(constraint, depth) : undefined;
    }
    if (type.isUnion()) return this.#readUnion(type.types, depth);
    if (type.isIntersection()) {
      return type.types.map((one) => this.#read(one, depth)).find((one) => one);
    }
    return type.flags & ts.TypeFlags.Object ? this.#readObject(type, depth) : undefined;
  }

  /** A union of one kind, or of one kind and nothing. */
  #readUnion(types: readonly ts.Type[], depth: number): Reading {
    const solid = types.filter(({ flags }) => (flags & NOTHING) === 0);
    const found = solid.map((one) => this.#read(one, depth));
    const first = found.find((one) => one && one !== "absent");
    const isOne = found.every((one) => one === first || (one === "absent" && first === "maybe"));
    return isOne ? first : undefined;
  }

  #readObject(type: ts.Type, depth: number): Reading {
    const name = type.symbol?.name ?? "";
    const [held] = this.argumentsOf(type);
    if (PROMISES.has(name) && held) return this.#read(held, depth);
    if (name === "OwnedPort" || name === "SentPort") {
      return this.isDeclared(type, name) ? "port" : undefined;
    }
    if (name === "Absent" && type.getProperty("present")) return "absent";
    if (name === "Present" && this.#holdsPort(type, depth)) return "maybe";
    const isEither = type.getProperty("arrived") !== undefined && this.#holdsPort(type, depth);
    return isEither ? "either" : undefined;
  }

  #holdsPort(type: ts.Type, depth: number): boolean {
    const value = type.getProperty("value");
    return value !== undefined &&
      this.#read(this.checker.getTypeOfSymbol(value), depth) === "port";
  }

  /** Whether a type is the library's own of this name, from wherever it comes. */
  isDeclared(type: ts.Type, name: string): boolean {
    const solid = this.checker.getNonNullableType(type);
    return solid.symbol?.name === name &&
      DECLARED.get(name)!.every((one) => solid.getProperty(one) !== undefined);
  }

  /** The types that a generic type is given. */
  argumentsOf(type: ts.Type): readonly ts.Type[] {
    const isReference = (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference;
    return isReference ? this.checker.getTypeArguments(type as ts.TypeReference) : [];
  }
}
