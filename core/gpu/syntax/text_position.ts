/** Where something stands in a text. */
export interface TextPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** What ends a line of WGSL, and with it a comment. */
export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Line and column of a character of a text. */
export function positionAt(source: string, index: number): TextPosition {
  const lines = source.slice(0, index).split(LINE_BREAK);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** Which character stands at a line and column; `-1` where there is no such line. */
export function indexAt(source: string, { line, column }: TextPosition): number {
  if (line < 1) return -1;
  let start = 0;
  for (const { index, 0: { length } } of source.matchAll(LINE_BREAK)) {
    if (line === 1) break;
    start = index + length;
    line--;
  }
  return line === 1 ? start + column - 1 : -1;
}

/** The text of a line, from 1; empty where there is none. */
export function lineOf(source: string, line: number): string {
  return source.split(LINE_BREAK)[line - 1] ?? "";
}
