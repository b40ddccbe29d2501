import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import { type Binding, type KnownInput, LocalFunction } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { isLentParameter } from "./callback.ts";
import { calledAt, onlyLooks } from "./called.ts";
import { Fields } from "./field.ts";
import { givesLoan, isMadePart } from "./loan.ts";
import { Names } from "./names.ts";
import { type Called, isContainer, isLinearType, lent, type Type } from "./value_type.ts";

const GENERATORS: ReadonlySet<string> = new Set(["AsyncGenerator", "Generator"]);

/** Tells what expressions and names are: the compiler knows their types, this knows whose they are. */
export class Oracle {
  readonly file: CheckedFile;
  readonly names: Names;
  /** Told when a function turns out to be something else than what was known. */
  onTaught: (local: LocalFunction) => void = () => {};
  readonly #fields: Fields;
  readonly #known = new Map<ts.Node, Type | null>();
  readonly #called = new Map<ts.Node, Called | null>();
  readonly #functions = new Map<ts.Node, LocalFunction>();

  constructor(file: CheckedFile) {
    this.file = file;
    this.names = new Names(file);
    this.#fields = new Fields(this);
  }

  /** What an expression gives. */
  of(expression: ts.Node | undefined): Type | undefined {
    if (!expression) return undefined;
    const known = this.#known.get(expression);
    if (known !== undefined) return known ?? undefined;
    this.#known.set(expression, null); // a value that is made of itself is nothing yet
    const type = this.#valueOf(expression);
    if (!ts.isIdentifier(expression)) this.#known.set(expression, type ?? null);
    else this.#known.delete(expression); // a name may become known
    return type;
  }

