import { markTemplateLists } from "./template_lists.ts";

/** One word of a WGSL text; comments and blanks are none. */
export interface Token {
  /**
   * `name` is an identifier or a keyword, `template` the `<` or `>` of a template list, `mark` any
   * other sign. WGSL has no strings: a `string` is what other tools add to it, with its quotes.
   */
  kind: "name" | "number" | "string" | "mark" | "template";
  readonly text: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly index: number;
}

const BLANKS = /[\t\n\v\f\r \u0085\u200e\u200f\u2028\u2029]+|\/\/[^\n\v\f\r\u0085\u2028\u2029]*/y;
const PATTERNS = [
  ["name", /[_\p{XID_Start}]\p{XID_Continue}*/uy],
  [
    "number",
    /0[xX](?:[\da-fA-F]*\.[\da-fA-F]+|[\da-fA-F]+\.?)(?:[pP][+-]?\d+)?[iufh]?|(?:\d*\.\d+|\d+\.?)(?:[eE][+-]?\d+)?[iufh]?/y,
  ],
  // A string that is not closed ends with its line.
  ["string", /"(?:[^"\\\n\r]|\\.)*"?/y],
  // A comment that is closed is no token; one that is not goes on to the end.
  ["mark", /\/\*[^]*/y],
  // A `>` stands alone, since two of them may end two template lists.
  ["mark", /->|<<=?|<=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[^]/uy],
] as const;

/**
 * The words of a WGSL text, in their order. Nothing is refused: what is no WGSL becomes marks, and
 * the compiler says so.
 *
 * @example
 * ```ts
 * import { tokensOf } from "./tokens.ts";
 * const tokens = tokensOf("let a = vec2<f32>(1.5f); // b");
 * const texts = tokens.map(({ text }) => text).join(" ");
 * if (texts !== "let a = vec2 < f32 > ( 1.5f ) ;") throw new Error(texts);
 * ```
 */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let index = skipBlanks(source, 0); index < source.length;) {
    const token = tokenAt(source, index);
    tokens.push(token);
    index = skipBlanks(source, index + token.text.length);
  }
  markTemplateLists(tokens);
  return tokens;
}

function tokenAt(source: string, index: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = index;
    const text = pattern.exec(source)?.[0];
    if (text) return { kind, text, index };
  }
  return { kind: "mark", text: source[index]!, index };
}

function skipBlanks(source: string, start: number): number {
  for (let index = start;;) {
    BLANKS.lastIndex = index;
    const end = BLANKS.test(source) ? BLANKS.lastIndex : endOfBlock(source, index);
    if (end === undefined) return index;
    index = end;
  }
}

/** Where the block comment at `start` ends, if one is there and does: it may contain others. */
function endOfBlock(source: string, start: number): number | undefined {
  if (!source.startsWith("/*", start)) return undefined;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(source); mark; mark = marks.exec(source)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const OPENING = new Set(Object.values(CLOSING));

function depthChange({ kind, text }: Token): number {
  if (kind === "template") return text === "<" ? 1 : -1;
  if (kind !== "mark") return 0;
  return text in CLOSING ? 1 : OPENING.has(text) ? -1 : 0;
}

/** Which token closes the bracket at `open`, or how many tokens there are when none does. */
export function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    depth += depthChange(tokens[at]!);
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** Some tokens: from the first one to before the last. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

/** The parts between the commas of a list, nested ones not counted; an empty last part is left out. */
export function listParts(tokens: readonly Token[], { start, end }: TokenRange): TokenRange[] {
  const parts: TokenRange[] = [];
  let [from, depth] = [start, 0];
  for (let at = start; at < end; at++) {
    depth += depthChange(tokens[at]!);
    if (depth > 0 || tokens[at]!.text !== ",") continue;
    parts.push({ start: from, end: at });
    from = at + 1;
  }
  return from < end ? [...parts, { start: from, end }] : parts;
}

/** A beginning of names that a text does not use: the wanted one, or one that begins with it. */
export function freePrefix(tokens: readonly Token[], wanted: string): string {
  let prefix = wanted;
  while (tokens.some(({ text }) => text.startsWith(prefix))) prefix += "x_";
  return prefix;
}

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
