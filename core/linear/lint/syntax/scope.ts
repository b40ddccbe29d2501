import type { Check } from "../expression/check.ts";
import type { Place } from "../flow/place.ts";
import type { Procedure } from "../flow/graph.ts";
import type { Type } from "../value/value_type.ts";
import { isFunction, type SyntaxNode, word } from "./syntax.ts";

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
}

/** One declared name. */
export class Binding {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly scope: Scope;
  /** How it was declared: `const`, `let`, `using`, `function`, `parameter`, ... */
  readonly declaredAs: string;
  /** Works out what comes in where it is declared. */
  readonly source: (() => Type | undefined) | undefined;
  /** The expression that it is declared with, when that is the whole value. */
  readonly init: SyntaxNode | undefined;
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
  /** Whether some place of the program consumes it. */
  isConsumed = false;
  /** Whether some place of the program assigns to it, beside its declaration. */
  isAssigned = false;

  constructor(node: SyntaxNode, place: Omit<Declaration, "pattern"> & { readonly scope: Scope }) {
    this.name = word(node, "name");
    this.node = node;
    this.scope = place.scope;
    this.declaredAs = place.declaredAs;
    this.source = place.source;
    this.init = place.init;
  }

  /** Whether the block itself disposes of the value. */
  get isDisposed(): boolean {
    return this.declaredAs === "using" || this.declaredAs === "await using";
  }

  /** Whether it is no name of the program, but a value on its way into a call. */
  get isTemporary(): boolean {
    return this.declaredAs === "temporary";
  }

  /** Whether the name can never stand for another value. */
  get isConstant(): boolean {
    return this.declaredAs === "const" || this.isDisposed;
  }

  /** Whether the name never stands for another value, which is known when the graph is built. */
  get isFixed(): boolean {
    return this.isConstant || !this.isAssigned;
  }

  /** The function that the name always stands for. */
  get functionNode(): SyntaxNode | undefined {
    if (this.declaredAs === "function") return this.init;
    return this.isConstant && this.init && isFunction(this.init) ? this.init : undefined;
  }
}

/** How names come into a scope. */
export interface Declaration {
  readonly declaredAs: string;
  readonly source?: (() => Type | undefined) | undefined;
  readonly init?: SyntaxNode | undefined;
}

/** The names of one block, function or class. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly bindings = new Map<string, Binding>();
  /** The types that are declared here: aliases, interfaces, classes, type parameters. */
  #types: Map<string, SyntaxNode> | undefined;
  /** Whether it is that of a function, where `var` belongs. */
  readonly isFunction: boolean;
  /** What `this` is in a class, an object or a function; absent where it is that of outside. */
  self: (() => Type | undefined) | undefined;
  /** What `super` is in a class. */
  base: (() => Type | undefined) | undefined;
  /** The procedure whose run makes and ends the names. */
  owner: Procedure | undefined;

  constructor(parent?: Scope, isFunction = false) {
    this.parent = parent;
    this.isFunction = isFunction;
  }

  /** The name as it is known here. */
  resolve(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.parent?.resolve(name);
  }

  declareType(name: string, node: SyntaxNode): void {
    this.#types ??= new Map();
    this.#types.set(name, node);
  }

  /** The type that is declared in this very scope. */
  ownType(name: string): SyntaxNode | undefined {
    return this.#types?.get(name);
  }

  /** The declaration of a type, with the scope that it stands in. */
  resolveType(name: string): { readonly node: SyntaxNode; readonly scope: Scope } | undefined {
    const node = this.ownType(name);
    return node ? { node, scope: this } : this.parent?.resolveType(name);
  }

  /** What `this` is here. */
  get thisType(): Type | undefined {
    return this.self ? this.self() : this.parent?.thisType;
  }

  /** What `super` is here. */
  get superType(): Type | undefined {
    return this.base ? this.base() : this.parent?.superType;
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
