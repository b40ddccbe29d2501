import { nearest } from "../../text/nearest.ts";
import { compileWgsl, type Fault } from "../compile/compile_wgsl.ts";
import { textProblem } from "../compile/text_problem.ts";
import type { FunctionDeclaration } from "../syntax/declarations.ts";
import { declarationOf, RUNTIME_NAMES } from "../syntax/expression_type.ts";
import type { Token } from "../syntax/tokens.ts";
import { namedType, type Scope } from "../syntax/value_type.ts";
import { type TextPosition, WgslText } from "../syntax/wgsl_text.ts";

const CHANGES = /^(?:=|\+\+|--|[-+*/%&|^]=|<<=)$/;

/** A module that begins with the author's text; the other lines are generated. */
export interface AuthoredModule {
  readonly code: string;
  /** The author's text. */
  readonly author: WgslText;
  /** The author's text of the option `server`, which follows the other and has its own line numbers. */
  readonly server?: WgslText | undefined;
  /** The author's functions that were replaced by generated ones; none when absent. */
  readonly dissolved?: ReadonlySet<string>;
  /**
   * Maps a position in the generated lines, counted from 1, to the author's text it comes from, if any.
   */
  readonly authorPosition?: (position: TextPosition) => TextPosition | undefined;
}

/** The author's text does not compile; the message shows the line. */
export class KernelCompileError extends Error {
  /** The name of the class. */
  override readonly name = "KernelCompileError";
  /** From 1; 0 when the error is not in the author's text. */
  readonly line: number;
  /** From 1, in UTF-16 units; 0 when the error is not in the author's text. */
  readonly column: number;
  /** What is wrong, without the place. */
  readonly reason: string;
  /** The option whose text is wrong, such as `server`; absent where that is the kernel's. */
  readonly option: string | undefined;

  /** Creates the error of a failed compilation. */
  constructor(
    message: string,
    { line, column, option }: TextPosition & { readonly option?: string | undefined },
    reason: string = message,
  ) {
    super(message);
    this.option = option;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }

  /** @internal Creates the error of a position in the author's text. */
  static at(text: WgslText, position: TextPosition, reason: string): KernelCompileError {
    const { line, column } = position;
    const { option } = text;
    const where = `line ${line}, column ${column}${option ? ` of ${option}` : ""}`;
    return new KernelCompileError(
      `Cannot compile the kernel as ${where} is wrong: ${reason}\n${line} | ${text.lineOf(line)}`,
      { ...position, option },
      reason,
    );
  }
}

/** Throws the error of a character in the author's text. */
export function refuseAt(text: WgslText, index: number, reason: string): never {
  throw KernelCompileError.at(text, text.positionAt(index), reason);
}

/** The author's texts, in the order of their lines in the module. */
function textsOf({ author, server }: AuthoredModule): readonly WgslText[] {
  return server ? [author, server] : [author];
}

/**
 * Compiles a generated module.
 *
 * @throws {KernelCompileError} with the author's own line
 */
export function compileModule(
  device: GPUDevice,
  module: AuthoredModule,
): Promise<GPUShaderModule> {
  return compileModuleWith(module, (code) => compileWgsl(device, code));
}

/**
 * As {@linkcode compileModule}, by another compiler.
 *
 * @throws {KernelCompileError} with the author's own line
 */
export async function compileModuleWith<T extends object>(
  module: AuthoredModule,
  compile: (code: string) => Promise<T | Fault>,
): Promise<T> {
  // Compilers let a module redeclare names of WGSL, which the generated part would then use.
  refuseName(module, WGSL_NAMES, "a name of WGSL that the generated part uses");
  textsOf(module).forEach(refuseProblem);
  const result = await compile(module.code);
  if (!("reason" in result)) return result;
  // If both parts declare a name, compilers point to the generated one.
  const generated = module.code.split("\n").slice(authorLines(module)).join("\n");
  const { names } = new WgslText(generated).declarations;
  refuseName(module, new Set(names.map(({ text }) => text)), "a name of the generated part");
  refuseBoundTwice(module);
  throw compileError(module, result);
}

function authorLines(module: AuthoredModule): number {
  return textsOf(module).reduce((sum, { lineCount }) => sum + lineCount, 0);
}

/** @throws {KernelCompileError} at what must not reach a compiler: see `textProblem` */
export function refuseProblem(text: WgslText): void {
  const problem = textProblem(text) ?? runtimeNameChanged(text);
  if (problem) refuseAt(text, problem.token.index, problem.reason);
}

/**
 * Refuses textures and samplers: nothing binds one, and a buffer in its place could crash a driver.
 *
 * @throws {KernelCompileError} at the first
 */
export function refuseHandles(text: WgslText): void {
  const found = text.declarations.variables.find(({ keyword, space }) =>
    keyword === "var" && space === ""
  );
  if (!found) return;
  const reason = "a kernel has no textures and samplers here: copy what is in them to a buffer";
  refuseAt(text, found.name.index, reason);
}

/** Finds where a text changes or takes a pointer to a variable such as `lane_index`. */
function runtimeNameChanged(scope: Scope) {
  const { tokens } = scope;
  const token = tokens.find(({ text }, at) =>
    Object.hasOwn(RUNTIME_NAMES, text) && tokens[at - 1]?.text !== "." &&
    (isAssigned(tokens, at) || isPointedAt(tokens, at)) && !declarationOf(scope, at)
  );
  if (!token) return undefined;
  const { text } = token;
  const reason =
    `${text} says who runs, and cannot be changed: give a variable of your own another name, as my_${text}`;
  return { token, reason };
}

