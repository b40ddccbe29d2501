import { Lines, type Position } from "./lines.ts";
import type { Node } from "./syntax.ts";

/** Text; a node, printed with what changes in it; or `as` a node itself, of which only parts change. */
export type Piece = string | Node | { readonly as: Node };
/** What a node becomes; `undefined` where it is printed as it is, part by part. */
export type Rewrite = (node: Node) => readonly Piece[] | undefined;

/**
 * Prints a text, and what passes make of it. What nobody changes is copied with its blanks and comments; so
 * lines stay, and of each printed character it is known where it comes from.
 */
export class Printer {
  readonly #source: string;
  readonly #rewrite: Rewrite;
  /** What is inserted before characters, and not printed yet. */
  readonly #inserted: Map<number, string>;
  /** The characters of `#inserted`, in order. */
  readonly #places: readonly number[];
  #text = "";
  /** Where pieces begin in the printed text and in the source. `isMade`: all of it comes from there. */
  readonly #segments: { readonly at: number; readonly start: number; readonly isMade: boolean }[] =
    [];

  /** @param inserted texts before characters, each printed where its character is first copied */
  constructor(
    source: string,
    rewrite: Rewrite = () => undefined,
    inserted: ReadonlyMap<number, string> = new Map(),
  ) {
    this.#source = source;
    this.#rewrite = rewrite;
    this.#inserted = new Map(inserted);
    this.#places = [...inserted.keys()].sort((one, other) => one - other);
  }

  /** What was printed so far. */
  get text(): string {
    return this.#text;
  }

  /** Prints generated text. What is wrong in it is told at `start`, if that is given. */
  write(text: string, start?: number): this {
    if (start !== undefined) this.#segments.push({ at: this.#text.length, start, isMade: true });
    this.#text += text;
    return this;
  }

  /** Prints pieces one after the other. */
  print(...pieces: readonly Piece[]): this {
    for (const piece of pieces) {
      if (typeof piece === "string") this.#text += piece;
      else if ("as" in piece) this.#parts(piece.as);
      else this.#node(piece);
    }
    return this;
  }

  /** Prints a whole text, whose declarations these are. */
  module(globals: readonly Node[]): this {
    this.#parts({ start: 0, end: this.#source.length, parts: globals });
    this.#insert(this.#source.length);
    return this;
  }

  /** Where a printed position comes from; `undefined` where there is only generated text before it. */
  origin(position: Position): number | undefined {
    const at = new Lines(this.#text).indexAt(position);
    const found = this.#segments.findLast((segment) => segment.at <= at);
    return found && (found.isMade ? found.start : found.start + at - found.at);
  }

  #node(node: Node): void {
    this.#insert(node.start);
    const made = this.#rewrite(node);
    if (made) this.write("", node.start).print(...made);
    else this.#parts(node);
  }

  #parts({ start, end, parts }: Pick<Node, "start" | "end" | "parts">): void {
    let at = start;
    for (const part of parts) {
      this.#copy(at, part.start);
      this.#node(part);
      at = part.end;
    }
    this.#copy(at, end);
  }

  #copy(start: number, end: number): void {
    let from = start;
    if (this.#inserted.size > 0) {
      for (const at of this.#places) {
        if (at < start || at >= end || !this.#inserted.has(at)) continue;
        this.#exact(from, at);
        this.#insert(at);
        from = at;
      }
    }
    this.#exact(from, end);
  }

  #exact(start: number, end: number): void {
    if (end <= start) return;
    this.#segments.push({ at: this.#text.length, start, isMade: false });
    this.#text += this.#source.slice(start, end);
  }

  #insert(at: number): void {
    const text = this.#inserted.get(at);
    if (text === undefined) return;
    this.#inserted.delete(at);
    this.write(text, at);
  }
}

/** Blanks of the same lines and columns as a part of a text. */
export function blank(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return source.slice(start, end).replaceAll(/[^\n]/g, " ");
}
