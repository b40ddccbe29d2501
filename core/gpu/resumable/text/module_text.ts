import { KernelCompileError, refuseProblem } from "../../wgsl/kernel_compile.ts";
import { declarationsOf, type TypedName } from "../../syntax/declarations.ts";
import { readExpression } from "../../syntax/expression.ts";
import { concreteType, typeOfExpression, type TypeScope } from "../../syntax/expression_type.ts";
import { RUNTIME_NAMES } from "../../syntax/name_type.ts";
import { positionAt } from "../../syntax/text_position.ts";
import {
  freePrefix,
  type Token,
  type TokenRange,
  TokenReader,
  tokensOf,
} from "../../syntax/tokens.ts";
import { namedType, type ValueType } from "../../syntax/value_type.ts";
import type { Variable } from "./variable.ts";

/** An author's text, and what it declares. */
export class ModuleText implements TypeScope {
  readonly source: string;
  readonly tokens;
  readonly declarations;
  /** Which local variable a token names; filled while functions are resolved. */
  readonly names = new Map<number, Variable>();
  /** The tokens, with constants of functions by the names that they have in the module. */
  readonly #typeTokens: Token[];

  /** Reads what is declared, and no function. */
  constructor(source: string) {
    refuseProblem(source);
    this.source = source;
    this.tokens = tokensOf(source);
    this.declarations = declarationsOf(this.tokens);
    this.#typeTokens = [...this.tokens];
  }

  /** Notes which variable a token names. */
  nameToken(at: number, variable: Variable): void {
    this.names.set(at, variable);
    if (variable.keyword !== "const") return;
    this.#typeTokens[at] = { ...this.tokens[at]!, text: this.constantName(variable) };
  }

  /** The name in the module of a constant of a function: types in the frame may mention it. */
  constantName({ name, index }: Variable): string {
    const { line, column } = positionAt(this.source, index);
    return `${freePrefix(this.tokens, "const_")}${name}_${line}_${column}`;
  }

  get #typeScope(): TypeScope {
    const { declarations, typeOfName } = this;
    return { tokens: this.#typeTokens, declarations, typeOfName };
  }

  /** Says what is wrong at a character of the text. */
  refuse = (index: number, reason: string): never => {
    throw KernelCompileError.at(this.source, positionAt(this.source, index), reason);
  };

  /** Says what is wrong at a token. */
  refuseAt(token: number, reason: string): never {
    return this.refuse(this.tokens[token]!.index, reason);
  }

  /** What the author wrote from one token to another. */
  textOf({ start, end }: TokenRange): string {
    const last = this.tokens[end - 1];
    return end > start
      ? this.source.slice(this.tokens[start]!.index, last!.index + last!.text.length)
      : "";
  }

  /** The type of what a token names. */
  typeOfName = (at: number): ValueType | undefined => {
    const variable = this.names.get(at);
    if (variable) return this.typeOf(variable);
    const { text } = this.tokens[at]!;
    const declared = this.declarations.variables.find(({ name }) => name.text === text);
    if (declared) {
      const type = this.typeOfDeclared(declared);
      return type && (declared.keyword === "const" ? type : concreteType(type));
    }
    const isConstant = /^[A-Z][A-Z\d_]*$/.test(text);
    return RUNTIME_NAMES[text] ?? (isConstant ? { name: "u32", args: [] } : undefined);
  };

  /** The type of what a module declares, which may be an abstract one. */
  typeOfDeclared({ type, value }: Pick<TypedName, "type" | "value">): ValueType | undefined {
    if (type.end > type.start) return namedType(this, type);
    if (value.end === value.start) return undefined;
    const reader = new TokenReader(this.tokens, value.start, this.refuse);
    return typeOfExpression(this, readExpression(reader));
  }

  /** The type of a local variable; `undefined` where it does not show. */
  typeOf({ keyword, type, value, known }: Variable): ValueType | undefined {
    if (known) return known;
    if (type.end > type.start) return namedType(this.#typeScope, type);
    const found = value && typeOfExpression(this.#typeScope, value);
    return found && (keyword === "const" ? found : concreteType(found));
  }
}
