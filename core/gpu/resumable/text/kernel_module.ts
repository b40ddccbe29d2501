import { LANE_WORDS } from "../../../memory/packet.ts";
import { type AssertCall, assertCalls } from "../../printf/assert_calls.ts";
import { type PrintfCall, printfCalls, readCall } from "../../printf/printf_calls.ts";
import {
  calledNames,
  type FunctionDeclaration,
  type TypedName,
} from "../../syntax/declarations.ts";
import { type Expression, partsOf, readExpression } from "../../syntax/expression.ts";
import {
  concreteType,
  RUNTIME_NAMES,
  typeOfExpression,
  type TypeScope,
} from "../../syntax/expression_type.ts";
import { expressionsIn, type Statement, statementsIn } from "../../syntax/statements.ts";
import { freePrefix, type Token, type TokenRange, TokenReader } from "../../syntax/tokens.ts";
import { valueOfExpression } from "../../syntax/type_layout.ts";
import { namedType, type ValueType } from "../../syntax/value_type.ts";
import { libraryName } from "../../compile/library_names.ts";
import type { WgslText } from "../../syntax/wgsl_text.ts";
import { refuseAt } from "../../wgsl/kernel_compile.ts";
import { FAILURE_VALUES } from "../../wgsl/kernel_error.ts";
import { type Service, servicesOf } from "./services.ts";

/** A local variable, parameter or kept value of a function that suspends. */
export interface Variable {
  /** The author's name, or a descriptive one for a temporary value. */
  readonly name: string;
  /** Describes a value without a name in error messages. */
  readonly what?: string;
  readonly keyword: "var" | "let" | "const";
  /** Its position in the author's text. */
  readonly index: number;
  /** The written type; may be empty. */
  readonly type: TokenRange;
  /** The value to infer the type from if it is not written. */
  readonly value?: Expression;
  /** The type, if it is known without the author's text. */
  readonly known?: ValueType;
}

/** What generated steps and frames mention of the library, or it of them. */
export const LIBRARY_NAMES: readonly string[] =
  `call cast_call finish Frame frame frame_load frame_save go lane_fail
  lane_memory lane_states lanes_meet memory_base packet_set portlab_entry printf_before printf_ended printf_place
  printf_put printf_repeats put_word reply SavedFrame SavedShared shared_load shared_save wave_states
  ERROR_ASSERTION_FAILED`.split(/\s+/);

export const NO_TOKENS: TokenRange = { start: 0, end: 0 };

/** The author's text, and its declarations. */
export class ModuleText implements TypeScope {
  readonly text: WgslText;
  readonly tokens;
  readonly declarations;
  /** The local variable that each token names; filled while functions are resolved. */
  readonly names = new Map<number, Variable>();
  /** The tokens, with constants of functions renamed as in the module. */
  readonly #typeTokens: Token[];

  /** Reads the declarations, but no function bodies. */
  constructor(text: WgslText) {
    this.text = text;
    this.tokens = text.tokens;
    this.declarations = text.declarations;
    this.#typeTokens = [...this.tokens];
  }

  /** Records the variable that a token names. */
  nameToken(at: number, variable: Variable): void {
    this.names.set(at, variable);
    if (variable.keyword !== "const") return;
    this.#typeTokens[at] = { ...this.tokens[at]!, text: this.constantName(variable) };
  }

  /** The name of a function's constant in the module, as types in the frame may mention it. */
  constantName({ name, index }: Variable): string {
    const { line, column } = this.text.positionAt(index);
    return `${freePrefix(this.tokens, "const_")}${name}_${line}_${column}`;
  }

  /** The name of what the library, or the generated part, declares as `wanted`: another where that is the author's. */
  libraryName = (wanted: string): string => libraryName(this.text, wanted);

  /** The names that are other ones, of those that the generated part has in common with the library. */
  get changedNames(): ReadonlyMap<string, string> {
    const names = LIBRARY_NAMES.map((name) => [name, this.libraryName(name)] as const);
    return new Map(names.filter(([name, other]) => name !== other));
  }

  /** Whether the lanes of a wave have workgroup memory. */
  get sharesMemory(): boolean {
    return this.declarations.variables.some(({ space }) => space === "workgroup");
  }

  get #typeScope(): TypeScope {
    const { declarations, typeOfName } = this;
    return { tokens: this.#typeTokens, declarations, typeOfName };
  }

  /** Rejects the text at a character. */
  refuse = (index: number, reason: string): never => refuseAt(this.text, index, reason);

  /** Rejects the text at a token. */
  refuseAt = (token: number, reason: string): never =>
    this.refuse(this.tokens[token]!.index, reason);

