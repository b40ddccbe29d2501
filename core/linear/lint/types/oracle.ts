import * as s from "../syntax/syntax.ts";
import { bareExpression, type CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import { noteField } from "./field.ts";
import { clauseScope, declarePattern, hoist, loopScope } from "./hoist.ts";
import { isLentExpression, isMadePart } from "./loan.ts";
import { isLentParameter } from "./callback.ts";
import { type Called, isContainer, isLinearType, lent, type Type } from "./value_type.ts";
import { calledAt, onlyLooks } from "./called.ts";

/** Blocks that `var` belongs to, beside those of functions. */
const VAR_BLOCKS: ReadonlySet<string> = new Set(["Program", "StaticBlock", "TSModuleBlock"]);

const GENERATORS: ReadonlySet<string> = new Set(["AsyncGenerator", "Generator"]);

/** Fields of nodes that hold nothing that runs. */
const SILENT: ReadonlySet<string> = new Set([
  "loc",
  "parent",
  "range",
  "returnType",
  "superTypeArguments",
  "typeAnnotation",
  "typeArguments",
  "typeParameters",
]);

/** Tells what expressions and names are: the compiler knows their types, this knows whose they are. */
export class Oracle {
  readonly file: CheckedFile;
  /** Told when a function turns out to be something else than what was known. */
  onTaught: (local: s.LocalFunction) => void = () => {};
  readonly #known = new Map<s.SyntaxNode, Type | null>();
  readonly #called = new Map<s.SyntaxNode, Called | null>();
  readonly #functions = new Map<s.PackedNode, s.LocalFunction>();
  readonly #scopes = new Map<s.SyntaxNode, s.Scope>();

  constructor(file: CheckedFile) {
    this.file = file;
  }

  /** Finds every scope and every function of the file; what is called may be written further down. */
  survey(node: s.SyntaxNode, scope: s.Scope): void {
    if (s.isFunction(node)) {
      const inner = this.functionScope(this.functionAt(node, scope));
      for (const one of s.children(node, "params")) this.survey(one, inner);
      const body = s.child(node, "body");
      return body && this.#surveyParts(body, body.type === "BlockStatement" ? ["body"] : [], inner);
    }
    const inner = this.statementScope(node, scope);
    if (node.type === "AssignmentExpression") {
      const left = scope.resolve(s.word(s.part(node, "left"), "name"));
      if (left) left.isAssigned = true;
    }
    noteField(this, node, scope);
    if (node.type === "CatchClause") {
      return this.#surveyParts(s.part(node, "body"), ["body"], inner);
    }
    this.#surveyParts(node, Object.keys(node.packed), inner);
  }

  #surveyParts(node: s.SyntaxNode, fields: readonly string[], scope: s.Scope): void {
    if (fields.length === 0) return this.survey(node, scope);
    for (const field of fields) {
      if (SILENT.has(field)) continue;
      const value = s.child(node, field);
      if (value) this.survey(value, scope);
      else for (const one of s.children(node, field)) this.survey(one, scope);
    }
  }

  /** What an expression gives. */
  of(expression: s.SyntaxNode | undefined, scope: s.Scope): Type | undefined {
    if (!expression) return undefined;
    const known = this.#known.get(expression);
    if (known !== undefined) return known ?? undefined;
    this.#known.set(expression, null); // a value that is made of itself is nothing yet
    const type = this.#valueOf(expression, scope);
    if (expression.type !== "Identifier") this.#known.set(expression, type ?? null);
    else this.#known.delete(expression); // a name may become known
    return type;
  }

  #valueOf(expression: s.SyntaxNode, scope: s.Scope): Type | undefined {
    const node = s.bare(expression);
    if (s.isFunction(node)) return { kind: "function", local: this.functionAt(node, scope) };
    if (s.isNothing(node)) return undefined;
    if (node !== expression) return this.#castValue(expression, node, scope);
    const binding = node.type === "Identifier" && scope.resolve(s.word(node, "name"));
    if (binding) return this.ofBinding(binding);
    const value = this.#checked(node);
    if (isLinearType(value)) return lent(value, isLentExpression(this, node, scope));
    if (node.type === "AssignmentExpression") return this.of(s.child(node, "right"), scope);
    return value ?? this.#definition(node);
  }

  /** What a value is said to be counts where its source says nothing. */
  #castValue(expression: s.SyntaxNode, node: s.SyntaxNode, scope: s.Scope): Type | undefined {
    const inner = this.of(node, scope);
    const isSolid = expression.type === "TSNonNullExpression";
    if (isLinearType(inner)) return isSolid ? { ...inner, isNullable: false } : inner;
    return inner ?? lent(this.#checked(expression), isLentExpression(this, node, scope));
  }

  #checked(node: s.SyntaxNode): Type | undefined {
    const type = this.file.typeAt(node);
    return type && this.file.reader.valueOf(type);
  }

  /** The function or the class of this file that an expression names. */
  #definition(node: s.SyntaxNode): Type | undefined {
    const declaration = this.file.declarationOf(node);
    return declaration && this.definedBy(declaration);
  }

  /** What a declaration defines, when it is one of a function or a class in this file. */
  definedBy(declaration: ts.Node): Type | undefined {
    const local = this.functionDeclaredBy(declaration);
    if (local) return { kind: "function", local };
    if (!ts.isClassLike(declaration) || !this.file.toTree(declaration)) return undefined;
    const functions = () =>
      declaration.members.flatMap((one) => this.functionDeclaredBy(one) ?? []);
    return { kind: "class", functions };
  }

  /** The function of this file that a declaration has the body of. */
  functionDeclaredBy(declaration: ts.Node): s.LocalFunction | undefined {
    const named = "initializer" in declaration ? declaration.initializer as ts.Node : declaration;
    const packed = named && this.file.toTree(bareExpression(named));
    if (!packed) return undefined;
    const value = (packed as unknown as { readonly value?: s.PackedNode | null }).value;
    return this.#functions.get(packed) ?? (value ? this.#functions.get(value) : undefined);
  }

  /** What a call calls. */
  calledAt(node: s.SyntaxNode, scope: s.Scope): Called | undefined {
    const known = this.#called.get(node);
    if (known !== undefined) return known ?? undefined;
    const called = calledAt(this, node, scope);
    this.#called.set(node, called ?? null);
    return called;
  }

  /** What a part of a pattern gets from the whole. */
  partOf(whole: Type | undefined, part: Part): Type | undefined {
    const { key, inner } = part;
    const target = inner.type === "AssignmentPattern" ? s.part(inner, "left") : inner;
    const isOwn = isContainer(whole) ? key === "value" && !whole.isLoan : isMadePart(this, part);
    return lent(this.#checked(target), !isOwn);
  }

  /** What a round of a loop gets: from a list a loan, from a generator what it yields for good. */
  elementOf(list: s.SyntaxNode, inner: s.SyntaxNode): Type | undefined {
    return lent(this.#checked(inner), !this.#isGenerator(list));
  }

  #isGenerator(list: s.SyntaxNode): boolean {
    const type = this.file.typeAt(s.bare(list));
    if (!type || GENERATORS.has(type.symbol?.name ?? "")) return type !== undefined;
    const iterator = type.getProperties().find(({ name }) => /^__@(?:asyncI|i)terator/.test(name));
    const made = iterator && this.file.checker.getTypeOfSymbol(iterator).getCallSignatures()[0];
    return GENERATORS.has(made?.getReturnType().symbol?.name ?? "");
  }

  /** What a name is; worked out once, from its type and from what it is declared with. */
  ofBinding(binding: s.Binding): Type | undefined {
    if (binding.type === undefined) {
      binding.type = null; // a name in its own initialiser is nothing yet
      binding.type = this.#taught(binding) ?? this.#declared(binding) ?? null;
    }
    return binding.type ?? undefined;
  }

  /** Whether a name is said to hold what has no way to consume a port: it borrows the one it gets. */
  onlyLooks(name: s.SyntaxNode): boolean {
    const type = this.file.typeAt(name);
    return type !== undefined && !this.file.reader.valueOf(type) && onlyLooks(type);
  }

  /** What a name says itself of what it holds. */
  declaredType({ node }: s.Binding): Type | undefined {
    return this.#checked(node);
  }

  #declared(binding: s.Binding): Type | undefined {
    const { scope, origin, node } = binding;
    const declared = this.declaredType(binding);
    if (isLinearType(declared)) return lent(declared, this.#isLent(binding));
    const given = origin.value && !origin.isPart ? this.of(origin.value, scope) : undefined;
    if (isLinearType(given) && this.onlyLooks(node)) return undefined;
    if (given && binding.declaredAs !== "let" && binding.declaredAs !== "var") return given;
    return declared ?? this.#definition(node);
  }

  #isLent({ origin, scope, declaredAs, node }: s.Binding): boolean {
    const { value, isPart, partName, parameterOf } = origin;
    if (declaredAs === "property") return true;
    if (isPart) {
      if (partName === undefined) return !value || !this.#isGenerator(value);
      const whole = value && this.of(value, scope);
      if (!isContainer(whole)) return !isMadePart(this, { key: partName, value });
      return partName !== "value" || whole.isLoan;
    }
    if (parameterOf) return isLentParameter(this.file, parameterOf, node);
    return value !== undefined && isLentExpression(this, s.bare(value), scope);
  }

  #taught({ origin, node }: s.Binding): Type | undefined {
    const local = origin.parameterOf;
    if (!local || origin.isPart || local.inputs.length === 0) return undefined;
    const index = s.parametersOf(local.node).findIndex((one) =>
      s.boundIdentifiers(one)[0] === node
    );
    return local.inputs[index]?.isReference ? local.inputs[index].type : undefined;
  }

  /** The function that is written at a place. */
  functionAt(node: s.SyntaxNode, scope: s.Scope): s.LocalFunction {
    const known = this.#functions.get(node.packed);
    if (known) return known;
    const local = new s.LocalFunction(node, scope);
    this.#functions.set(node.packed, local);
    return local;
  }

  /** The names of a block, with what its statements declare. */
  blockScope(block: s.SyntaxNode, parent: s.Scope): s.Scope {
    return this.#scopeAt(block, () => {
      const scope = new s.Scope(parent, VAR_BLOCKS.has(block.type));
      hoist(scope, s.children(block, "body"));
      return scope;
    });
  }

  /** The names that the parts of a statement see. */
  statementScope(node: s.SyntaxNode, parent: s.Scope): s.Scope {
    switch (node.type) {
      case "BlockStatement":
      case "Program":
      case "StaticBlock":
      case "TSModuleBlock":
        return this.blockScope(node, parent);
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
        return this.#scopeAt(node, () => loopScope(node, parent));
      case "CatchClause":
      case "SwitchStatement":
        return this.#scopeAt(node, () => clauseScope(node, parent));
      default:
        return parent;
    }
  }

  /** The names of a function: its parameters and what its body declares. */
  functionScope(local: s.LocalFunction): s.Scope {
    return this.#scopeAt(local.node, () => {
      const scope = new s.Scope(local.scope, true);
      for (const pattern of s.parametersOf(local.node)) {
        declarePattern(scope, { pattern, declaredAs: "parameter", parameterOf: local });
      }
      hoist(scope, s.bodyOf(local.node));
      return scope;
    });
  }

  #scopeAt(node: s.SyntaxNode, make: () => s.Scope): s.Scope {
    const known = this.#scopes.get(node);
    if (known) return known;
    const scope = make();
    this.#scopes.set(node, scope);
    return scope;
  }

  /** Notes what a parameter gets whose own type does not say that it takes it. */
  teach(local: s.LocalFunction, index: number, input: s.KnownInput): void {
    const known = local.inputs[index];
    if (known && (known.isGiven || !input.isGiven)) return;
    local.inputs[index] = known ? { ...known, isGiven: true } : input;
    this.forget();
    for (const binding of local.ownScope.bindings.values()) binding.type = undefined;
    this.onTaught(local);
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
  }
}

/** One of the patterns inside a pattern. */
interface Part {
  readonly key: string;
  readonly inner: s.SyntaxNode;
  /** What the whole pattern gets, where it is written here. */
  readonly value?: s.SyntaxNode | undefined;
}

/** Whether one of the cases of a `switch` is taken whatever its value is. */
export function coversAll(node: s.SyntaxNode, { file }: Oracle): boolean {
  const subject = s.child(node, "discriminant");
  const type = subject && file.typeAt(s.bare(subject));
  if (!type) return false;
  const tests = s.children(node, "cases").flatMap((one) => s.child(one, "test") ?? []);
  const texts = new Set(tests.map((one) => textOf(file, file.typeAt(one))));
  const values = type.isUnion() ? type.types : [type];
  return values.every((one) => {
    const isOne = (one.flags & (ts.TypeFlags.Unit | ts.TypeFlags.Never)) !== 0;
    return isOne && texts.has(textOf(file, one));
  });
}

function textOf(file: CheckedFile, type: ts.Type | undefined): string {
  return type ? file.checker.typeToString(type) : "";
}