  #valueOf(expression: ts.Node): Type | undefined {
    const node = s.bare(expression);
    if (s.isFunction(node)) return { kind: "function", local: this.functionAt(node) };
    if (s.isNothing(node)) return undefined;
    if (node !== s.plain(expression)) return this.#castValue(s.plain(expression), node);
    const binding = this.names.bindingOf(node);
    if (binding) return this.ofBinding(binding);
    const value = this.valueAt(node);
    if (isLinearType(value)) return lent(value, givesLoan(this.file, node, { oracle: this }));
    if (s.isAssignment(node)) return this.of(node.right);
    return value ?? this.#definition(node);
  }

  /** What a value is said to be counts where its source says nothing. */
  #castValue(expression: ts.Node, node: ts.Node): Type | undefined {
    const inner = this.of(node);
    const isSolid = ts.isNonNullExpression(expression);
    if (isLinearType(inner)) return isSolid ? { ...inner, isNullable: false } : inner;
    return inner ?? lent(this.valueAt(expression), givesLoan(this.file, node, { oracle: this }));
  }

  /** What the compiler says that a node gives, with nothing said of loans. */
  valueAt(node: ts.Node): Type | undefined {
    return this.file.reader.valueOf(this.file.typeAt(node));
  }

  /** The function or the class of this file that an expression names. */
  #definition(node: ts.Node): Type | undefined {
    const declaration = this.file.declarationAt(node);
    if (!declaration || declaration.getSourceFile() !== this.file.source) return undefined;
    const local = this.functionDeclaredBy(declaration);
    if (local) return { kind: "function", local };
    if (!ts.isClassLike(declaration)) return undefined;
    const functions = () =>
      declaration.members.flatMap((one) => this.functionDeclaredBy(one) ?? []);
    return { kind: "class", functions };
  }

  /** The function of this file that a declaration has the body of. */
  functionDeclaredBy(declaration: ts.Node): LocalFunction | undefined {
    const named = "initializer" in declaration ? declaration.initializer as ts.Node : declaration;
    const node = named && s.bare(named);
    const isHere = node && s.isFunction(node) && node.getSourceFile() === this.file.source;
    return isHere ? this.functionAt(node) : undefined;
  }

  /** What a call or `new` calls. */
  calledAt(node: ts.CallExpression | ts.NewExpression): Called | undefined {
    const known = this.#called.get(node);
    if (known !== undefined) return known ?? undefined;
    const called = calledAt(this, node);
    this.#called.set(node, called ?? null);
    return called;
  }

  /** The field that an expression names, if it is followed. */
  fieldAt(node: ts.Node): Binding | undefined {
    return this.#fields.at(node);
  }

  /** The fields of an object whose ports a method of it consumes. */
  fieldsConsumedBy(call: ts.CallExpression): readonly Binding[] {
    return this.#fields.consumedBy(call);
  }

  /** What a part of a pattern gets from the whole, which is `value` where it is written here. */
  partOf(whole: Type | undefined, { key, target }: s.Part, value?: ts.Node): Type | undefined {
    return lent(this.valueAt(target), !this.#isOwnPart(whole, key, value));
  }

  #isOwnPart(whole: Type | undefined, key: string, value?: ts.Node): boolean {
    if (isContainer(whole)) return key === "value" && !whole.isLoan;
    return value !== undefined && isMadePart(this.file, key, value);
  }

  /** What a round of a loop gets: from a list a loan, from a generator what it yields for good. */
  elementOf(list: ts.Node, target: ts.Node): Type | undefined {
    return lent(this.valueAt(target), !this.#isGenerator(list));
  }

  #isGenerator(list: ts.Node): boolean {
    const type = this.file.typeAt(list);
    if (GENERATORS.has(type.symbol?.name ?? "")) return true;
    const iterator = type.getProperties().find(({ name }) => /^__@(?:asyncI|i)terator/.test(name));
    const made = iterator && this.file.checker.getTypeOfSymbol(iterator).getCallSignatures()[0];
    return GENERATORS.has(made?.getReturnType().symbol?.name ?? "");
  }

  /** What a name is; worked out once, from its type and from what it is declared with. */
  ofBinding(binding: Binding): Type | undefined {
    if (binding.type === undefined) {
      binding.type = null; // a name in its own initialiser is nothing yet
      binding.type = this.#taught(binding) ?? this.#declared(binding) ?? null;
    }
    return binding.type ?? undefined;
  }

  /** Whether a name is said to hold what has no way to consume a port: it borrows the one it gets. */
  onlyLooks(name: ts.Node): boolean {
    return !this.valueAt(name) && onlyLooks(this.file.typeAt(name));
  }

  #declared(binding: Binding): Type | undefined {
    const { origin, node, declaredAs } = binding;
    const declared = this.valueAt(node);
    if (isLinearType(declared)) return lent(declared, this.#isLent(binding));
    const given = origin.value && !origin.isPart ? this.of(origin.value) : undefined;
    if (isLinearType(given) && this.onlyLooks(node)) return undefined;
    if (given && declaredAs !== "let" && declaredAs !== "var") return given;
    return declared ?? this.#definition(node);
  }

  #isLent({ origin, declaredAs, node }: Binding): boolean {
    const { value, isPart, partName, parameterOf } = origin;
    if (declaredAs === "property") return true;
    if (isPart) {
      if (partName === undefined) return !value || !this.#isGenerator(value);
      return !this.#isOwnPart(this.of(value), partName, value);
    }
    if (parameterOf) return isLentParameter(this.file, parameterOf, node);
    return value !== undefined && givesLoan(this.file, value, { oracle: this });
  }

  #taught({ origin, node }: Binding): Type | undefined {
    const { parameterOf, isPart } = origin;
    const { inputs = [] } = parameterOf && !isPart ? this.functionAt(parameterOf) : {};
    const index = inputs.length === 0
      ? -1
      : s.parametersOf(parameterOf!).findIndex(({ name }) => name === node);
    return inputs[index]?.isReference ? inputs[index].type : undefined;
  }

  /** A function of this file. */
  functionAt(node: s.FunctionNode): LocalFunction {
    const known = this.#functions.get(node);
    if (known) return known;
    const local = new LocalFunction(node, this.names.scopeOf(node));
    this.#functions.set(node, local);
    return local;
  }

  /** Notes what a parameter gets whose own type does not say that it takes it. */
  teach(local: LocalFunction, index: number, input: KnownInput): void {
    const known = local.inputs[index];
    if (known && (known.isGiven || !input.isGiven)) return;
    local.inputs[index] = known ? { ...known, isGiven: true } : input;
    this.forget();
    for (const binding of local.scope.bindings.values()) binding.type = undefined;
    this.onTaught(local);
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
  }
}

/** Whether one of the cases of a `switch` is taken whatever its value is. */
export function coversAll(
  { expression, caseBlock }: ts.SwitchStatement,
  { file }: Oracle,
): boolean {
  const subject = file.typeAt(s.bare(expression));
  const textOf = (one: ts.Type) => file.checker.typeToString(one);
  const cases = caseBlock.clauses.filter(ts.isCaseClause);
  const texts = new Set(cases.map((one) => textOf(file.typeAt(one.expression))));
  return (subject.isUnion() ? subject.types : [subject]).every((one) => {
    const isOne = (one.flags & (ts.TypeFlags.Unit | ts.TypeFlags.Never)) !== 0;
    return isOne && texts.has(textOf(one));
  });
}
