import { compileWgsl, type Fault } from "../compile/compile_wgsl.ts";
import { textProblem } from "../compile/text_problem.ts";
import { declarationsOf, type FunctionDeclaration } from "../syntax/declarations.ts";
import { declarationOf, RUNTIME_NAMES } from "../syntax/name_type.ts";
import { LINE_BREAK, lineOf, positionAt, type TextPosition } from "../syntax/text_position.ts";
import { type Token, tokensOf } from "../syntax/tokens.ts";
import { namedType, type Scope } from "../syntax/value_type.ts";
import { codeOf } from "./author_text.ts";

const CHANGES = /^(?:=|\+\+|--|[-+*/%&|^]=|<<=)$/;

/** A module whose first lines are what its author wrote; the others are generated. */
export interface AuthoredModule {
  readonly code: string;
  readonly authorLineCount: number;
  /**
   * Where in the author's text a place of the generated lines comes from, of which the first is line 1;
   * nowhere when absent.
   */
  readonly authorPosition?: (position: TextPosition) => TextPosition | undefined;
  /** What its author has given as `server`: it stands behind the other lines, and counts from 1. */
  readonly server?: string | undefined;
}

/** The author's text does not compile; the message shows the line. */
export class KernelCompileError extends Error {
  /** For what catches errors of several kinds. */
  override readonly name = "KernelCompileError";
  /** From 1; 0 when the error is not in the author's text. */
  readonly line: number;
  /** From 1, in UTF-16 units; 0 when the error is not in the author's text. */
  readonly column: number;
  /** What is wrong, without the place. */
  readonly reason: string;

  /** Made when a text was compiled. */
  constructor(message: string, { line, column }: TextPosition, reason: string = message) {
    super(message);
    this.line = line;
    this.column = column;
    this.reason = reason;
  }

  /** The error of a place in the author's text, or in that of an option. */
  static at(
    text: string,
    position: TextPosition,
    reason: string,
    option?: "server",
  ): KernelCompileError {
    const { line, column } = position;
    const where = `line ${line}, column ${column}${option ? ` of ${option}` : ""}`;
    return new KernelCompileError(
      `Cannot compile the kernel as ${where} is wrong: ${reason}\n${line} | ${lineOf(text, line)}`,
      position,
      reason,
    );
  }
}

/**
 * Compiles a generated module.
 *
 * @param text the author's part, as written
 * @throws {KernelCompileError} with the author's own line
 */
export async function compileModule(
  device: GPUDevice,
  text: string,
  source: AuthoredModule,
): Promise<GPUShaderModule> {
  const hidden = hiddenName(source);
  if (hidden) throw compileError(text, source, hidden);
  refuseProblem(text);
  if (source.server !== undefined) refuseProblem(source.server, "server");
  const result = await compileWgsl(device, source.code);
  if (result instanceof GPUShaderModule) return result;
  throw compileError(text, source, collisionOf(source) ?? boundTwice(source) ?? result);
}

/** @throws {KernelCompileError} at what no compiler may see: `textProblem` says what that is */
export function refuseProblem(text: string, option?: "server"): void {
  const tokens = tokensOf(text);
  const scope = { tokens, declarations: declarationsOf(tokens) };
  const problem = textProblem(scope) ?? runtimeNameChanged(scope);
  if (!problem) return;
  const position = positionAt(text, problem.token.index);
  throw KernelCompileError.at(text, position, problem.reason, option);
}

/** Where a text changes what says which lane or wave runs, or takes a pointer to it. */
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
 * Checks that a function of the author is what the generated part calls, where it is there.
 *
 * @param wanted as in `fn serve(opcode: u32)`; what is written without a result may have one
 * @throws {KernelCompileError} at the author's line
 */
export function checkSignature(text: string, wanted: string, option?: "server"): void {
  const tokens = tokensOf(text);
  const scope = { tokens, declarations: declarationsOf(tokens) };
  const wantedTokens = tokensOf(`${wanted} {}`);
  const wantedScope = { tokens: wantedTokens, declarations: declarationsOf(wantedTokens) };
  const [called] = wantedScope.declarations.functions;
  const hasResult = called!.result.end > called!.result.start;
  const typesOf = (of: Scope, { parameters, result }: FunctionDeclaration) =>
    [...parameters.map(({ type }) => type), ...hasResult ? [result] : []]
      .map((range) => range.end > range.start ? namedType(of, range).name : "").join();
  for (const one of scope.declarations.functions) {
    if (one.name.text !== called!.name.text) continue;
    if (typesOf(scope, one) === typesOf(wantedScope, called!)) continue;
    const position = positionAt(text, one.name.index);
    throw KernelCompileError.at(text, position, `it is called otherwise: write ${wanted}`, option);
  }
}

