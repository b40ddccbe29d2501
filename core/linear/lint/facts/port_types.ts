import { ts } from "../program/compiler.ts";

/** What a type holds: one port (also a promise, a Maybe or an Either of one), several, or none. */
export type Kind = "port" | "bag" | undefined;

const COLLECTIONS =
  /^(Readonly|Async|Array|Map|Set|Weak)?(Map|Set|Array|Iterable|Iterator|IterableIterator|Generator|IteratorObject)$/;
/** What comes with its own promises: packages, and this library. */
const LIBRARY = /\/node_modules\/|\/core\/linear\/(?!.*(?:_test\.ts|testdata))/;
const { Undefined, Null, Void, Any, Unknown, TypeParameter, NonPrimitive } = ts.TypeFlags;
const NOTHING = Undefined | Null | Void;
/** Deeper types hold a port of somebody else. */
const DEPTH_MAX = 5;

/** Answers what types say of ports; everything else here asks it. */
export class PortTypes {
  readonly #kinds = new Map<ts.Type, Kind>();
  /** The types that are looked into now, and whether one of them came again, which says nothing. */
  readonly #open = new Set<ts.Type>();
  #isCut = false;

  readonly checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.checker = checker;
  }

  // ---- nodes

  at(node: ts.Node): ts.Type {
    return this.checker.getTypeAtLocation(node);
  }

  kindAt(node: ts.Node): Kind {
    return this.kindOf(this.at(node));
  }

  symbolAt(name: ts.Node): ts.Symbol | undefined {
    return name.parent && ts.isShorthandPropertyAssignment(name.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(name.parent)
      : this.checker.getSymbolAtLocation(name);
  }

  isPromise(node: ts.Node): boolean {
    return /^Promise(Like)?$/.test(this.#nameOf(this.at(node)));
  }

  /** Whether something closes at its end what it was given. */
  isStack(node: ts.Node): boolean {
    return /DisposableStack$/.test(this.#nameOf(this.at(node)));
  }

  /** What is asked of a function where it is written. */
  contextOf(fn: ts.Node): ts.Signature | undefined {
    return this.#askedOf(fn)?.getNonNullableType().getCallSignatures()[0];
  }

  isHandler(fn: ts.Node): boolean {
    return this.#askedOf(fn)?.aliasSymbol?.name === "TypedHandler";
  }

  #askedOf(fn: ts.Node): ts.Type | undefined {
    return ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)
      ? this.checker.getContextualType(fn)
      : undefined;
  }

  // ---- types

  /** Whether a value of the type may be none. */
  mayBeNothing(type: ts.Type): boolean {
    return type.isUnion() && type.types.some((one) => one.flags & NOTHING);
  }

  /** Whether a value of the type may be one without ports: a state of a union, an optional field. */
  mayBeEmpty(type: ts.Type): boolean {
    const isEmpty = (field: ts.Symbol) => {
      const held = this.checker.getTypeOfSymbol(field);
      return !this.kindOf(held) || this.mayBeNothing(held);
    };
    return (type.isUnion() ? type.types : [type]).some((one) =>
      !(one.flags & NOTHING) && !this.isCollection(one) && one.getProperties().every(isEmpty)
    );
  }

  /** Whether a type has all these members, also where it is a union. */
  has(type: ts.Type, ...names: readonly string[]): boolean {
    return names.every((one) => this.checker.getPropertyOfType(type, one) !== undefined);
  }

  /** A Maybe or an Either, which somebody has to look at before its value. */
  isLook(type: ts.Type): boolean {
    return this.kindOf(type) === "port" && (this.has(type, "present") || this.has(type, "arrived"));
  }

  /** A port that belongs to somebody else. */
  isLent(type: ts.Type): boolean {
    return this.has(type, "inbox", "outbox") && !this.has(type, "close") &&
      !this.has(type, "isOpen");
  }

  /** Whether a type that names no port can end one all the same: `Disposable`, `{ close(): void }`. */
  canEnd(type: ts.Type): boolean {
    return type.getProperties().some(({ name }) => /^(close|send|recv|__@dispose.*)$/.test(name));
  }

  isAny(type: ts.Type): boolean {
    return (type.flags & Any) !== 0;
  }

  /** Whether a type says nothing: `any`, `unknown`, `T`, `object`. */
  isUnknown(type: ts.Type): boolean {
    return (type.flags & (Any | Unknown | TypeParameter | NonPrimitive)) !== 0;
  }

  isCollection(type: ts.Type): boolean {
    return this.checker.isArrayLikeType(this.checker.getNonNullableType(type)) ||
      COLLECTIONS.test(this.#nameOf(type));
  }

  kindOf(type: ts.Type | undefined, depth = 0): Kind {
    if (!type || this.#kinds.has(type)) return type && this.#kinds.get(type);
    if (depth === 0) this.#isCut = false;
    if (depth > DEPTH_MAX || this.#open.has(type)) { // a type that contains itself
      this.#isCut = true;
      return undefined;
    }
    this.#open.add(type);
    const kind = this.#find(type, depth + 1);
    this.#open.delete(type);
    if (kind || depth === 0 || !this.#isCut) this.#kinds.set(type, kind);
    return kind;
  }

  #find(type: ts.Type, depth: number): Kind {
    const { checker } = this;
    const most = (types: readonly ts.Type[]) => {
      const all = types.map((one) => this.kindOf(one, depth));
      return all.includes("port") ? "port" : all.find(Boolean);
    };
    if (type.isUnionOrIntersection()) return most(type.types);
    if (type.flags & TypeParameter) {
      return this.kindOf(checker.getBaseConstraintOfType(type), depth);
    }
    if (!(type.flags & ts.TypeFlags.Object)) return undefined;
    if (this.has(type, "inbox", "outbox", "close") && !type.isClass()) return "port";
    const isGeneric = (type as ts.TypeReference).target !== undefined;
    const inner = isGeneric ? checker.getTypeArguments(type as ts.TypeReference) : [];
    const name = type.symbol?.name ?? "";
    if (/^Promise(Like)?$/.test(name)) return most(inner);
    const isHolder = this.has(type, "arrived") || /^(Present|PromiseFulfilledResult)$/.test(name);
    const value = isHolder && type.getProperty("value");
    if (value) return most([checker.getTypeOfSymbol(value)]) && "port";
    if (this.isCollection(type)) return most(inner) && "bag";
    const [declaration] = type.symbol?.declarations ?? [];
    if (type.getCallSignatures().length > 0 || !declaration) return undefined;
    if (ts.isClassLike(declaration)) return undefined;
    const indexed = checker.getIndexInfosOfType(type).map((one) => one.type);
    if (most(indexed)) return "bag";
    if (!isOurs(declaration)) return undefined;
    const methods = ts.SymbolFlags.Method | ts.SymbolFlags.Accessor;
    const fields = type.getProperties().filter(({ flags }) => !(flags & methods));
    return most(fields.map((field) => checker.getTypeOfSymbol(field))) && "bag";
  }

  #nameOf(type: ts.Type): string {
    return this.checker.getNonNullableType(type).symbol?.name ?? "";
  }
}

/** Whether something is declared in the program that is checked, and not in a library. */
export function isOurs(node: ts.Node): boolean {
  const { isDeclarationFile, fileName } = node.getSourceFile();
  return !isDeclarationFile && !LIBRARY.test(fileName);
}

/** Whether a signature is a function type of the program, which says nothing of who ends a port. */
export function isCallback(signature: ts.Signature | undefined): signature is ts.Signature {
  return signature?.declaration !== undefined && ts.isFunctionTypeNode(signature.declaration) &&
    isOurs(signature.declaration);
}

/** Whether variables are declared by `using`. */
export function isUsing({ flags }: ts.Node): boolean {
  return (flags & ts.NodeFlags.Using) === ts.NodeFlags.Using;
}
