import { compileWgsl, type Fault } from "../compile/compile_wgsl.ts";
import { textProblem } from "../compile/text_problem.ts";
import { declarationsOf } from "../syntax/declarations.ts";
import { LINE_BREAK, lineOf, positionAt, type TextPosition } from "../syntax/text_position.ts";
import { tokensOf } from "../syntax/tokens.ts";
import { codeOf } from "./author_text.ts";

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
  throw compileError(text, source, collisionOf(source) ?? result);
}

/** @throws {KernelCompileError} at what no compiler may see: `textProblem` says what that is */
export function refuseProblem(text: string, option?: "server"): void {
  const tokens = tokensOf(text);
  const problem = textProblem({ tokens, declarations: declarationsOf(tokens) });
  if (!problem) return;
  const position = positionAt(text, problem.token.index);
  throw KernelCompileError.at(text, position, problem.reason, option);
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
