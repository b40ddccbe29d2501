import { binaryType, builtinType, constructedType, literalType, RESULTS } from "./builtins.ts";
import type { Module } from "./module.ts";
import type { Expression, Name, Variable } from "./syntax.ts";
import {
  behind,
  BOOL,
  concrete,
  elementOf,
  isVector,
  plain,
  RUNTIME_NAMES,
  SUFFIXES,
  type Type,
} from "./value_type.ts";

/** Infers the types of expressions, and the values of constants. */
export class Types {
  readonly module: Module;
  /** Values of constants that the text does not declare, and of its `override`s, by name. */
  readonly constants: Readonly<Record<string, number>>;
  readonly #known = new Map<Expression, Type | undefined>();
  readonly #variables = new Map<Variable, Type | undefined>();

  constructor(module: Module, constants: Readonly<Record<string, number>> = {}) {
    this.module = module;
    this.constants = constants;
  }

  /** The type that a name names, with aliases resolved. */
  named(name: Name, seen: readonly string[] = []): Type {
    const { text, args, declared } = name;
    if (declared?.kind === "alias" && !seen.includes(text)) {
      return this.named(declared.type, [...seen, text]);
    }
    const [, shape, suffix = ""] = /^(vec[2-4]|mat[2-4]x[2-4])([fiuh])$/.exec(text) ?? [];
    if (shape && !declared) return plain(shape, plain(SUFFIXES[suffix]!));
    return {
      name: text,
      args: args.map((arg, at) => {
        if (text === "array" && at === 1) return this.#length(arg);
        if (arg.kind !== "name") return { ...plain(this.module.textOf(arg)), length: arg };
        const type = this.named(arg, seen);
        return arg.declared?.kind === "alias" ? { ...type, alias: arg.text } : type;
      }),
    };
  }

