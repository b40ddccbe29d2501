import { plainLines } from "../text/lexer.ts";
import { Lines, type Position, type TextFault } from "../text/lines.ts";

/** An invalid `printf` or `assert` in a shader. The message shows the line and says how to fix it. */
export class PrintfError extends Error implements Position {
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
    text: Pick<Lines, "lineOf" | "indexAt">,
    { line, column }: Position,
  ) {
    const shown = text.lineOf(line);
    super(`Cannot print as line ${line}, column ${column} is wrong: ${reason}\n${line} | ${shown}`);
    this.line = line;
    this.column = column;
    this.offset = text.indexAt({ line, column });
    this.reason = reason;
  }
}

/** A text as its author wrote it, whatever ends its lines. */
export class WrittenText {
  readonly #written: string;
  readonly #plain: Lines;

  constructor(written: string) {
    this.#written = written;
    this.#plain = new Lines(plainLines(written));
  }

  lineOf(line: number): string {
    return this.#plain.lineOf(line);
  }

  positionAt(index: number): Position {
    return this.#plain.positionAt(index);
  }

  /** The character at a position; passes count a mark at the beginning as nothing, and each break as one. */
  indexAt(position: Position): number {
    return this.writtenIndex(this.#plain.indexAt(position));
  }

  /** The character of what a pass calls `index`. */
  writtenIndex(index: number): number {
    const { source } = this.#plain;
    if (source === this.#written) return index;
    let at = Number(this.#written.startsWith("\ufeff"));
    for (let plain = 0; plain < index; plain++) {
      at += source[plain] === "\n" && this.#written.startsWith("\r\n", at) ? 2 : 1;
    }
    return at;
  }

  /** The error of what is wrong at a character. */
  errorOf({ start, message }: TextFault): PrintfError {
    return new PrintfError(message, this, this.positionAt(start));
  }
}
