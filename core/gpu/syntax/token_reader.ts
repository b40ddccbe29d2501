import type { Token } from "./tokens.ts";

/** What becomes of a text that is no WGSL, or none that is taken: never returns. */
export type Refuse = (index: number, reason: string) => never;

const NOTHING: Token = { kind: "mark", text: "", index: 0 };

/** Reads tokens one after the other. */
export class TokenReader {
  /** The next token. */
  at: number;
  readonly tokens: readonly Token[];
  readonly #refuse: Refuse;

  /** @param refuse told of where in the text something else was expected */
  constructor(tokens: readonly Token[], start: number, refuse: Refuse) {
    this.tokens = tokens;
    this.at = start;
    this.#refuse = refuse;
  }

  /** The next token, or one without text behind the last. */
  get next(): Token {
    return this.tokens[this.at] ?? NOTHING;
  }

  /** The text of the next token. */
  get text(): string {
    return this.next.text;
  }

  /** Whether the next token has a text; then it is read. */
  take(text: string): boolean {
    if (this.text !== text || this.next.kind === "string") return false;
    this.at++;
    return true;
  }

  /** Reads a token that has to be there. */
  expect(text: string): void {
    if (!this.take(text)) this.refuse(`${text} is expected and not ${this.text || "the end"}`);
  }

  /** Reads a name, and says which token it is. */
  expectName(): number {
    if (this.next.kind !== "name") this.refuse(`a name is expected and not ${this.text}`);
    return this.at++;
  }

  /** Refuses the text at the next token. */
  refuse(reason: string): never {
    return this.#refuse((this.tokens[this.at] ?? this.tokens.at(-1) ?? NOTHING).index, reason);
  }
}