  #length(arg: Expression): Type {
    const value = this.value(arg);
    return Number.isNaN(value)
      ? { ...plain(this.module.textOf(arg)), length: arg }
      : plain(`${value}`);
  }

  /** The type of a variable: as written, or that of its value; `undefined` if it is unknown. */
  ofVariable(variable: Variable): Type | undefined {
    if (this.#variables.has(variable)) return this.#variables.get(variable);
    this.#variables.set(variable, undefined); // one that depends on itself has none
    const { type, value, keyword } = variable;
    const found = type ? this.named(type) : value && this.of(value);
    const known = found && (keyword === "const" || type ? found : concrete(found));
    this.#variables.set(variable, known);
    return known;
  }

  /** The type of an expression; numbers without a suffix are `int` and `float`. */
  of(expression: Expression): Type | undefined {
    if (!this.#known.has(expression)) this.#known.set(expression, this.#infer(expression));
    return this.#known.get(expression);
  }

  #infer(expression: Expression): Type | undefined {
    if (expression.kind === "name") return this.#ofName(expression);
    const { kind, text, operands } = expression;
    if (kind === "literal") return literalType(text);
    if (kind === "call") return this.#ofCall(expression.callee, operands);
    const types = operands.map((operand) => this.of(operand));
    const [first] = types;
    const value = behind(first);
    switch (kind) {
      case "group":
        return first;
      case "member":
        return value && this.member(value, text);
      case "index":
        return value && elementOf(value);
      case "unary":
        if (text === "&") return first && plain("ptr", plain(spaceOf(operands[0]!)), first);
        return text === "*" ? value : first;
      case "binary":
        return binaryType(text, types);
    }
  }

  #ofName({ text, declared }: Name): Type | undefined {
    if (declared) return declared.kind === "variable" ? this.ofVariable(declared) : undefined;
    // The library around a kernel declares constants in capitals.
    return RUNTIME_NAMES.get(text) ?? (/^[A-Z][A-Z\d_]*$/.test(text) ? plain("u32") : undefined);
  }

  #ofCall(callee: Name, operands: readonly Expression[]): Type | undefined {
    const { declared, text } = callee;
    if (declared?.kind === "function") return declared.result && this.named(declared.result);
    const type = this.named(callee);
    if (text === "bitcast") return type.args[0];
    if (declared?.kind === "struct" || /^(?:bool|[uif]32|f16)$/.test(type.name)) return type;
    const types = operands.map((operand) => this.of(operand));
    if (!/^(?:vec[2-4]|mat[2-4]x[2-4]|array)$/.test(type.name)) return builtinType(text, types);
    return type.args.length > 0 ? type : constructedType(type.name, types);
  }

  /** The members of a struct, or of a result of WGSL without a name; `undefined` for others. */
  members(type: Type): readonly { readonly name: string; readonly type: Type }[] | undefined {
    const { name, args: [value] } = type;
    if (Object.hasOwn(RESULTS, name)) {
      const whole = value!;
      const exponent = whole.args.length > 0 ? plain(whole.name, plain("i32")) : plain("i32");
      const types: Record<string, Type> = { exchanged: BOOL, exp: exponent };
      return RESULTS[name]!.map((member) => ({ name: member, type: types[member] ?? whole }));
    }
    const declared = this.module.byName.get(name);
    if (declared?.kind !== "struct") return undefined;
    return declared.members.map((member) => ({
      name: member.name,
      type: this.named(member.type!),
    }));
  }

  /** The type of a member or of components; `undefined` where there is none. */
  member(type: Type, member: string): Type | undefined {
    if (isVector(type) && /^(?:[xyzw]{1,4}|[rgba]{1,4})$/.test(member)) {
      return member.length === 1 ? type.args[0] : plain(`vec${member.length}`, ...type.args);
    }
    return this.members(type)?.find(({ name }) => name === member)?.type;
  }

  /** Whether a value is of a type, or has parts that are. */
  holds(type: Type, wanted: string): boolean {
    const { name, args } = type;
    if (name === wanted) return true;
    if (name === "array" || isVector(type)) return this.holds(args[0]!, wanted);
    return this.members(type)?.some((member) => this.holds(member.type, wanted)) ?? false;
  }

  /** The value of an expression of integers and constants; `NaN` if that is not known here. */
  value(expression: Expression, followed: readonly Variable[] = []): number {
    if (expression.kind === "name") {
      const { declared, text } = expression;
      const given = Object.hasOwn(this.constants, text) ? this.constants[text]! : NaN;
      if (!declared) return given;
      if (declared.kind !== "variable" || followed.includes(declared)) return NaN;
      const { keyword, value } = declared;
      if (keyword === "override") return given;
      return keyword === "const" && value ? this.value(value, [...followed, declared]) : NaN;
    }
    const { kind, text, operands } = expression;
    if (kind === "literal") return Number(/^(0[xX][\da-fA-F]+|\d+)[iu]?$/.exec(text)?.[1] ?? NaN);
    const values = operands.map((one) => this.value(one, followed));
    const [left, right] = values;
    // Operators of bits would make a number of what is not known.
    if (left === undefined || Number.isNaN(left) || Number.isNaN(right)) return NaN;
    if (kind === "group") return left;
    if (kind === "call") return FUNCTIONS.get(text)?.(...values) ?? NaN;
    if (kind === "unary" && text === "-") return -left;
    if (kind === "unary" && text === "~") {
      return this.of(expression)?.name === "u32" ? ~left >>> 0 : ~left;
    }
    return kind === "binary" ? OPERATORS[text]?.(left, right!) ?? NaN : NaN;
  }
}

const FUNCTIONS: ReadonlyMap<string, (...values: number[]) => number> = new Map([
  ...["u32", "i32"].map((name) => [name, (value: number) => value] as const),
  ["abs", Math.abs],
  ["min", Math.min],
  ["max", Math.max],
  ["clamp", (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)],
]);

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "|": (left, right) => ofBits(left | right, [left, right]),
  "^": (left, right) => ofBits(left ^ right, [left, right]),
  "&": (left, right) => ofBits(left & right, [left, right]),
  "<<": (left, right) => left * 2 ** right,
  ">>": (left, right) => Math.floor(left / 2 ** right),
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => Math.trunc(left / right),
  "%": (left, right) => left % right,
};

/** Bits of two numbers, whose highest is a sign only where they have one. */
function ofBits(bits: number, operands: readonly number[]): number {
  return operands.every((one) => one >= 0) ? bits >>> 0 : bits;
}

/** The address space of the variable that a place is in. */
function spaceOf(place: Expression): string {
  if (place.kind === "name") return place.declared?.kind === "variable" ? place.declared.space : "";
  const [base] = place.operands;
  return base && place.kind !== "unary" && place.kind !== "call" ? spaceOf(base) : "";
}
