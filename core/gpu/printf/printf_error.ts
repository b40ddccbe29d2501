import { lineOf, positionAt, type TextPosition } from "../syntax/text_position.ts";

/** A `printf` of a shader that cannot be; the message shows the line, and says the way out. */
export class PrintfError extends Error implements TextPosition {
  /** For what catches errors of several kinds. */
  override readonly name = "PrintfError";
  /** Of the author's text, from 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;

  /** Made where a shader is rewritten or compiled. */
  constructor(reason: string, source: string, { line, column }: TextPosition) {
    const shown = lineOf(source, line);
    super(`Cannot print as line ${line}, column ${column} is wrong: ${reason}\n${line} | ${shown}`);
    this.line = line;
    this.column = column;
  }
}

/** Throws a {@linkcode PrintfError} at a character of a text. */
export function refuseAt(source: string, index: number, reason: string): never {
  throw new PrintfError(reason, source, positionAt(source, index));
}
