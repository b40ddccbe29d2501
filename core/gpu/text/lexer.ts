/** A token of a WGSL text; comments and blanks are left out. */
export interface Token {
  /** `template` is the `<` or `>` of a template list. A `string` is an extension: WGSL has none. */
  kind: "name" | "number" | "string" | "mark" | "template";
  readonly text: string;
  /** Its start in the text, in UTF-16 units. */
  readonly start: number;
}

/** Ends a line of WGSL, and with it a comment. */
export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const OTHER_BREAK = /[\v\f\r\u0085\u2028\u2029]/;

const BLANKS = /[\t\n\v\f\r \u0085\u200e\u200f\u2028\u2029]+|\/\/[^\n\v\f\r\u0085\u2028\u2029]*/y;
const KINDS = ["name", "number", "string", "mark"] as const;
const WORD = new RegExp(
  [
    /([_\p{XID_Start}]\p{XID_Continue}*)/u,
    /(0[xX](?:[\da-fA-F]*\.[\da-fA-F]+|[\da-fA-F]+\.?)(?:[pP][+-]?\d+)?[iufh]?|(?:\d*\.\d+|\d+\.?)(?:[eE][+-]?\d+)?[iufh]?)/u,
    // An unclosed string ends with its line, but not at the line breaks that JSON allows in strings.
    /("(?:[^"\\\n\v\f\r]|\\[^\n\v\f\r])*"?)/u,
    // An unclosed comment continues to the end. A `>` is a token of its own: two may end two lists.
    /(\/\*[^]*|->|<<=?|<=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[^])/u,
  ].map(({ source }) => source).join("|"),
  "uy",
);

/** Splits a text into tokens. Anything else becomes marks, which the parser or a compiler rejects. */
export function tokensOf(source: string, start = 0): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = skipBlanks(source, start); at < source.length;) {
    WORD.lastIndex = at;
    const found = WORD.exec(source)!;
    const group = KINDS.findIndex((_, index) => found[index + 1] !== undefined);
    tokens.push({ kind: KINDS[group]!, text: found[0], start: at });
    at = skipBlanks(source, at + found[0].length);
  }
  markTemplateLists(tokens);
  return tokens;
}

function skipBlanks(source: string, start: number): number {
  for (let at = start;;) {
    // Nearly all tokens are adjacent or a space apart. Blanks are below a space or above ASCII.
    while (source.charCodeAt(at) === 0x20) at++;
    const code = source.charCodeAt(at);
    if (code > 0x20 && code < 0x7f && code !== 0x2f) return at;
    BLANKS.lastIndex = at;
    const end = BLANKS.test(source) ? BLANKS.lastIndex : endOfBlock(source, at);
    if (end === undefined) return at;
    at = end;
  }
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

/**
 * Gives the `<` and `>` of template lists, as in `vec2<f32>`, the kind `template`; others compare or
 * shift. This follows "Template lists" of the WGSL specification.
 */
function markTemplateLists(tokens: readonly Token[]): void {
  const pending: { readonly token: Token; readonly depth: number }[] = [];
  let depth = 0;
  const dropFrom = (from: number) => {
    while ((pending.at(-1)?.depth ?? -1) >= from) pending.pop();
  };
  tokens.forEach((token, at) => {
    // No template list holds one: assert(a < b, "text", c > d) compares.
    if (token.kind === "string") dropFrom(depth);
    if (token.kind !== "mark") return;
    const { text } = token;
    if (text === "<") {
      if (tokens[at - 1]?.kind === "name") pending.push({ token, depth });
    } else if (text === ">") {
      if (pending.at(-1)?.depth !== depth) return;
      pending.pop()!.token.kind = "template";
      token.kind = "template";
    } else if (text === "(" || text === "[") depth += 1;
    else if (text === ")" || text === "]") {
      dropFrom(depth);
      depth = Math.max(0, depth - 1);
    } else if (/^[;{:=]$/.test(text)) {
      depth = 0;
      pending.length = 0;
    } else if (text === "&&" || text === "||") dropFrom(depth);
  });
}

/**
 * A text without a byte order mark, all of whose lines end with a line feed, as compilers count them.
 * Strings are unchanged: JSON allows some other breaks in them.
 */
export function plainLines(written: string): string {
  const text = written.replace(/^\ufeff/, "");
  if (!OTHER_BREAK.test(text)) return text;
  let [plain, done] = ["", 0];
  for (const { kind, text: literal, start } of tokensOf(text)) {
    if (kind !== "string") continue;
    plain += text.slice(done, start).replaceAll(LINE_BREAK, "\n") + literal;
    done = start + literal.length;
  }
  return plain + text.slice(done).replaceAll(LINE_BREAK, "\n");
}

/** The value of a string; `undefined` unless it is written as in JSON. */
export function stringOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}
