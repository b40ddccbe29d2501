import type { TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import type { Token } from "../syntax/tokens.ts";

/** An invalid `printf` in a shader. The message shows the line and says how to fix it. */
export class PrintfError extends Error implements TextPosition {
  /** The name of the class. */
  override readonly name = "PrintfError";
  /** The line in the author's text, from 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The place in UTF-16 units from the beginning of the text. */
  readonly offset: number;
  /** What is wrong, without the place. */
  readonly reason: string;

  /** @internal Made where a shader is rewritten or compiled. */
  constructor(
    reason: string,
    text: { lineOf(line: number): string; indexAt(position: TextPosition): number },
    { line, column }: TextPosition,
  ) {
    const shown = text.lineOf(line);
    super(`Cannot print as line ${line}, column ${column} is wrong: ${reason}\n${line} | ${shown}`);
    this.line = line;
    this.column = column;
    this.offset = text.indexAt({ line, column });
    this.reason = reason;
  }
}

/** Throws a {@linkcode PrintfError} at a token of a text. */
export function refuseAt(text: WgslText, { index }: Token, reason: string): never {
  throw new PrintfError(reason, text, text.positionAt(index));
}
