import { positionAt, type TextPosition } from "./text_position.ts";

/** Text that is put in front of a character of another text. */
export interface Insertion {
  readonly index: number;
  /** Without line ends, so that lines keep their numbers. */
  readonly text: string;
}

/** A text in place of another of the same length. */
export interface Replacement {
  readonly index: number;
  readonly text: string;
}

/** What is changed in a text; no two changes meet. */
export interface TextEdits {
  readonly insertions: readonly Insertion[];
  readonly replacements: readonly Replacement[];
}

/** The text with its changes. Lines stay, and columns but for those behind an insertion. */
export function editText(source: string, { insertions, replacements }: TextEdits): string {
  const changes = [
    ...insertions.map(({ index, text }) => ({ index, text, end: index })),
    ...replacements.map(({ index, text }) => ({ index, text, end: index + text.length })),
  ].sort((a, b) => a.index - b.index);
  const parts: string[] = [];
  let done = 0;
  for (const { index, text, end } of changes) {
    parts.push(source.slice(done, index), text);
    done = end;
  }
  return [...parts, source.slice(done)].join("");
}

/** Where something of the edited text stands in the text before; in an insertion, where that begins. */
export function originalPosition(
  source: string,
  insertions: readonly Insertion[],
  { line, column }: TextPosition,
): TextPosition {
  let original = column;
  const inLine = insertions.map(({ index, text }) => ({ text, ...positionAt(source, index) }))
    .filter((one) => one.line === line)
    .sort((a, b) => b.column - a.column);
  let shift = inLine.reduce((sum, { text }) => sum + text.length, 0);
  for (const one of inLine) {
    shift -= one.text.length;
    if (column < one.column + shift) continue;
    original = Math.max(one.column, column - shift - one.text.length);
    break;
  }
  return { line, column: original };
}
