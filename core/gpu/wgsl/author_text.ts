/** A part of an author's text that is all code, or one comment, or one string. */
interface Part {
  readonly kind: "code" | "comment" | "string";
  readonly text: string;
}

const OPENING = /"|\/\/|\/\*/g;

function* partsOf(source: string): Generator<Part> {
  for (let start = 0; start < source.length;) {
    OPENING.lastIndex = start;
    const opening = OPENING.exec(source)?.index ?? source.length;
    if (opening > start) yield { kind: "code", text: source.slice(start, opening) };
    start = endOf(source, opening);
    const text = source.slice(opening, start);
    if (text !== "") yield { kind: text.startsWith('"') ? "string" : "comment", text };
  }
}

/** Where the comment or string ends that begins at `start`. */
function endOf(source: string, start: number): number {
  if (source.startsWith("/*", start)) return endOfBlock(source, start);
  // A string that is not closed ends with its line.
  const rest = source.startsWith("//", start) ? /.*/y : /(?:"(?:[^"\\\n]|\\.)*"?)?/y;
  rest.lastIndex = start;
  rest.exec(source);
  return rest.lastIndex;
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

/**
 * The text with its comments and strings as spaces, so that what they mention is not taken for
 * code. Lines and columns stay.
 */
export function codeOf(source: string): string {
  const parts = [...partsOf(source)];
  return parts.map(({ kind, text }) => kind === "code" ? text : text.replaceAll(/[^\n]/g, " "))
    .join("");
}

/**
 * WGSL has no strings: `put("Hello")` becomes calls of `put_word` with the bytes, on the same line.
 *
 * @throws {TypeError} when a string is not written like one in JSON
 */
export function expandStrings(source: string): string {
  const before = /\bput\s*\(\s*$/;
  const texts: string[] = [];
  let isPut = false;
  for (const { kind, text } of partsOf(source)) {
    const last = texts.length - 1;
    if (kind === "string" && before.test(texts[last] ?? "")) {
      texts[last] = texts[last]!.replace(before, putWords(text));
      isPut = true;
      continue;
    }
    texts.push(isPut ? text.replace(/^\s*\)/, "") : text);
    isPut = false;
  }
  return texts.join("");
}

function putWords(literal: string): string {
  const bytes = new TextEncoder().encode(stringOf(literal));
  const calls: string[] = [];
  for (let byte = 0; byte < bytes.length; byte += 4) {
    const chunk = bytes.subarray(byte, byte + 4);
    const word = chunk.reduceRight((high, low) => high * 256 + low, 0);
    calls.push(`put_word(${word}u, ${chunk.length}u)`);
  }
  return calls.join("; ");
}

function stringOf(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw new TypeError(
      `Cannot make a kernel as a string must be written like one in JSON: current value is ${literal}`,
    );
  }
}
