import { ts } from "../program/compiler.ts";
import type { Run, Site, Steps } from "./run.ts";
import type { Thrown } from "./thrown.ts";
import { Scope } from "./scope.ts";

/** What an expression gives while a program is tried. */
export type Value = Plain | Thing;

/** Values that are what they are. */
export type Plain = undefined | null | boolean | number | string | bigint;

/** Values with an identity. */
export type Thing =
  | Unknown
  | Port
  | Look
  | List
  | Table
  | Item
  | Func
  | Native
  | Future
  | Cursor;

/** What somebody else made: nothing but its type is known. */
export class Unknown {
  // There are many of them, and few are asked for anything.
  #parts: Map<string, Value> | undefined;
  #unequal: Set<Plain> | undefined;
  /** Its properties, once they were asked for: the same question has the same answer. */
  get parts(): Map<string, Value> {
    return this.#parts ??= new Map();
  }

  /** The values of the properties that were asked for. */
  get held(): Iterable<Value> {
    return this.#parts?.values() ?? [];
  }

  /** What a condition has found out. */
  truth?: boolean;
  isNullish?: boolean | undefined;
  /** What it was found equal to. */
  equal?: Plain;
  /** What it was found different from. */
  get unequal(): Set<Plain> {
    return this.#unequal ??= new Set();
  }

  /** Whether nothing that comes from it has to do with ports. */
  isPlain = false;
  /** Whether no other value is equal to it that is so, too. */
  isUnique = false;
  /** In how many steps it was made of the bits of others: what it is nobody can say any more. */
  bitsDepth = 0;
  /** Whether it is an exception of code from elsewhere, which has no class of the program. */
  isForeignError = false;
  readonly type: () => ts.Type | undefined;

  constructor(type: () => ts.Type | undefined = () => undefined) {
    this.type = type;
  }
}

/** Something that gives no ports, whatever it is asked: a packet, and what is in it. */
export function plain(type?: Unknown["type"]): Unknown {
  const made = new Unknown(type);
  made.isPlain = true;
  return made;
}

/** How a port came to its end. */
export interface End {
  readonly node: ts.Node;
  /** In words for a message: `close()`. */
  readonly by: string;
  readonly kind: "consumed" | "using";
  /** In which call of several that somebody else makes. */
  readonly round: number;
  /** When, in steps of the path. */
  readonly step: number;
}

/** How a name, and what it held, went out of sight. */
export interface Leaving {
  readonly node: ts.Node;
  readonly isOverwritten: boolean;
}

/** What must be consumed exactly once. */
abstract class Linear {
  /** Where it came to be. */
  madeAt: ts.Node;
  /** Whether the program tried is who has to consume it; else somebody else may. */
  isOwned: boolean;
  /** The port that the operation took which gave this one. */
  from?: Port;
  /** The first name that it had. */
  name?: ts.Identifier;
  left?: Leaving;
  /** Where it was last put into something. */
  keptAt?: ts.Node;
  /** The file that it came to be in. */
  madeIn?: ts.SourceFile;
  /** Where it was last given to a function. */
  givenAt?: ts.Node;
  /** Whether nobody could come to it any more when the program threw. */
  isGone = false;
  /** Whether it was given to something, put into something or returned. */
  isShared = false;
  /** What is said of it already. */
  readonly blamed = new Set<string>();
  /** Whether code from elsewhere may have consumed it, or may not. */
  isUnclear = false;

  constructor(madeAt: ts.Node, isOwned: boolean) {
    this.madeAt = madeAt;
    this.isOwned = isOwned;
  }
}

/** A port between two operations. Each operation gives a new one. */
export class Port extends Linear {
  end?: End;
}

/** A `Maybe` or an `Either`. */
export class Look extends Linear {
  readonly kind: "maybe" | "either";
  /** What `present` or `arrived` is, once somebody has looked. */
  truth?: boolean;
  /** What is in it. */
  port?: Port;

  constructor(kind: "maybe" | "either", madeAt: ts.Node, isOwned: boolean) {
    super(madeAt, isOwned);
    this.kind = kind;
  }
}

/** Makes an element of a list whose length is not known. */
export type Filling = (site: Site) => Steps<Value>;

/** An array. */
export class List {
  items: Value[];
  /** What it holds beside its items, until somebody looks. */
  filling: Filling | undefined;
  /** What was read at places that are not known. */
  readonly found = new Map<Value, Value>();

