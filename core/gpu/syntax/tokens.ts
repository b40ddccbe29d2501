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

const BLANKS = /\s+|\/\/[^\n\v\f\r\u0085\u2028\u2029]*/y;
const PATTERNS = [
  ["name", /[_\p{XID_Start}]\p{XID_Continue}*/uy],
  [
    "number",
    /0[xX](?:[\da-fA-F]*\.[\da-fA-F]+|[\da-fA-F]+\.?)(?:[pP][+-]?\d+)?[iufh]?|(?:\d*\.\d+|\d+\.?)(?:[eE][+-]?\d+)?[iufh]?/y,
  ],
  // A string that is not closed ends with its line.
  ["string", /"(?:[^"\\\n\r]|\\.)*"?/y],
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
    if (BLANKS.test(source)) index = BLANKS.lastIndex;
    else if (source.startsWith("/*", index)) index = endOfBlock(source, index);
    else return index;
  }
}

/** Block comments of WGSL may contain others. */
function endOfBlock(source: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(source); mark; mark = marks.exec(source)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return source.length;
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
