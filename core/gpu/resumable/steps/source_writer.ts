import type { TextPosition } from "../../syntax/text_position.ts";

interface Segment {
  readonly line: number;
  readonly column: number;
  readonly index: number;
}

/** Writes generated text, and keeps in mind which character of the author's each part is of. */
export class SourceWriter {
  readonly #parts: string[] = [];
  readonly #segments: Segment[] = [];
  #line = 1;
  #column = 1;

  /** @param index where in the author's text this comes from, if it does */
  write(text: string, index?: number): this {
    if (index !== undefined) {
      this.#segments.push({ line: this.#line, column: this.#column, index });
    }
    this.#parts.push(text);
    const lines = text.split("\n");
    this.#line += lines.length - 1;
    this.#column = lines.at(-1)!.length + (lines.length > 1 ? 1 : this.#column);
    return this;
  }

  /** What was written. */
  get text(): string {
    return this.#parts.join("");
  }

  /** Where in the author's text a place of the written one comes from; nowhere behind its end. */
  authorIndex({ line, column }: TextPosition): number | undefined {
    if (line > this.#line || (line === this.#line && column >= this.#column)) return undefined;
    const isBefore = (one: Segment) =>
      one.line < line || (one.line === line && one.column <= column);
    return this.#segments.findLast(isBefore)?.index;
  }
}
