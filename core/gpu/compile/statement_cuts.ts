import { declarationsOf, type FunctionDeclaration } from "../syntax/declarations.ts";
import { type Token, type TokenRange, tokensOf } from "../syntax/tokens.ts";

/** A statement, the head of one with a block, or a brace; or the end of a function. */
export interface CutPart extends TokenRange {
  readonly kind: "statement" | "end";
  readonly of: FunctionDeclaration;
}

/**
 * A module of which statements can be left out, from the last one on, so that what is left is as right
 * as before: a compiler can tell which statement is the first wrong one.
 */
export class StatementCuts {
  readonly tokens: readonly Token[];
  readonly declarations;
  /** Of all functions, in the order of the text. */
  readonly parts: readonly CutPart[];
  readonly #source: string;

  /** Reads a text, which may be wrong. */
  constructor(source: string) {
    this.#source = source;
    this.tokens = tokensOf(source);
    this.declarations = declarationsOf(this.tokens);
    this.parts = this.declarations.functions.flatMap((one) => partsOf(this.tokens, one));
  }

  /** The text with so many parts. A function without its end gives back a zero. */
  first(count: number): string {
    const { functions } = this.declarations;
    const kept = this.parts.slice(0, count);
    const texts: string[] = [];
    let done = 0;
    for (const one of functions) {
      const parts = kept.filter(({ of }) => of === one);
      const { body, result } = one;
      if (parts.at(-1)?.kind === "end" || body.end >= this.tokens.length) continue;
      const end = this.#endOf((parts.at(-1)?.end ?? body.start) - 1);
      const type = this.#source.slice(
        this.tokens[result.start]?.index,
        this.#endOf(result.end - 1),
      );
      const zero = result.end > result.start ? ` return ${type}();` : "";
      texts.push(this.#source.slice(done, end), this.#closing(parts), zero);
      done = this.tokens[body.end]!.index;
    }
    return [...texts, this.#source.slice(done)].join("");
  }

  /** The character behind a token. */
  #endOf(token: number): number {
    const { index, text } = this.tokens[token] ?? { index: 0, text: "" };
    return index + text.length;
  }

  /** What closes the blocks that are open; a `switch` has to have a default. */
  #closing(parts: readonly CutPart[]): string {
    const open: string[] = [];
    for (const { start, end } of parts) {
      const texts = this.tokens.slice(start, end).map(({ text }) => text);
      if (texts.includes("default")) open[open.length - 1] = "}";
      if (texts.at(-1) === "{") open.push(texts.includes("switch") ? " default: {} }" : "}");
      if (texts.at(-1) === "}") open.pop();
    }
    return open.toReversed().join("");
  }
}

function partsOf(tokens: readonly Token[], of: FunctionDeclaration): CutPart[] {
  const { start: first, end: last } = of.body;
  const parts: CutPart[] = [];
  let [start, depth] = [first, 0];
  for (let at = first; at < last; at++) {
    const { text, kind } = tokens[at]!;
    if (kind !== "mark") continue;
    if (text === "(" || text === "[") depth++;
    if (text === ")" || text === "]") depth--;
    if (depth > 0 || !/^[;{}]$/.test(text)) continue;
    parts.push({ kind: "statement", of, start, end: at + 1 });
    start = at + 1;
  }
  return last > 0 ? [...parts, { kind: "end", of, start: last, end: last + 1 }] : parts;
}
