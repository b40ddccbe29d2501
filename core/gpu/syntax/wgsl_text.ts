import { type Declarations, declarationsOf } from "./declarations.ts";
import { LINE_BREAK, type Token, type TokenRange, tokensOf } from "./tokens.ts";
import type { Scope } from "./value_type.ts";

/** A position in a text. */
export interface TextPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** Replaces some characters of a text, or inserts before one; without line breaks. */
export interface TextEdit {
  readonly index: number;
  /** The end of the replaced characters; `index` for an insertion. */
  readonly end: number;
  readonly text: string;
}

/**
 * A text in WGSL, read once: its tokens, declarations and lines.
 */
export class WgslText implements Scope {
  /**
   * The text as written, except that all lines end with a line feed, as compilers count them, and that
   * there is no byte order mark. Strings are unchanged.
   */
  readonly source: string;
  readonly tokens: readonly Token[];
  /** What is declared outside of functions. */
  readonly declarations: Declarations;
  /** The option that it was passed as, for error messages. */
  readonly option: string | undefined;
  #lineStarts: readonly number[] | undefined;
  #called: ReadonlySet<string> | undefined;

  /** Reads a text, without rejecting anything. */
  constructor(written: string, option?: string) {
    this.option = option;
    if (typeof written !== "string") {
      throw new TypeError(
        `Cannot read ${
          option ?? "a shader"
        } as it must be a text of WGSL: current value is ${written}`,
      );
    }
    const text = written.replace(/^\ufeff/, "");
    const tokens = tokensOf(text);
    this.source = OTHER_BREAKS.test(text) ? withPlainLines(text, tokens) : text;
    this.tokens = this.source === text ? tokens : tokensOf(this.source);
    this.declarations = declarationsOf(this.tokens);
  }

  /** The names that are called, or declared as functions. */
  get called(): ReadonlySet<string> {
    return this.#called ??= new Set(
      this.tokens.filter(({ kind }, at) => kind === "name" && this.tokens[at + 1]?.text === "(")
        .map(({ text }) => text),
    );
  }

  /** The characters at which lines begin. */
  get #starts(): readonly number[] {
    return this.#lineStarts ??= [
      0,
      ...[...this.source.matchAll(/\n/g)].map(({ index }) => index + 1),
    ];
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  positionAt(index: number): TextPosition {
    const starts = this.#starts;
    let [line, end] = [1, starts.length];
    while (line < end) {
      const middle = (line + end) >> 1;
      if (starts[middle]! <= index) line = middle + 1;
      else end = middle;
    }
    return { line, column: index - starts[line - 1]! + 1 };
  }

  /** The character at a line and column; `-1` if there is no such line. */
  indexAt({ line, column }: TextPosition): number {
    const start = this.#starts[line - 1];
    return start === undefined ? -1 : start + column - 1;
  }

  /** The text of a line, counted from 1; empty if there is no such line. */
  lineOf(line: number): string {
    const start = this.#starts[line - 1];
    const end = this.#starts[line];
    return start === undefined ? "" : this.source.slice(start, end && end - 1);
  }

  /** The text of some tokens. */
  textOf({ start, end }: TokenRange): string {
    const last = this.tokens[end - 1];
    return end > start
      ? this.source.slice(this.tokens[start]!.index, last!.index + last!.text.length)
      : "";
  }

  /** Applies edits that do not overlap. Only columns after an edit move. */
  edited(edits: readonly TextEdit[]): string {
    let [edited, done] = ["", 0];
    for (const { index, end, text } of edits.toSorted((a, b) => a.index - b.index)) {
      edited += this.source.slice(done, index) + text;
      done = end;
    }
    return edited + this.source.slice(done);
  }

  /** Maps a position in the edited text back to this one; an insertion maps to the character after it. */
  originalPosition(edits: readonly TextEdit[], { line, column }: TextPosition): TextPosition {
    let index = this.indexAt({ line, column });
    if (index < 0) return { line, column };
    for (const edit of edits.toSorted((a, b) => a.index - b.index)) {
      if (edit.index > index) break;
      if (this.positionAt(edit.index).line !== line) continue;
      index = Math.max(
        Math.min(index, edit.end),
        index - edit.text.length + edit.end - edit.index,
      );
    }
    return { line, column: index - this.indexAt({ line, column: 1 }) + 1 };
  }
}

/** Creates an edit that inserts a text before a character. */
export function insertion(index: number, text: string): TextEdit {
  return { index, end: index, text };
}

/** Line breaks other than a line feed. */
const OTHER_BREAKS = /[\v\f\r\u0085\u2028\u2029]/;

function withPlainLines(text: string, tokens: readonly Token[]): string {
  const strings = tokens.filter(({ kind }) => kind === "string");
  let [source, done] = ["", 0];
  for (const { text: literal, index } of strings) {
    source += text.slice(done, index).replaceAll(LINE_BREAK, "\n") + literal;
    done = index + literal.length;
  }
  return source + text.slice(done).replaceAll(LINE_BREAK, "\n");
}
