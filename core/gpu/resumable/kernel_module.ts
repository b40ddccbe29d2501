import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { declarationsOf, type FunctionDeclaration } from "../syntax/declarations.ts";
import { type Expression, partsOf, readExpression } from "../syntax/expression.ts";
import { concreteType, typeOfExpression, type TypeScope } from "../syntax/expression_type.ts";
import { expressionsIn, type Statement, statementsIn } from "../syntax/statement.ts";
import { TokenReader } from "../syntax/token_reader.ts";
import { positionAt } from "../syntax/text_position.ts";
import { type TokenRange, tokensOf } from "../syntax/tokens.ts";
import { namedType, type ValueType } from "../syntax/value_type.ts";
import { type PrintfCall, printfCalls } from "../printf/printf_calls.ts";
import { type Service, servicesOf } from "./services.ts";
import { REQUESTS, suspendingNames } from "./suspending_names.ts";
import type { Variable } from "./variable.ts";

/** Runtime names that expressions may have, with their types. */
const RUNTIME_NAMES: Readonly<Record<string, string>> = { lane_index: "u32", wave_index: "u32" };

/** The author's text of a kernel, and what is known of it. */
export class KernelModule implements TypeScope {
  readonly source: string;
  readonly tokens;
  readonly declarations;
  /** Host functions by their names. */
  readonly services: ReadonlyMap<string, Service>;
  /** Calls of `printf`, by the token of the name. */
  readonly printfs: ReadonlyMap<number, PrintfCall>;
  /** The author's functions that call the host, directly or not; `kernel` is the first. */
  readonly suspending: ReadonlyMap<string, FunctionDeclaration>;
  /** Which local variable a token names; filled while functions are resolved. */
  readonly names = new Map<number, Variable>();
  /** Tokens of local variables of which an address is taken; filled in the same way. */
  readonly addressed = new Set<number>();

  /** @throws {KernelCompileError} with the author's own line and column */
  constructor(source: string) {
    this.source = source;
    this.tokens = tokensOf(source);
    this.declarations = declarationsOf(this.tokens);
    this.services = servicesOf(this);
    const calls = printfCalls(this);
    this.printfs = new Map(calls.map((call) => [call.at, call]));
    this.suspending = suspendingNames(this);
  }

  /** Says what is wrong at a character of the text. */
  refuse = (index: number, reason: string): never => {
    throw KernelCompileError.at(this.source, positionAt(this.source, index), reason);
  };

  /** Says what is wrong at a token. */
  refuseAt(token: number, reason: string): never {
    return this.refuse(this.tokens[token]!.index, reason);
  }

  /** Whether a call by this name suspends. */
  isSuspending(name: string): boolean {
    return name === "printf" || REQUESTS.has(name) || this.services.has(name) ||
      this.suspending.has(name);
  }

  /** Whether an expression calls the host. */
  suspends = (expression: Expression): boolean => {
    for (const { kind, text } of partsOf(expression)) {
      if (kind === "call" && this.isSuspending(text)) return true;
    }
    return false;
  };

  /** Whether a statement calls the host, or one in it does. */
  suspendsIn = (statement: Statement): boolean => {
    return expressionsIn(statement).some(this.suspends) ||
      statementsIn(statement).some(this.suspendsIn);
  };

  /** The type of what a token names. */
  typeOfName = (at: number): ValueType | undefined => {
    const variable = this.names.get(at);
    if (variable) return this.typeOf(variable);
    const { text } = this.tokens[at]!;
    const declared = this.declarations.variables.find(({ name }) => name.text === text);
    if (!declared) {
      const name = RUNTIME_NAMES[text] ?? (/^[A-Z][A-Z\d_]*$/.test(text) ? "u32" : undefined);
      return name === undefined ? undefined : { name, args: [] };
    }
    if (declared.type.end > declared.type.start) return namedType(this, declared.type);
    return this.#typeOfRange(declared.value);
  };

  #typeOfRange(range: TokenRange): ValueType | undefined {
    if (range.end === range.start) return undefined;
    const reader = new TokenReader(this.tokens, range.start, this.refuse);
    return typeOfExpression(this, readExpression(reader));
  }

  /** The type of a variable; `undefined` where it does not show. */
  typeOf({ keyword, type, value, known }: Variable): ValueType | undefined {
    if (known) return known;
    if (type.end > type.start) return namedType(this, type);
    const found = value && typeOfExpression(this, value);
    return found && (keyword === "const" ? found : concreteType(found));
  }
}
