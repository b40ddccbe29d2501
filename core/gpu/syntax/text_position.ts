/** Where something stands in the author's text; both count from 1, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Line and column of a character of a text. */
export function positionAt(source: string, index: number): TextPosition {
  const before = source.slice(0, index);
  return { line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
}
