import {
  boundIdentifiers,
  child,
  children,
  isFunction,
  keyName,
  type SyntaxNode,
  word,
} from "./syntax.ts";
import type { Kind } from "./vocabulary.ts";

/** A function that a name stands for, with what it takes from the scopes around it. */
export interface LocalFunction {
  readonly node: SyntaxNode;
  /** Where it was written: its free names are looked up here. */
  readonly scope: Scope;
  /** Outer bindings that its body touches at all; known once the body was followed. */
  readonly touches: Set<Binding>;
  /** Those of them that it consumes. */
  readonly consumes: Set<Binding>;
  /** The functions of this file that it calls by name. */
  readonly calls: Set<LocalFunction>;
}

/** A function as it is written at one place. */
export function localFunction(node: SyntaxNode, scope: Scope): LocalFunction {
  return { node, scope, touches: new Set(), consumes: new Set(), calls: new Set() };
}

/** One declared name. */
export class Binding {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly scope: Scope;
  /** How it was declared: `const`, `let`, `using`, `function`, `parameter`, ... */
  readonly declaredAs: string;
  /** The declarator of a variable, for its initialiser. */
  readonly declarator: SyntaxNode | undefined;
  /** `undefined` until somebody asks; `null` while or when there is none. */
  kind: Kind | null | undefined;
  localFunction: LocalFunction | undefined;

  constructor(
    node: SyntaxNode,
    place: { readonly scope: Scope; readonly declaredAs: string; readonly declarator?: SyntaxNode },
  ) {
    this.name = word(node, "name");
    this.node = node;
    this.scope = place.scope;
    this.declaredAs = place.declaredAs;
    this.declarator = place.declarator;
  }

  /** Whether the block itself disposes of the value. */
  get isDisposed(): boolean {
    return this.declaredAs === "using" || this.declaredAs === "await using";
  }

  /** Whether the name can never stand for another value. */
  get isConstant(): boolean {
    return this.declaredAs === "const" || this.isDisposed;
  }
}

/** The names of one block, function or class. */
export class Scope {
  readonly parent: Scope | undefined;
  /** How many functions are around it: a name of a shallower scope is captured. */
  readonly depth: number;
  readonly bindings = new Map<string, Binding>();
  /** The fields of the class whose scope this is, with their initialiser or annotation. */
  readonly fields = new Map<string, SyntaxNode>();

  constructor(parent?: Scope, depth = 0) {
    this.parent = parent;
    this.depth = depth;
  }

  resolve(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.parent?.resolve(name);
  }

  /** The field that `this.name` means here. */
  field(name: string): SyntaxNode | undefined {
    return this.fields.get(name) ?? this.parent?.field(name);
  }

  declare(pattern: SyntaxNode | undefined, declaredAs: string, declarator?: SyntaxNode): void {
    for (const node of boundIdentifiers(pattern)) {
      const place = { scope: this, declaredAs, ...(declarator && { declarator }) };
      this.bindings.set(word(node, "name"), new Binding(node, place));
    }
  }

  /** Declares what the statements of a block declare, before any of them runs. */
  hoist(statements: readonly SyntaxNode[]): void {
    for (const statement of statements) {
      const declaration = child(statement, "declaration") ?? statement;
      if (declaration.type === "VariableDeclaration") this.#hoistVariables(declaration);
      if (declaration.type === "FunctionDeclaration") this.#hoistFunction(declaration);
      if (declaration.type === "ClassDeclaration") this.declare(child(declaration, "id"), "class");
    }
  }

  /** Declares the fields of a class body. */
  hoistFields(body: SyntaxNode): void {
    for (const member of children(body, "body")) {
      const key = child(member, "key");
      const evidence = child(member, "typeAnnotation") ?? child(member, "value");
      if (key && evidence && !isFunction(evidence)) this.fields.set(keyName(key), evidence);
    }
  }

  #hoistVariables(declaration: SyntaxNode): void {
    for (const declarator of children(declaration, "declarations")) {
      const id = child(declarator, "id");
      const init = child(declarator, "init");
      this.declare(id, word(declaration, "kind"), declarator);
      if (id?.type !== "Identifier" || !init || !isFunction(init)) continue;
      this.bindings.get(word(id, "name"))!.localFunction = localFunction(init, this);
    }
  }

  #hoistFunction(node: SyntaxNode): void {
    const id = child(node, "id");
    if (!id) return;
    const binding = new Binding(id, { scope: this, declaredAs: "function" });
    binding.localFunction = localFunction(node, this);
    this.bindings.set(binding.name, binding);
  }
}
