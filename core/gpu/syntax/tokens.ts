/** A token of a WGSL text; comments and blanks are left out. */
export interface Token {
  /**
   * `name` is an identifier or a keyword, `template` the `<` or `>` of a template list, `mark` any
   * other sign. WGSL has no strings: a `string` is an extension, with its quotes.
   */
  kind: "name" | "number" | "string" | "mark" | "template";
  readonly text: string;
  /** Its start in the text, in UTF-16 units. */
  readonly index: number;
}

/** Ends a line of WGSL, and with it a comment. */
export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

const BLANKS = /[\t\n\v\f\r \u0085\u200e\u200f\u2028\u2029]+|\/\/[^\n\v\f\r\u0085\u2028\u2029]*/y;
/** The kinds of tokens, in the order of the groups of `WORD`. */
const KINDS = ["name", "number", "string", "mark"] as const;
const WORD = new RegExp(
  [
    /([_\p{XID_Start}]\p{XID_Continue}*)/u,
    /(0[xX](?:[\da-fA-F]*\.[\da-fA-F]+|[\da-fA-F]+\.?)(?:[pP][+-]?\d+)?[iufh]?|(?:\d*\.\d+|\d+\.?)(?:[eE][+-]?\d+)?[iufh]?)/u,
    // An unclosed string ends with its line, but not at the line breaks that JSON allows in strings.
    /("(?:[^"\\\n\v\f\r]|\\[^\n\v\f\r])*"?)/u,
    // An unclosed comment continues to the end of the text. A `>` is a token of its own, since two of
    // them may end two template lists.
    /(\/\*[^]*|->|<<=?|<=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[^])/u,
  ].map(({ source }) => source).join("|"),
  "uy",
);

/**
 * Splits a WGSL text into tokens. Anything else becomes marks, which the compiler rejects.
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
  WORD.lastIndex = index;
  const found = WORD.exec(source)!;
  const group = KINDS.findIndex((_, at) => found[at + 1] !== undefined);
  return { kind: KINDS[group]!, text: found[0], index };
}

function skipBlanks(source: string, start: number): number {
  for (let index = start;;) {
    // Nearly all tokens are adjacent or a space apart, and many lines begin with spaces.
    while (source.charCodeAt(index) === SPACE) index++;
    if (!mayBeBlank(source.charCodeAt(index))) return index;
    BLANKS.lastIndex = index;
    const end = BLANKS.test(source) ? BLANKS.lastIndex : endOfBlock(source, index);
    if (end === undefined) return index;
    index = end;
  }
}

const SPACE = 0x20;
const SLASH = 0x2f;

/** Blanks are below a space or above ASCII, and comments begin with a slash. */
function mayBeBlank(code: number): boolean {
  return code < SPACE || code === SLASH || code > 0x7e;
}

/** Finds the end of the block comment at `start`, if there is one; comments may be nested. */
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

/** A `<` after a name that may open a template list, and the number of brackets open there. */
interface Candidate {
  readonly token: Token;
  readonly depth: number;
}

/**
 * Gives the `<` and `>` of template lists, as in `vec2<f32>`, the kind `template`; others compare or
 * shift. This follows "Template lists" of the WGSL specification.
 */
