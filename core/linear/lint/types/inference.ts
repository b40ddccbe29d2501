import { type Binding, type KnownInput, LocalFunction, Scope } from "../syntax/scope.ts";
import type { ImportedNames } from "../syntax/imports.ts";
import {
  child,
  children,
  flag,
  isFunction,
  part,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { TYPES } from "../syntax/vocabulary.ts";
import { annotationType } from "./annotation.ts";
import { expressionType } from "./expression.ts";
import { clauseScope, declarePattern, declareTypeParameters, hoist, loopScope } from "./hoist.ts";
import { type FunctionType, isLinearType, lent, nullable, type Type } from "../value/value_type.ts";

/** Inference within types that are looked into: more than any program that is written by hand has. */
const DEPTH_MAX = 200;

/** Blocks that `var` belongs to, beside those of functions. */
const VAR_BLOCKS: ReadonlySet<string> = new Set(["Program", "StaticBlock", "TSModuleBlock"]);

/** Values that ports are, or come from. */
const TRACKED: ReadonlySet<Type["kind"]> = new Set(["client", "server", "port", "maybe", "either"]);

/** Works out what expressions and names are, from annotations and from where values come. */
export class Inference {
  readonly names: ImportedNames;
  /** Told when a function turns out to be something else than what was known. */
  onTaught: (local: LocalFunction) => void = () => {};
  /** Told when a type lies too deep to be worked out. */
  onTooDeep: (node: SyntaxNode) => void = () => {};
  readonly #known = new Map<SyntaxNode, Type | null>();
  readonly #members = new Map<SyntaxNode, Map<string, Type | null>>();
  readonly #functions = new Map<SyntaxNode, LocalFunction>();
  readonly #scopes = new Map<SyntaxNode, Scope>();
  readonly #tracked = new Set<string>();
  #depth = 0;

  constructor(names: ImportedNames) {
    this.names = names;
  }

  /** What an expression gives. */
  of(expression: SyntaxNode | undefined, scope: Scope): Type | undefined {
    if (!expression) return undefined;
    const known = this.#known.get(expression);
    if (known !== undefined) return known ?? undefined;
    if (!this.#begin(this.#known, expression, expression)) return undefined;
    return this.#end(this.#known, expression, expressionType(this, expression, scope));
  }

  /** What a type annotation says. */
  annotated(annotation: SyntaxNode | undefined, scope: Scope): Type | undefined {
    if (!annotation) return undefined;
    const known = this.#known.get(annotation);
    if (known !== undefined) return known ?? undefined;
    if (!this.#begin(this.#known, annotation, annotation)) return undefined;
    return this.#end(this.#known, annotation, annotationType(this, annotation, scope));
  }

  /** What a name is; worked out once, from its annotation or from what it is declared with. */
  ofBinding(binding: Binding): Type | undefined {
    if (binding.type === undefined) {
      binding.type = null; // a name in its own initialiser is nothing yet
      binding.type = this.#declaredType(binding) ?? null;
      if (binding.type && TRACKED.has(binding.type.kind)) this.#tracked.add(binding.name);
    }
    return binding.type ?? undefined;
  }

  /** Whether a word names something that has to do with ports, wherever it stands. */
  isTracked(name: string): boolean {
    return this.#tracked.has(name) || TYPES.has(this.names.exportedName(name) ?? "") ||
      this.names.isNamespace(name);
  }

  /** The function that is written at a place. */
  functionAt(node: SyntaxNode, scope: Scope): LocalFunction {
    const known = this.#functions.get(node);
    if (known) return known;
    const local = new LocalFunction(node, scope);
    this.#functions.set(node, local);
    return local;
  }

  /** The names of a block, with what its statements declare. */
  blockScope(block: SyntaxNode, parent: Scope): Scope {
    return this.scopeAt(block, () => {
      const scope = new Scope(parent, VAR_BLOCKS.has(block.type));
      hoist(this, scope, children(block, "body"));
      return scope;
    });
  }

  /** The names that the parts of a statement see. */
  statementScope(node: SyntaxNode, parent: Scope): Scope {
    switch (node.type) {
      case "BlockStatement":
        return this.blockScope(node, parent);
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
        return this.scopeAt(node, () => loopScope(this, node, parent));
      case "CatchClause":
      case "SwitchStatement":
        return this.scopeAt(node, () => clauseScope(this, node, parent));
      default:
        return parent;
    }
  }

  /** The names of a namespace of this file, by its name. */
  namespaceScope(name: SyntaxNode, scope: Scope): Scope | undefined {
    const binding = scope.resolve(word(name, "name"));
    if (binding?.declaredAs !== "namespace" || !binding.init) return undefined;
    return this.blockScope(part(binding.init, "body"), binding.scope);
  }

  /** The names of a function: its parameters and what its body declares. */
  functionScope({ node, scope: outer, inputs }: LocalFunction): Scope {
    return this.scopeAt(node, () => {
      const scope = new Scope(outer, true);
      declareTypeParameters(scope, node);
      for (const [index, pattern] of children(node, "params").entries()) {
        const source = () => inputs[index]?.type;
        declarePattern(this, scope, { pattern, declaredAs: "parameter", source });
      }
      const body = child(node, "body");
      if (body?.type === "BlockStatement") hoist(this, scope, children(body, "body"));
      return scope;
    });
  }

  /** The scope that belongs to a node; made when it is asked for first. */
  scopeAt(node: SyntaxNode, make: () => Scope): Scope {
    const known = this.#scopes.get(node);
    if (known) return known;
    const scope = make();
    this.#scopes.set(node, scope);
    return scope;
  }

  /** Notes what a parameter is that has no annotation, or one that says little. */
  teach(local: LocalFunction, index: number, input: KnownInput): void {
    const known = local.inputs[index];
    if (known && (known.isGiven || !input.isGiven)) return;
    local.inputs[index] = known ? { ...known, isGiven: true } : input;
    if (this.#scopes.has(local.node)) this.#forgetNamesOf(local);
    this.onTaught(local);
  }

  /** Notes what a function is called with first that is handed to somebody. */
  teachInput(callback: FunctionType, type: Type): void {
    const { local, parameter } = callback;
    if (local && !parameter(0)) this.teach(local, 0, { type, isReference: false, isGiven: false });
  }

  /** Notes who calls a function. */
  teachUse(local: LocalFunction, use: "isHandler" | "dropsResult"): void {
    if (local[use]) return;
    local[use] = true;
    this.onTaught(local);
  }

  /** Forgets what was worked out: a name has turned out to be something. */
  forget(): void {
    this.#known.clear();
    this.#members.clear();
  }

  #forgetNamesOf(local: LocalFunction): void {
    this.forget();
    for (const binding of this.functionScope(local).bindings.values()) binding.type = undefined;
  }

  /** What a named member of the object of a node is; worked out once. */
  memberOf(node: SyntaxNode, name: string, work: () => Type | undefined): Type | undefined {
    const known = this.#members.get(node) ?? new Map<string, Type | null>();
    this.#members.set(node, known);
    const type = known.get(name);
    if (type !== undefined) return type ?? undefined;
    return this.#begin(known, name, node) ? this.#end(known, name, work()) : undefined;
  }

  #declaredType({ node, scope, declaredAs, source }: Binding): Type | undefined {
    const annotated = this.annotated(child(node, "typeAnnotation"), scope);
    const type = annotated ? overruled(annotated, source) : source?.();
    const isOptional = declaredAs === "parameter" && flag(node, "optional");
    const whole = isOptional ? nullable(type) : type;
    return declaredAs === "property" ? lent(whole) : whole;
  }

  /** @returns whether there is room to work this out */
  #begin<K>(known: Map<K, Type | null>, key: K, node: SyntaxNode): boolean {
    if (this.#depth >= DEPTH_MAX) {
      this.onTooDeep(node);
      return false;
    }
    known.set(key, null); // a type that is made of itself is nothing
    this.#depth++;
    return true;
  }

  #end<K>(known: Map<K, Type | null>, key: K, type: Type | undefined): Type | undefined {
    this.#depth--;
    known.set(key, type ?? null);
    return type;
  }
}

/**
 * An annotation says what a value is, and where it comes from says whether it is lent, and which
 * kind of disposable it is.
 */
function overruled(annotated: Type, source: (() => Type | undefined) | undefined): Type {
  const given = source?.();
  if (annotated.kind === "disposable" && isLinearType(given)) return given;
  const isLoan = given?.kind === annotated.kind && "isLoan" in given && given.isLoan;
  return isLoan ? lent(annotated)! : annotated;
}

/** Whether a name stands for a function that is written in this file. */
export function functionOf(types: Inference, binding: Binding): LocalFunction | undefined {
  const node = binding.functionNode;
  return node && isFunction(node) ? types.functionAt(node, binding.scope) : undefined;
}
