import { codeOf } from "./author_text.ts";

/** A module whose first lines are what its author wrote; the others are generated. */
export interface AuthoredModule {
  readonly code: string;
  readonly authorLineCount: number;
}

/** The author's text does not compile; the message shows the line. */
export class KernelCompileError extends Error {
  /** For what catches errors of several kinds. */
  override readonly name = "KernelCompileError";
  /** From 1; 0 when the error is not in the author's text. */
  readonly line: number;

  /** Made when a text was compiled. */
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
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
  throw compileError(text, source, {
    line: message?.lineNum ?? 0,
    reason: reasonOf(message?.message ?? scopeError!.message),
  });
}

/**
 * What a compiler says, on one line. A runtime's message has a drawing of the line around what is
 * wrong: kept are the first sentence and the words beside the marks.
 */
export function reasonOf(message: string): string {
  const lines = message.split("\n").map((line) => line.trim()).filter((line) => line);
  const said = (lines[0] ?? "").replace(/^Shader '.*?' parsing error: /, "");
  const detail = lines.filter((line) => line.startsWith("=") || line.includes("^"));
  return [said, ...detail.map((line) => line.replace(/^[│|=^ ]+/, ""))].filter((part) => part).join(
    "; ",
  );
}

function compileError(
  text: string,
  source: AuthoredModule,
  found: { readonly line: number; readonly reason: string },
): KernelCompileError {
  const { line, reason } = collisionOf(source) ?? found;
  if (line < 1 || line > source.authorLineCount) {
    return new KernelCompileError(
      `Cannot compile the kernel as what is generated around it does not fit: ${reason}`,
      0,
    );
  }
  const shown = text.split("\n")[line - 1]!;
  return new KernelCompileError(
    `Cannot compile the kernel as line ${line} is wrong: ${reason}\n${line} | ${shown}`,
    line,
  );
}

/** The first name that the author declares and the generated part, too; compilers show the latter. */
function collisionOf({ code, authorLineCount }: AuthoredModule) {
  const lines = code.split("\n");
  const generated = declaredNames(lines.slice(authorLineCount).join("\n"));
  for (const [name, line] of declaredNames(lines.slice(0, authorLineCount).join("\n"))) {
    if (!generated.has(name)) continue;
    return { line, reason: `it declares ${name}, a name of the generated part` };
  }
  return undefined;
}

const DECLARATION = /\b(?:fn|struct|alias|const|override|var(?:\s*<[^>]*>)?)\s+(\w+)/g;

/** The names that a text declares outside of functions, with their lines. */
function declaredNames(text: string): Map<string, number> {
  let code = codeOf(text);
  for (let before = ""; before !== code;) {
    before = code;
    code = code.replaceAll(/\{[^{}]*\}/g, (block) => block.replaceAll(/[^\n]/g, " "));
  }
  const lineAt = (index: number) => code.slice(0, index).split("\n").length;
  return new Map(
    [...code.matchAll(DECLARATION)].map(({ 1: name, index }) => [name!, lineAt(index)]),
  );
}
