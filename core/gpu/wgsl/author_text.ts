import { endOfBlock } from "../syntax/tokens.ts";

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
 * WGSL has no strings: `put("Hello")` becomes calls of `put_word` with the bytes, or a loop of
 * them, on the same line.
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

/** Strings of more words are put in a loop: compile time grows by a factor with every call. */
const CALLS_MAX = 2;

function putWords(literal: string): string {
  const bytes = new TextEncoder().encode(stringOf(literal));
  const words: string[] = [];
  for (let byte = 0; byte < bytes.length; byte += 4) {
    const chunk = bytes.subarray(byte, byte + 4);
    words.push(`${chunk.reduceRight((high, low) => high * 256 + low, 0)}u`);
  }
  const { length } = words;
  if (length <= CALLS_MAX) {
    return words.map((word, index) =>
      `put_word(${word}, ${Math.min(4, bytes.length - 4 * index)}u)`
    )
      .join("; ");
  }
  return `{ var text = array<u32, ${length}>(${words.join(", ")}); ` +
    `for (var i = 0u; i < ${length}u; i++) { put_word(text[i], min(4u, ${bytes.length}u - 4u * i)); } }`;
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
