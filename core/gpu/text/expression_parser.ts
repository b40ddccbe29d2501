import type { Token } from "./lexer.ts";
import { HarmfulFault, TextFault } from "./lines.ts";
import type { Attribute, Call, Expression, Name, Node, Span } from "./syntax.ts";

/** Binary operators, from the lowest precedence to the highest. */
const RANKS: ReadonlyMap<string, number> = new Map(
  ["||", "&&", "|", "^", "&", "== != < > <= >=", "<< >>", "+ -", "* / %"]
    .flatMap((list, rank) => list.split(" ").map((text) => [text, rank] as const)),
);
const PREFIXES = new Set(["-", "!", "~", "*", "&"]);
const END: Token = { kind: "mark", text: "", start: 0 };
/** Deno's runtime reads nested brackets by recursion: 3000 of them ended the process. */
const NESTING_MAX = 250;

/** Reads expressions, and is the ground on which statements and declarations are read. */
export class ExpressionParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  protected get next(): Token {
    return this.#tokens[this.#at] ?? END;
  }
  /** The next token's text; empty at the end, and for a string, which is no word of WGSL. */
  protected get text(): string {
    return this.next.kind === "string" ? "" : this.next.text;
  }
  protected get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }
  /** Where the next token starts. */
  protected get start(): number {
    return this.#tokens[this.#at]?.start ?? this.end;
  }
  /** Where the last token that was read ends. */
  protected get end(): number {
    const last = this.#tokens[this.#at - 1];
    return last ? last.start + last.text.length : 0;
  }

  /** The number of the next token. */
  protected get at(): number {
    return this.#at;
  }
  /** Reads again from a token on that no bracket is around. */
  protected goBack(at: number): void {
    this.#at = at;
    this.#depth = 0;
  }
  protected skip(count = 1): void {
    this.#at += count;
  }
  protected is(text: string): boolean {
    return this.text === text && !this.isAtEnd;
  }
  /** Whether the next tokens are these two. */
  protected arePair(first: string, second: string): boolean {
    return this.is(first) && this.#tokens[this.#at + 1]?.text === second;
  }
  protected take(text: string): boolean {
    const found = this.is(text);
    if (found) this.#at++;
    return found;
  }
  /** @param opened where the bracket is that the text closes */
  protected expect(text: string, opened?: number): void {
    if (this.take(text)) return;
    if (this.isAtEnd && opened !== undefined) {
      this.refuse(`this bracket is not closed: ${text} is missing`, opened);
    }
    this.refuse(`${text} is expected and not ${this.next.text || "the end"}`);
  }
  protected expectName(): Token {
    const token = this.next;
    if (token.kind !== "name") this.refuse(`a name is expected and not ${token.text || "the end"}`);
    this.#at++;
    return token;
  }
  protected refuse(reason: string, start = this.start): never {
    throw new TextFault(start, reason);
  }

  /** Reads what follows a bracket or prefix, which was read last. */
  protected nested<T>(read: () => T): T {
    if (++this.#depth > NESTING_MAX) {
      throw new HarmfulFault(
        this.#tokens[this.#at - 1]!.start,
        `more than ${NESTING_MAX} brackets are open here: keep inner values in variables`,
      );
    }
    const found = read();
    this.#depth--;
    return found;
  }

  /** The part of a node that ends with the last token; `parts` in the order of the text. */
  protected span(start: number, parts: readonly (Node | undefined)[]): Span {
    return { start, end: this.end, parts: parts.filter((part) => part !== undefined) };
  }

  /** Reads an expression whose operators bind at least as tightly as `rank`. */
  expression(rank = 0): Expression {
    const { start } = this;
    let left = this.#unary();
    for (;;) {
      const text = this.operator();
      const own = RANKS.get(text);
      if (own === undefined || own < rank) return left;
      this.skipOperator(text);
      const operands = [left, this.expression(own + 1)];
      left = { kind: "binary", ...this.span(start, operands), text, operands };
    }
  }

  /** The operator at the next token, as each `>` is a token of its own; empty if there is none. */
  protected operator(): string {
    const { kind, text, start } = this.next;
    if (kind !== "mark" || text !== ">") return kind === "mark" ? text : "";
    let whole = ">";
    for (const wanted of [">", "="]) {
      const token = this.#tokens[this.#at + whole.length];
      if (token?.text === wanted && token.start === start + whole.length) whole += wanted;
    }
    return whole;
  }
  protected skipOperator(operator: string): void {
    this.skip(operator.startsWith(">") ? operator.length : 1);
  }

  #unary(): Expression {
    const { kind, text } = this.next;
    const { start } = this;
    if (kind !== "mark" || !PREFIXES.has(text)) return this.#postfix();
    this.skip();
    const operands = this.nested(() => [this.#unary()]);
    return { kind: "unary", ...this.span(start, operands), text, operands };
  }

  #postfix(): Expression {
    const { start } = this;
    let base = this.#primary();
    for (;;) {
      if (this.take(".")) {
        const { text } = this.expectName();
        base = { kind: "member", ...this.span(start, [base]), text, operands: [base] };
      } else if (this.is("[")) {
        const open = this.start;
        this.skip();
        const operands = [base, this.nested(() => this.expression())];
        this.expect("]", open);
        base = { kind: "index", ...this.span(start, operands), text: "[]", operands };
      } else return base;
    }
  }

  #primary(): Expression {
    const { kind, text } = this.next;
    const { start } = this;
    if (this.take("(")) {
      const operands = [this.nested(() => this.expression())];
      this.expect(")", start);
      return { kind: "group", ...this.span(start, operands), text: "()", operands };
    }
    if (text === "true" || text === "false" || kind === "number" || kind === "string") {
      this.skip();
      return { kind: "literal", ...this.span(start, []), text, operands: [] };
    }
    if (kind !== "name") this.refuse(`a value is expected and not ${text || "the end"}`);
    const callee = this.name();
    return this.is("(") ? this.#call(callee) : callee;
  }

  #call(callee: Name): Call {
    const operands = this.#arguments();
    const parts = [callee, ...operands];
    return {
      kind: "call",
      ...this.span(callee.start, parts),
      text: callee.text,
      callee,
      operands,
    };
  }

  /** A name, with its template list: also a type. */
  protected name(): Name {
    const { text, start } = this.expectName();
    const args = this.opensList ? this.templateList() : [];
    return { kind: "name", ...this.span(start, args), text, args };
  }

  /** Attributes, if there are any. */
  protected attributes(): Attribute[] {
    const found: Attribute[] = [];
    while (this.is("@")) {
      const { start } = this;
      this.skip();
      const name = this.expectName().text;
      const args = this.is("(") ? this.#arguments() : [];
      found.push({ kind: "attribute", ...this.span(start, args), name, args });
    }
    return found;
  }

  protected get opensList(): boolean {
    return this.next.kind === "template" && this.next.text === "<";
  }
  get #closesList(): boolean {
    return this.next.kind === "template" && this.next.text === ">";
  }

  protected templateList(): Expression[] {
    this.skip();
    const list: Expression[] = [];
    this.nested(() => {
      while (!this.#closesList) {
        list.push(this.expression());
        if (!this.#closesList) this.expect(",");
      }
    });
    this.skip();
    return list;
  }

  #arguments(): Expression[] {
    const open = this.start;
    this.expect("(");
    const list: Expression[] = [];
    this.nested(() => {
      while (!this.take(")")) {
        if (this.isAtEnd) this.expect(")", open);
        list.push(this.expression());
        if (!this.is(")") && !this.take(",")) this.expect(")", this.isAtEnd ? open : undefined);
      }
    });
    return list;
  }
}