function markTemplateLists(tokens: readonly Token[]): void {
  const pending: Candidate[] = [];
  let depth = 0;
  const dropFrom = (from: number) => {
    while ((pending.at(-1)?.depth ?? -1) >= from) pending.pop();
  };
  tokens.forEach((token, at) => {
    // No template list holds one: assert(a < b, "text", c > d) compares.
    if (token.kind === "string") dropFrom(depth);
    if (token.kind !== "mark") return;
    switch (token.text) {
      case "<":
        if (tokens[at - 1]?.kind === "name") pending.push({ token, depth });
        return;
      case ">":
        if (pending.at(-1)?.depth !== depth) return;
        pending.pop()!.token.kind = "template";
        token.kind = "template";
        return;
      case "(":
      case "[":
        depth += 1;
        return;
      case ")":
      case "]":
        dropFrom(depth);
        depth = Math.max(0, depth - 1);
        return;
      case ";":
      case "{":
      case ":":
      case "=":
        depth = 0;
        pending.length = 0;
        return;
      case "&&":
      case "||":
        dropFrom(depth);
    }
  });
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const OPENING = new Set(Object.values(CLOSING));

function depthChange({ kind, text }: Token): number {
  if (kind === "template") return text === "<" ? 1 : -1;
  if (kind !== "mark") return 0;
  return text in CLOSING ? 1 : OPENING.has(text) ? -1 : 0;
}

/** Finds the token that closes the bracket at `open`, or the number of tokens if there is none. */
export function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    depth += depthChange(tokens[at]!);
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** A range of tokens, whose end is exclusive. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

/** Splits a list at its commas, except nested ones; an empty last part is left out. */
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

/** The text of some tokens with normalized blanks: `N * 2`. */
export function plainText(tokens: readonly Token[], { start, end }: TokenRange): string {
  return tokens.slice(start, end).map(({ text, index }, at) => {
    const next = tokens[start + at + 1];
    // Signs of one operator stay adjacent.
    const isJoined = text === ">" && /^[>=]/.test(next?.text ?? "") && next!.index === index + 1;
    return isJoined ? text : `${text} `;
  }).join("").trimEnd();
}

/** The value of a string; `undefined` unless it is written as in JSON. */
export function stringOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

/** Extends a prefix until no name of a text begins with it. */
export function freePrefix(tokens: readonly Token[], wanted: string): string {
  let prefix = wanted;
  while (tokens.some(({ text }) => text.startsWith(prefix))) prefix += "x_";
  return prefix;
}

/** Appends a number to a name if it is taken, and marks the result as taken. */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}

/** Rejects a text at a character. */
export type Refuse = (index: number, reason: string) => never;

const NOTHING: Token = { kind: "mark", text: "", index: 0 };

export class TokenReader {
  /** The next token. */
  at: number;
  readonly tokens: readonly Token[];
  readonly #refuse: Refuse;

  /** @param refuse called at the character where something else was expected */
  constructor(tokens: readonly Token[], start: number, refuse: Refuse) {
    this.tokens = tokens;
    this.at = start;
    this.#refuse = refuse;
  }

  /** The next token, or an empty one at the end. */
  get next(): Token {
    return this.tokens[this.at] ?? NOTHING;
  }

  get text(): string {
    return this.next.text;
  }

  /** Reads the next token if it has this text; returns whether it has. */
  take(text: string): boolean {
    if (this.text !== text || this.next.kind === "string") return false;
    this.at++;
    return true;
  }

  /** Reads a token that must have this text. */
  expect(text: string): void {
    if (!this.take(text)) this.refuse(`${text} is expected and not ${this.text || "the end"}`);
  }

  /** Reads a name and returns its token index. */
  expectName(): number {
    if (this.next.kind !== "name") this.refuse(`a name is expected and not ${this.text}`);
    return this.at++;
  }

  /** Rejects the text at the next token. */
  refuse(reason: string): never {
    return this.#refuse((this.tokens[this.at] ?? this.tokens.at(-1) ?? NOTHING).index, reason);
  }
}

/** The strings that are no arguments of calls by some names, each with the name whose argument it is, if any. */
export function stringsBeside(
  tokens: readonly Token[],
  names: ReadonlySet<string>,
): { readonly token: Token; readonly owner: string }[] {
  const owners: string[] = [];
  return tokens.flatMap((token, at) => {
    const { kind, text } = token;
    const owner = owners.at(-1) ?? "";
    if (kind === "string") return names.has(owner) ? [] : [{ token, owner }];
    if (kind !== "mark") return [];
    if (text in CLOSING) owners.push(text === "(" ? tokens[at - 1]?.text ?? "" : "");
    else if (OPENING.has(text)) owners.pop();
    return [];
  });
}
