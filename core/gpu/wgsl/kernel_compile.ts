import { positionAt, type TextPosition } from "../syntax/text_position.ts";
import { codeOf } from "./author_text.ts";

/** A module whose first lines are what its author wrote; the others are generated. */
export interface AuthoredModule {
  readonly code: string;
  readonly authorLineCount: number;
  /** Where in the author's text a place of the generated lines comes from; nowhere when absent. */
  readonly authorPosition?: (position: TextPosition) => TextPosition | undefined;
}

/** The author's text does not compile; the message shows the line. */
export class KernelCompileError extends Error {
  /** For what catches errors of several kinds. */
  override readonly name = "KernelCompileError";
  /** From 1; 0 when the error is not in the author's text. */
  readonly line: number;
  /** From 1, in UTF-16 units; 0 when the error is not in the author's text. */
  readonly column: number;

  /** Made when a text was compiled. */
  constructor(message: string, { line, column }: TextPosition) {
    super(message);
    this.line = line;
    this.column = column;
  }

  /** The error of a place in the author's text. */
  static at(text: string, position: TextPosition, reason: string): KernelCompileError {
    const { line, column } = position;
    const shown = text.split("\n")[line - 1] ?? "";
    return new KernelCompileError(
      `Cannot compile the kernel as line ${line}, column ${column} is wrong: ${reason}\n${line} | ${shown}`,
      position,
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
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: source.code, label: "kernel" });
  const scopeError = await device.popErrorScope();
  const { messages } = await module.getCompilationInfo();
  const message = messages.find(({ type }) => type === "error");
  if (!message && !scopeError) return module;
  const reason = message?.message ?? scopeError!.message;
  const position = drawnPosition(reason) ??
    { line: message?.lineNum ?? 0, column: message?.linePos ?? 0 };
  throw compileError(text, source, { position, reason: reasonOf(reason) });
}

/**
 * Where the first mark `^` of a runtime's drawing stands, when the place that its message names is
 * the whole function; else `undefined`.
 */
export function drawnPosition(message: string): TextPosition | undefined {
  if (!/^\s*\d+ │ ╭ .*\bfn\b/mu.test(message)) return undefined;
  let position: { line: number; textColumn: number } | undefined;
  for (const drawn of message.split("\n")) {
    const [head, line] = /^\s*(\d+) │(?: [│╭])? /u.exec(drawn) ?? [];
    if (head !== undefined) position = { line: Number(line), textColumn: head.length };
    // The last line of something marked has its own mark at the edge.
    const mark = drawn.includes("╰") ? -1 : drawn.indexOf("^");
    if (position && head === undefined && mark >= position.textColumn) {
      return { line: position.line, column: mark - position.textColumn + 1 };
    }
  }
  return undefined;
}

/**
 * What a compiler says, on one line. A runtime's message has a drawing of the line around what is
 * wrong: kept are the first sentence and the words beside the marks.
 */
export function reasonOf(message: string): string {
  const lines = message.split("\n").map((line) => line.trim()).filter((line) => line);
  const said = (lines[0] ?? "").replace(/^Shader '.*?' parsing error: /, "");
  const marked = lines.filter((line) =>
    line.startsWith("=") || (line.includes("^") && !/[╰]|naga::/u.test(line))
  );
  const details = marked.map((line) => line.replace(/^[│|=^ ]+/, "")).filter((part) => part);
  // Of a function that is invalid as a whole, it is told why.
  const isWhole = /^Shader validation error: Function .* is invalid$/.test(said);
  return [...(isWhole && details.length > 0 ? [] : [said]), ...details].filter((part) => part)
    .join("; ");
}

function compileError(
  text: string,
  source: AuthoredModule,
  found: { readonly position: TextPosition; readonly reason: string },
): KernelCompileError {
  const { position, reason } = collisionOf(source) ?? found;
  const { line } = position;
  const isAuthors = line >= 1 && line <= source.authorLineCount;
  const authors = isAuthors ? position : source.authorPosition?.(position);
  if (authors) return KernelCompileError.at(text, authors, reason);
  return new KernelCompileError(
    `Cannot compile the kernel as what is generated around it does not fit: ${reason}`,
    { line: 0, column: 0 },
  );
}

/** The first name that the author declares and the generated part, too; compilers show the latter. */
function collisionOf({ code, authorLineCount }: AuthoredModule) {
  const lines = code.split("\n");
  const generated = declaredNames(lines.slice(authorLineCount).join("\n"));
  for (const [name, position] of declaredNames(lines.slice(0, authorLineCount).join("\n"))) {
    if (!generated.has(name)) continue;
    return { position, reason: `it declares ${name}, a name of the generated part` };
  }
  return undefined;
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
