import type { Check } from "../expression/condition.ts";
import type { Place } from "../flow/place.ts";
import type { Procedure } from "../flow/graph.ts";
import type { ts } from "../program/compiler.ts";
import type { Type } from "../types/value_type.ts";
import type { FunctionNode } from "./syntax.ts";

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
  readonly node: FunctionNode;
  /** The names of its parameters, and what its body declares. */
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

  constructor(node: FunctionNode, scope: Scope) {
    this.node = node;
    this.scope = scope;
  }
}

/** How a name is declared, and what comes into it. */
export interface Declaration {
  /** `const`, `let`, `using`, `parameter`, ... */
  readonly declaredAs: string;
  /** The expression that it is declared with, or of which it gets a part. */
  readonly value?: ts.Expression | undefined;
  /** Whether it gets a part of something: an element, a property. */
  readonly isPart?: boolean | undefined;
  readonly partName?: string | undefined;
  /** The function that it is a parameter of. */
  readonly parameterOf?: FunctionNode | undefined;
}

/** One declared name. */
export class Binding {
  readonly name: string;
  readonly node: ts.Node;
  readonly scope: Scope;
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
  collectedAt: ts.Node | undefined;
  /** Whether some place of the program consumes it. */
  isConsumed = false;
  /** Whether some place of the program assigns to it, beside its declaration. */
  isAssigned = false;

  constructor(
    node: ts.Node,
    place: Declaration & { readonly scope: Scope; readonly name?: string },
  ) {
    this.name = place.name ?? "";
    this.node = node;
    this.scope = place.scope;
    this.origin = place;
  }

  get declaredAs(): string {
    return this.origin.declaredAs;
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

/** The names of one block, function or class. */
export class Scope {
  readonly parent: Scope | undefined;
  /** Its names by where they are declared; fields by their path. */
  readonly bindings = new Map<ts.Node | string, Binding>();
  /** Whether it is that of a function, where `var` belongs. */
  readonly isFunction: boolean;
  /** The procedure whose run makes and ends the names. */
  owner: Procedure | undefined;

  constructor(parent?: Scope, isFunction = false) {
    this.parent = parent;
    this.isFunction = isFunction;
  }

  /** The scope that a `var` of this one belongs to. */
  get functionScope(): Scope {
    return this.isFunction || !this.parent ? this : this.parent.functionScope;
  }
}
