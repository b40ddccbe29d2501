import * as s from "../syntax/syntax.ts";
import { type ImportedNames, TYPES } from "../syntax/vocabulary.ts";
import { annotationType } from "./annotation.ts";
import { expressionType } from "./expression.ts";
import { clauseScope, declarePattern, declareTypeParameters, hoist, loopScope } from "./hoist.ts";
import {
  type FunctionType,
  isLinearType,
  lent,
  literalText,
  nullable,
  PORT,
  type Type,
} from "./value_type.ts";
import { objectScope } from "./class.ts";

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
  onTaught: (local: s.LocalFunction) => void = () => {};
  /** Told when a type lies too deep to be worked out. */
  onTooDeep: (node: s.SyntaxNode) => void = () => {};
  readonly #known = new Map<s.SyntaxNode, Type | null>();
  readonly #members = new Map<s.SyntaxNode, Map<string, Type | null>>();
  readonly #functions = new Map<s.SyntaxNode, s.LocalFunction>();
  readonly #scopes = new Map<s.SyntaxNode, s.Scope>();
  readonly #tracked = new Set<string>();
  #depth = 0;

  constructor(names: ImportedNames) {
    this.names = names;
  }

  /** What an expression gives. */
  of(expression: s.SyntaxNode | undefined, scope: s.Scope): Type | undefined {
    if (!expression) return undefined;
    const known = this.#known.get(expression);
    if (known !== undefined) return known ?? undefined;
    if (!this.#begin(this.#known, expression, expression)) return undefined;
    return this.#end(this.#known, expression, expressionType(expression, scope));
  }

  annotated(annotation: s.SyntaxNode | undefined, scope: s.Scope): Type | undefined {
    if (!annotation) return undefined;
    const known = this.#known.get(annotation);
    if (known !== undefined) return known ?? undefined;
    if (!this.#begin(this.#known, annotation, annotation)) return undefined;
    return this.#end(this.#known, annotation, annotationType(annotation, scope));
  }

  /** What a name is; worked out once, from its annotation or from what it is declared with. */
  ofBinding(binding: s.Binding): Type | undefined {
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
  functionAt(node: s.SyntaxNode, scope: s.Scope): s.LocalFunction {
    const known = this.#functions.get(node);
    if (known) return known;
    const local = new s.LocalFunction(node, scope);
    this.#functions.set(node, local);
    return local;
  }

  /** The names of a block, with what its statements declare. */
  blockScope(block: s.SyntaxNode, parent: s.Scope): s.Scope {
    return this.scopeAt(block, () => {
      const scope = new s.Scope(parent, VAR_BLOCKS.has(block.type));
      hoist(scope, s.children(block, "body"));
      return scope;
    });
  }

  /** The names that the parts of a statement see. */
  statementScope(node: s.SyntaxNode, parent: s.Scope): s.Scope {
    switch (node.type) {
      case "BlockStatement":
        return this.blockScope(node, parent);
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
        return this.scopeAt(node, () => loopScope(node, parent));
      case "CatchClause":
      case "SwitchStatement":
        return this.scopeAt(node, () => clauseScope(node, parent));
      default:
        return parent;
    }
  }

  /** The names of a namespace of this file, by its name. */
  namespaceScope(name: s.SyntaxNode, scope: s.Scope): s.Scope | undefined {
    const binding = scope.resolve(s.word(name, "name"));
    if (binding?.declaredAs !== "namespace" || !binding.init) return undefined;
    return this.blockScope(s.part(binding.init, "body"), binding.scope);
  }

  /** The names of a function: its parameters and what its body declares. */
  functionScope({ node, scope: outer, inputs }: s.LocalFunction): s.Scope {
    return this.scopeAt(node, () => {
      const scope = new s.Scope(outer, true);
      declareTypeParameters(scope, node);
      for (const [index, pattern] of s.children(node, "params").entries()) {
        const source = () => inputs[index]?.type;
        declarePattern(scope, { pattern, declaredAs: "parameter", source });
      }
      hoist(scope, s.bodyOf(node));
      return scope;
    });
  }

  /** The scope that belongs to a node; made when it is asked for first. */
  scopeAt(node: s.SyntaxNode, make: () => s.Scope): s.Scope {
    const known = this.#scopes.get(node);
    if (known) return known;
    const scope = make();
    this.#scopes.set(node, scope);
    return scope;
  }

  /** Notes what a parameter is that has no annotation, or one that says little. */
  teach(local: s.LocalFunction, index: number, input: s.KnownInput): void {
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
  teachUse(local: s.LocalFunction, use: "isHandler" | "dropsResult"): void {
    if (local[use]) return;
    local[use] = true;
    this.onTaught(local);
  }

  /** Forgets what was worked out: a name has turned out to be something. */
  forget(): void {
    this.#known.clear();
    this.#members.clear();
  }

  #forgetNamesOf(local: s.LocalFunction): void {
    this.forget();
    for (const binding of local.ownScope.bindings.values()) binding.type = undefined;
  }

  /** What a named member of the object of a node is; worked out once. */
  memberOf(node: s.SyntaxNode, name: string, work: () => Type | undefined): Type | undefined {
    const known = this.#members.get(node) ?? new Map<string, Type | null>();
    this.#members.set(node, known);
    const type = known.get(name);
    if (type !== undefined) return type ?? undefined;
    return this.#begin(known, name, node) ? this.#end(known, name, work()) : undefined;
  }

  /** Finds the members of the object of a node, each when it is asked for first. */
  membersOf(
    node: s.SyntaxNode,
    find: (name: string) => Type | undefined,
  ): (name: string) => Type | undefined {
    return (name) => this.memberOf(node, name, () => find(name));
  }

  #declaredType({ node, scope, declaredAs, source }: s.Binding): Type | undefined {
    const annotated = this.annotated(s.child(node, "typeAnnotation"), scope);
    const type = annotated ? overruled(annotated, source) : source?.();
    const isOptional = declaredAs === "parameter" && s.flag(node, "optional");
    const whole = isOptional ? nullable(type) : type;
    return declaredAs === "property" ? lent(whole) : whole;
  }

  /** @returns whether there is room to work this out */
  #begin<K>(known: Map<K, Type | null>, key: K, node: s.SyntaxNode): boolean {
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

/** What a place expects of the value that is written there. */
export interface Expectation {
  readonly expected: Type | undefined;
  readonly scope: s.Scope;
}

/** Tells the functions inside a value what the place where it goes will call them with. */
export function teachContext(value: s.SyntaxNode, context: Expectation): void {
  const { expected, scope } = context;
  const node = s.bare(value);
  if (!expected) return;
  if (s.isFunction(node)) return teachFunction(node, context);
  switch (node.type) {
    case "ObjectExpression":
      return teachMembers(node, context);
    case "ArrayExpression":
    case "NewExpression":
      return teachElements(node, context);
    case "ConditionalExpression":
      for (const branch of ["consequent", "alternate"]) {
        const inner = s.child(node, branch);
        if (inner) teachContext(inner, { expected, scope });
      }
  }
}

function teachFunction(node: s.SyntaxNode, { expected, scope }: Expectation): void {
  const local = scope.functionAt(node);
  const own = scope.typeOf(node);
  if (own?.kind !== "function" || !expected) return;
  if (expected.kind === "handler") {
    scope.types.teachUse(local, "isHandler");
    return scope.types.teachInput(own, PORT);
  }
  if (expected.kind !== "function") return;
  const isTaken = expected.takesPorts?.() === true;
  for (const index of s.children(node, "params").keys()) {
    const type = isTaken ? expected.parameter(index) : lent(expected.parameter(index));
    if (!type || own.parameter(index)) continue;
    scope.types.teach(local, index, { type, isReference: false, isGiven: false });
  }
}

function teachMembers(node: s.SyntaxNode, { expected, scope }: Expectation): void {
  if (expected?.kind !== "object") return;
  const inner = objectScope(node, scope);
  for (const property of s.children(node, "properties")) {
    const key = s.child(property, "key");
    const value = s.child(property, "value");
    const member = key && expected.member(s.keyName(key));
    if (value) teachContext(value, { expected: member, scope: inner });
  }
}

/** `[f, g]`, `new Set([f])`, `new Map([[1, f]])`. */
function teachElements(node: s.SyntaxNode, { expected, scope }: Expectation): void {
  if (expected?.kind !== "list") return;
  const list = node.type === "NewExpression" ? s.children(node, "arguments")[0] : node;
  for (const one of list ? s.children(s.bare(list), "elements") : []) {
    const value = expected.isMap ? s.children(s.bare(one), "elements")[1] : one;
    if (value) teachContext(value, { expected: expected.element, scope });
  }
}

/** Whether one of the cases of a `switch` is taken: only the compiler can tell where no type is. */
export type Coverage = "all" | "some" | "unknown";

/**
 * How much a `switch` covers, its `default` left out. Of a value whose type is not in this file
 * nobody knows; names of which there are two or more may be all.
 */
export function coverageOf(node: s.SyntaxNode, scope: s.Scope): Coverage {
  const tests = s.children(node, "cases").flatMap((one) => s.child(one, "test") ?? []);
  const subject = s.child(node, "discriminant");
  const type = scope.typeOf(subject);
  const texts = new Set(tests.map(literalText));
  if (type?.kind === "literals") return type.texts?.isSubsetOf(texts) ? "all" : "some";
  const isPlain = subject?.type === "Identifier" || subject?.type === "MemberExpression";
  return isPlain && texts.size > 1 && tests.every(isName) ? "unknown" : "some";
}

/** Whether a case is one of some names: `"ready"`, `State.ready`. */
function isName(test: s.SyntaxNode): boolean {
  const text = literalText(test);
  return text !== undefined && (text.startsWith('"') || test.type === "MemberExpression");
}