  constructor(items: Value[] = [], filling?: Filling) {
    this.items = items;
    this.filling = filling;
  }
}

/** A `Map` or a `Set`. */
export class Table {
  readonly entries = new Map<Value, Value>();
  readonly isSet: boolean;
  filling: Filling | undefined;
  /** Keys of which it is known that they are not there. */
  readonly absent = new Set<Value>();

  constructor(isSet: boolean, filling?: Filling) {
    this.isSet = isSet;
    this.filling = filling;
  }
}

/** A property that runs code. */
export interface Accessor {
  get?: Func;
  set?: Func;
}

/** An object of the program, or a class. */
export class Item {
  readonly parts = new Map<string, Value>();
  readonly accessors = new Map<string, Accessor>();
  /** Where it looks for what it has not itself. */
  base: Value;
  /** What a class of the program is made of. */
  made?: { readonly node: ts.ClassLikeDeclaration; readonly scope: Scope; readonly methods: Item };
  /** Whether it may have more than is known. */
  type: (() => ts.Type | undefined) | undefined;
  /** The properties that nobody gives another value. */
  fixed?: ReadonlySet<string>;

  constructor(base?: Value, type?: () => ts.Type | undefined) {
    this.base = base;
    this.type = type;
  }
}

/** A function with a body. */
export class Func {
  readonly node: ts.SignatureDeclaration & { readonly body?: ts.Node | undefined };
  readonly scope: Scope;
  /** `this` of a method; that of an arrow function is around it. */
  self: Value;
  /** The object that a method belongs to, where `super` begins. */
  home: Item | undefined;

  constructor(node: Func["node"], scope: Scope, self?: Value, home?: Item) {
    this.node = node;
    this.scope = scope;
    this.self = self;
    this.home = home;
  }
}

/** A function of the language. */
export class Native {
  #parts: Map<string, Value> | undefined;
  readonly run: (run: Run, args: readonly Value[], site: Site, self: Value) => Steps<Value>;
  /** What can be reached through it. */
  readonly holds: readonly Value[];
  /** The function that it calls with what it was bound to. */
  readonly target: Func | undefined;

  constructor(run: Native["run"], holds: readonly Value[] = [], target?: Func) {
    this.run = run;
    this.holds = holds;
    this.target = target;
  }

  get parts(): Map<string, Value> {
    return this.#parts ??= new Map();
  }

  /** Everything that can be reached through it. */
  get held(): readonly Value[] {
    return [...this.holds, ...this.#parts?.values() ?? []];
  }
}

/** A promise. */
export class Future {
  state: "pending" | "fulfilled" | "rejected" = "pending";
  value: Value;
  /** Whether somebody waits for it. */
  isHandled = false;
  /** Whether somebody sees to its being rejected. */
  isGuarded = false;
  /** What it waits for itself. */
  sources: readonly Future[] = [];
  /** Why it was rejected. */
  error?: Thrown;
  /** Told when it is settled. */
  readonly waiting: (() => void)[] = [];
}

/** One step of a {@linkcode Cursor}. */
export interface Turn {
  readonly isDone: boolean;
  readonly value: Value;
}

/** An iterator, or a generator that runs. */
export class Cursor {
  readonly next: (sent: Value) => Steps<Turn>;
  readonly close: () => Steps<void>;
  /** Lets a generator go on with an exception. */
  readonly raise: ((error: Thrown) => Steps<Turn>) | undefined;
  readonly isAsync: boolean;
  /** What can be reached through it. */
  readonly holds: () => Iterable<Value | Scope>;

  constructor(
    next: Cursor["next"],
    { close = function* () {}, raise, isAsync = false, holds = () => [] }: {
      readonly close?: Cursor["close"];
      readonly raise?: Cursor["raise"];
      readonly isAsync?: boolean;
      readonly holds?: Cursor["holds"];
    } = {},
  ) {
    this.next = next;
    this.close = close;
    this.raise = raise;
    this.isAsync = isAsync;
    this.holds = holds;
  }
}

/** Whether a value is one of these that must be consumed. */
export function isLinear(value: Value): value is Port | Look {
  return value instanceof Port || value instanceof Look;
}

/** Whether something can be called. */
export function isFunction(value: Value): value is Func | Native {
  return value instanceof Func || value instanceof Native;
}

/** Whether a value has an identity. */
export function isThing(value: Value): value is Thing {
  return typeof value === "object" && value !== null;
}