  /** The values of constants, including those of functions, by their names in the module. */
  constantsWith(others: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
    const constants: Record<string, number> = { ...others };
    const scope = { ...this.#typeScope, constants };
    for (const variable of new Set(this.names.values())) {
      if (variable.keyword !== "const" || !variable.value) continue;
      constants[this.constantName(variable)] = valueOfExpression(scope, variable.value);
    }
    return constants;
  }

  /** The type of the variable that a token names. */
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

  /** The type of a declaration of the module, which may be abstract. */
  typeOfDeclared({ type, value }: Pick<TypedName, "type" | "value">): ValueType | undefined {
    if (type.end > type.start) return namedType(this, type);
    if (value.end === value.start) return undefined;
    const reader = new TokenReader(this.tokens, value.start, this.refuse);
    return typeOfExpression(this, readExpression(reader));
  }

  /** The type of a local variable; `undefined` if it is unknown. */
  typeOf({ keyword, type, value, known }: Variable): ValueType | undefined {
    if (known) return known;
    if (type.end > type.start) return namedType(this.#typeScope, type);
    const found = value && typeOfExpression(this.#typeScope, value);
    return found && (keyword === "const" ? found : concreteType(found));
  }
}

/** The target of a pointer. */
export interface Pointee {
  readonly variable: Variable;
  /** Whether it is the whole variable, not an element or member. */
  readonly isWhole: boolean;
}

/** Finds the local variable that `let pointer = &variable;` and its copies point to. */
export function pointeeOf(module: ModuleText, { keyword, value }: Variable): Pointee | undefined {
  return keyword === "let" && value ? leadsTo(module, value) : undefined;
}

/** Finds the target of a pointer expression, or the variable of a reference. */
function leadsTo(
  module: ModuleText,
  { kind, text, start, operands: [inner] }: Expression,
  isPlace = false,
): Pointee | undefined {
  if (kind === "group") return leadsTo(module, inner!, isPlace);
  if (kind === "name") {
    const variable = module.names.get(start);
    const pointee = variable && pointeeOf(module, variable);
    return pointee ?? (isPlace && variable ? { variable, isWhole: true } : undefined);
  }
  if (kind === "unary" && text === (isPlace ? "*" : "&")) return leadsTo(module, inner!, !isPlace);
  if (!isPlace || (kind !== "index" && kind !== "member")) return undefined;
  const place = leadsTo(module, inner!, true);
  return place && { ...place, isWhole: false };
}

/** One `assert` of a kernel. */
export interface KernelAssert extends AssertCall {
  /** What it prints when it fails; after its first parameter, the condition. */
  readonly call: Pick<PrintfCall, "pieces" | "parameters" | "position" | "hidden">;
}

/** Refuses arrays whose length a kernel's format, which the host reads, cannot have. */
function sized(text: WgslText, call: PrintfCall): PrintfCall {
  const hasList = call.pieces.some((piece) => typeof piece !== "string" && piece.elements);
  if (!hasList) return call;
  const reason = "%v of a kernel takes no array whose length is known when it runs";
  return refuseAt(
    text,
    text.tokens[call.at]!.index,
    `${reason}: print elements, and arrayLength()`,
  );
}

function kernelAsserts(text: WgslText): ReadonlyMap<number, KernelAssert> {
  return new Map([...assertCalls(text)].map(([at, one]) => {
    const position = text.positionAt(text.tokens[at]!.index);
    const bare = { pieces: [], parameters: [], position, hidden: [] };
    const call = one.format === undefined ? bare : sized(text, readCall(text, at));
    const count = call.parameters.flatMap(({ parts }) => parts).length;
    if (count >= FAILURE_VALUES) {
      const reason = `an assert of a kernel tells at most ${FAILURE_VALUES - 1} numbers`;
      refuseAt(text, text.tokens[at]!.index, `${reason}: current value is ${count}`);
    }
    return [at, { ...one, call }];
  }));
}

/** The author's text of a kernel, and the functions that call the host. */
export class KernelModule extends ModuleText {
  /** Words of a lane in a packet. */
  readonly laneWords: number;
  /** Functions of the host, by name. */
  readonly services: ReadonlyMap<string, Service>;
  /** Calls of `printf` and `printf_if`, by the token of their name. */
  readonly printfs: ReadonlyMap<number, PrintfCall>;
  /** Calls of `assert`, by the token of their name. */
  readonly asserts: ReadonlyMap<number, KernelAssert>;
  /** Functions that call the host directly or indirectly; `kernel` comes first. */
  readonly suspending: ReadonlyMap<string, FunctionDeclaration>;
  /** Tokens of local variables whose address is taken; filled while functions are resolved. */
  readonly addressed = new Set<number>();

  /** What the text declares itself. */
  readonly #own: ReadonlySet<string>;

  /** Whether the lanes of a wave may wait for each other: nothing takes a wave off the device between. */
  readonly meets: boolean;

  /** @throws {KernelCompileError} with the author's line and column */
  constructor(text: WgslText, laneWords: number = LANE_WORDS, { meets = false } = {}) {
    super(text);
    this.laneWords = laneWords;
    this.meets = meets;
    this.services = servicesOf(this);
    this.#own = new Set(this.declarations.names.map(({ text }) => text));
    this.printfs = new Map(printfCalls(text).map((call) => [call.at, sized(text, call)]));
    this.asserts = this.#own.has("assert") ? new Map() : kernelAsserts(text);
    this.suspending = suspendingNames(this);
  }

  /** Functions that `kernel` calls directly or indirectly, and itself: stubs may add many others. */
  get reached(): readonly FunctionDeclaration[] {
    const reached = new Set(["kernel"]);
    for (const name of reached) {
      const declared = this.suspending.get(name);
      if (!declared) continue;
      for (const called of calledNames(this.declarations, declared).keys()) reached.add(called);
    }
    return [...this.suspending.values()].filter(({ name }) => reached.has(name.text));
  }

  /** The functions of the text that are replaced by generated ones. */
  get dissolved(): ReadonlySet<string> {
    return new Set([...this.services.keys(), ...this.suspending.keys()]);
  }

  /** The name of the function that appends a `printf` to the lane's stream, or keeps what an `assert` tells. */
  printfName({ position: { line, column } }: Pick<PrintfCall, "position">): string {
    return `${freePrefix(this.tokens, "put_printf_")}${line}_${column}`;
  }

  /** Whether a call by this name suspends. */
  isSuspending(name: string): boolean {
    return this.isRequest(name) || this.services.has(name) || this.suspending.has(name);
  }

  /** Whether a call by this name makes a request, without a declaration. */
  isRequest(name: string): boolean {
    if (this.meets && BARRIERS.has(name)) return true;
    return REQUESTS.has(name) && !this.#own.has(name);
  }

  /** Whether an expression calls the host. */
  suspends = (expression: Expression): boolean => {
    for (const { kind, text } of partsOf(expression)) {
      if (kind === "call" && this.isSuspending(text)) return true;
    }
    return false;
  };

  /** Whether a statement or a nested one calls the host. */
  suspendsIn = (statement: Statement): boolean => {
    return expressionsIn(statement).some(this.suspends) ||
      statementsIn(statement).some(this.suspendsIn);
  };
}

/** Functions of `kernel_api.wgsl` that make a request, and what becomes statements of a step. */
export const REQUESTS: ReadonlySet<string> = new Set(
  "call cast_call begin send recv close call_with_stream exchange_streams print printf printf_if assert"
    .split(" "),
);

/** Functions of WGSL by which lanes wait for each other, and see what they wrote before. */
export const BARRIERS: ReadonlySet<string> = new Set([
  "workgroupBarrier",
  "storageBarrier",
  "workgroupUniformLoad",
]);

/**
 * Finds the functions that call the host directly or indirectly. `kernel` is always the first, and a
 * function comes after its callers.
 *
 * @throws {KernelCompileError} when one of them calls itself, or takes a pointer
 */
export function suspendingNames(module: KernelModule): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map(module.declarations.functions.map((one) => [one.name.text, one]));
  const found = new Map<string, boolean>();
  const order: FunctionDeclaration[] = [];
  const visit = (name: string, way: readonly string[]): boolean => {
    const declared = functions.get(name);
    if (module.isRequest(name) || module.services.has(name)) return true;
    if (!declared) return false;
    if (way.includes(name)) {
      module.refuse(declared.name.index, `${name} calls itself, which no function of WGSL may`);
    }
    const known = found.get(name);
    if (known !== undefined) return known;
    let suspends = name === "kernel";
    for (const called of calledNames(module.declarations, declared).keys()) {
      if (visit(called, [...way, name])) suspends = true;
    }
    found.set(name, suspends);
    if (suspends) order.unshift(declared);
    return suspends;
  };
  for (const name of functions.keys()) if (name !== "kernel") visit(name, []);
  visit("kernel", []);
  order.forEach((declared) => checkFunction(module, declared));
  return new Map(order.map((declared) => [declared.name.text, declared]));
}

function checkFunction(
  { tokens, refuse, refuseAt, asserts }: KernelModule,
  { name, parameters, result }: FunctionDeclaration,
): void {
  if (name.text === "kernel") {
    if (result.end > result.start) {
      refuseAt(
        result.start,
        "kernel gives nothing back: it writes to a buffer, or calls the host",
      );
    }
    const [first] = parameters;
    if (first) {
      refuse(first.name.index, "kernel has no parameters: it reads lane_index and wave_index");
    }
  }
  const pointer = parameters.find(({ type }) => tokens[type.start]?.text === "ptr");
  if (!pointer) return;
  refuse(
    pointer.name.index,
    `${name.text} calls the host and takes a pointer, which cannot be kept while it waits: hand over the value, and give the new one back${
      asserts.size > 0 ? ", or assert where it is called" : ""
    }`,
  );
}
