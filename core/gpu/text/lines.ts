/** A position in a text, as compilers count them. */
export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** What is wrong in a text, and at which of its characters. */
export class TextFault extends Error {
  readonly start: number;

  constructor(start: number, reason: string) {
    super(reason);
    this.start = start;
  }
}

/** What no compiler may see, as it would end the process. */
export class HarmfulFault extends TextFault {}

/** Rejects a text at the name of a declaration, or at the start of another node. */
export function refuse(
  at: { readonly start: number; readonly nameStart?: number },
  reason: string,
): never {
  throw new TextFault(at.nameStart ?? at.start, reason);
}

/** A text whose lines are counted. */
export class Lines {
  readonly source: string;
  #lineStarts: readonly number[] | undefined;

  constructor(source: string) {
    this.source = source;
  }

  get #starts(): readonly number[] {
    return this.#lineStarts ??= [
      0,
      ...[...this.source.matchAll(/\n/g)].map(({ index }) => index + 1),
    ];
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  positionAt(index: number): Position {
    const starts = this.#starts;
    let [line, end] = [1, starts.length];
    while (line < end) {
      const middle = (line + end) >> 1;
      if (starts[middle]! <= index) line = middle + 1;
      else end = middle;
    }
    return { line, column: index - starts[line - 1]! + 1 };
  }

  /** The character at a position, and the end of the text behind its last line. */
  indexAt({ line, column }: Position): number {
    const start = this.#starts[line - 1];
    return start === undefined
      ? this.source.length
      : Math.min(start + column - 1, this.source.length);
  }

  /** The text of a line; empty if there is no such line. */
  lineOf(line: number): string {
    const [start, end] = [this.#starts[line - 1], this.#starts[line]];
    return start === undefined ? "" : this.source.slice(start, end && end - 1);
  }

  textOf({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.source.slice(start, end);
  }
}