function isAssigned(tokens: readonly Token[], at: number): boolean {
  let [start, end] = [at, at + 1];
  while (tokens[start - 1]?.text === "(" && tokens[end]?.text === ")") {
    [start, end] = [start - 1, end + 1];
  }
  const [operator = "", ...more] = tokens.slice(end, end + 3).map(({ text }) => text);
  return CHANGES.test(operator) || operator + more.join("") === ">>=";
}

function isPointedAt(tokens: readonly Token[], at: number): boolean {
  let start = at - 1;
  while (tokens[start]?.text === "(") start--;
  const before = tokens[start - 1];
  return tokens[start]?.text === "&" && before?.kind === "mark" && !/^[)\]]$/.test(before.text);
}

/**
 * Checks that the author's text has the functions that the generated part calls.
 *
 * @param wanted as in `fn serve(opcode: u32)`; if this has no result, the function may have one
 * @param made names what the text is for in error messages
 * @throws {TypeError} when one is missing
 * @throws {KernelCompileError} at the author's line
 */
export function checkFunctions(
  text: WgslText,
  wanted: readonly string[],
  made: string,
): void {
  for (const one of wanted) {
    const { name } = new WgslText(`${one} {}`).declarations.functions[0]!;
    if (!text.declarations.functions.some((other) => other.name.text === name.text)) {
      throw new TypeError(
        `Cannot make ${made} as its ${
          text.option ?? "source"
        } has no function ${name.text}: write ${one}`,
      );
    }
    checkSignature(text, one);
  }
}

/**
 * Checks the signature of a function that the generated part calls, if the author's text has it.
 *
 * @throws {KernelCompileError} at the author's line
 */
export function checkSignature(text: WgslText, wanted: string): void {
  const wantedText = new WgslText(`${wanted} {}`);
  const called = wantedText.declarations.functions[0]!;
  const hasResult = called.result.end > called.result.start;
  const typesOf = (of: Scope, { parameters, result }: FunctionDeclaration) =>
    [...parameters.map(({ type }) => type), ...hasResult ? [result] : []]
      .map((range) => range.end > range.start ? namedType(of, range).name : "").join();
  for (const one of text.declarations.functions) {
    if (one.name.text !== called.name.text) continue;
    if (typesOf(text, one) === typesOf(wantedText, called)) continue;
    refuseAt(text, one.name.index, `it is called otherwise: write ${wanted}`);
  }
}

function compileError(module: AuthoredModule, { position, reason }: Fault): KernelCompileError {
  const { author, server } = module;
  const { line, column } = position;
  const found = line >= 1 && line <= authorLines(module)
    ? position
    : module.authorPosition?.({ line: line - authorLines(module), column });
  const behind = (found?.line ?? 0) - author.lineCount;
  if (behind > 0 && server) {
    return KernelCompileError.at(server, { line: behind, column }, reason);
  }
  if (found) return KernelCompileError.at(author, found, reason + hintOf(author, found, reason));
  return new KernelCompileError(
    `Cannot compile the kernel as what is generated around it does not fit: ${reason}`,
    { line: 0, column: 0 },
  );
}

/** The way out where a text calls what nothing declares. */
function hintOf(text: WgslText, position: TextPosition, reason: string): string {
  const [, name] = /^no definition in scope for identifier: `(\w+)`$/.exec(reason) ?? [];
  const index = text.indexAt(position);
  const at = text.tokens.findIndex((token) => token.index === index);
  if (name === undefined || text.tokens[at + 1]?.text !== "(") return "";
  const near = nearest(name, text.declarations.functions.map((one) => one.name.text));
  return near === undefined
    ? `; a function of the host is declared as @service fn ${name}(x: u32) -> u32;`
    : `; did you mean ${near}`;
}

/** Names of WGSL that the generated parts use, and that a module could redeclare. */
export const WGSL_NAMES: ReadonlySet<string> = new Set(
  `all array atomic atomicAdd atomicAnd atomicCompareExchangeWeak atomicExchange atomicLoad
  atomicMax atomicMin atomicOr atomicStore atomicSub bitcast bool countLeadingZeros f16 f32
  firstTrailingBit i32 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 max min
  select storageBarrier u32 vec2 vec2u vec3 vec3u vec4 vec4u workgroupBarrier
  workgroupUniformLoad`.split(/\s+/),
);

/** @throws {KernelCompileError} at the first declaration of a name that is taken */
function refuseName(module: AuthoredModule, taken: ReadonlySet<string>, what: string): void {
  for (const text of textsOf(module)) {
    const name = text.declarations.names.find((one) =>
      taken.has(one.text) && !module.dissolved?.has(one.text)
    );
    if (!name) continue;
    const reason = `it declares ${name.text}, ${what}: give it another name, as my_${name.text}`;
    refuseAt(text, name.index, reason);
  }
}

/**
 * @throws {KernelCompileError} at the first variable whose binding is taken; compilers do not say where
 * it is
 */
function refuseBoundTwice(module: AuthoredModule): void {
  const taken = new Set<string>();
  for (const text of textsOf(module)) {
    for (const { name, attributes } of text.declarations.variables) {
      const [group, binding] = ["group", "binding"].map((wanted) => {
        const args = attributes.find((attribute) => attribute.name === wanted)?.args;
        return args && text.tokens.slice(args.start, args.end).map((one) => one.text).join("");
      });
      if (group === undefined || binding === undefined) continue;
      const place = `@group(${group}) @binding(${binding})`;
      if (taken.has(place)) {
        const reason =
          `${place} is another variable's, too: give ${name.text} a binding of its own`;
        refuseAt(text, name.index, reason);
      }
      taken.add(place);
    }
  }
}