function compileError(
  text: string,
  source: AuthoredModule,
  { position, reason }: Fault,
): KernelCompileError {
  const { line, column } = position;
  const { authorLineCount } = source;
  const isAuthors = line >= 1 && line <= authorLineCount;
  const authors = isAuthors
    ? position
    : source.authorPosition?.({ line: line - authorLineCount, column });
  const behind = (authors?.line ?? 0) - text.split(LINE_BREAK).length;
  if (behind > 0 && source.server !== undefined) {
    return KernelCompileError.at(source.server, { line: behind, column }, reason, "server");
  }
  if (authors) return KernelCompileError.at(text, authors, reason);
  return new KernelCompileError(
    `Cannot compile the kernel as what is generated around it does not fit: ${reason}`,
    { line: 0, column: 0 },
  );
}

/** What the generated parts use of WGSL itself, which a module may declare anew. */
export const WGSL_NAMES: ReadonlySet<string> = new Set(
  `all array atomic atomicAdd atomicAnd atomicCompareExchangeWeak atomicExchange atomicLoad atomicMax
  atomicMin atomicOr atomicStore atomicSub bitcast bool countLeadingZeros f16 f32 firstTrailingBit i32
  mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 max min select u32 vec2 vec2u vec3
  vec3u vec4 vec4u workgroupBarrier workgroupUniformLoad`.split(/\s+/),
);

/** The first name that the author declares over one of WGSL's: the generated part would mean it, too. */
function hiddenName(source: AuthoredModule) {
  for (const [name, position] of declaredNames(authorPart(source))) {
    if (!WGSL_NAMES.has(name)) continue;
    return { position, reason: takenReason(name, "a name of WGSL that the generated part uses") };
  }
  return undefined;
}

/** The first name that the author declares and the generated part, too; compilers show the latter. */
function collisionOf(source: AuthoredModule) {
  const { code, authorLineCount } = source;
  const generated = declaredNames(code.split("\n").slice(authorLineCount).join("\n"));
  for (const [name, position] of declaredNames(authorPart(source))) {
    if (!generated.has(name)) continue;
    return { position, reason: takenReason(name, "a name of the generated part") };
  }
  return undefined;
}

/** The first variable of the author at a binding that another has; compilers do not say where it is. */
function boundTwice(source: AuthoredModule) {
  const text = authorPart(source);
  const taken = new Set<string>();
  const tokens = tokensOf(text);
  for (const { name, attributes } of declarationsOf(tokens).variables) {
    const [group, binding] = ["group", "binding"].map((wanted) => {
      const args = attributes.find(({ name }) => name === wanted)?.args;
      return args && tokens.slice(args.start, args.end).map(({ text }) => text).join("");
    });
    if (group === undefined || binding === undefined) continue;
    const place = `@group(${group}) @binding(${binding})`;
    if (taken.has(place)) {
      const reason = `${place} is another variable's, too: give ${name.text} a binding of its own`;
      return { position: positionAt(text, name.index), reason };
    }
    taken.add(place);
  }
  return undefined;
}

function takenReason(name: string, what: string): string {
  return `it declares ${name}, ${what}: give it another name, as my_${name}`;
}

function authorPart({ code, authorLineCount }: AuthoredModule): string {
  return code.split("\n").slice(0, authorLineCount).join("\n");
}

const DECLARATION = /\b(?:fn|struct|alias|const|override|var(?:\s*<[^>]*>)?)\s+(\w+)/g;

/** The names that a text declares outside of functions, with their places. */
function declaredNames(text: string): Map<string, TextPosition> {
  let code = codeOf(text);
  for (let before = ""; before !== code;) {
    before = code;
    code = code.replaceAll(/\{[^{}]*\}/g, (block) => block.replaceAll(/[^\n]/g, " "));
  }
  return new Map(
    [...code.matchAll(DECLARATION)].map(({ 0: all, 1: name, index }) => [
      name!,
      positionAt(code, index + all.length - name!.length),
    ]),
  );
}
