import { LINE_BREAK } from "../syntax/text_position.ts";
import { tokensOf } from "../syntax/tokens.ts";

/**
 * A text whose lines all end with a line feed, as whoever counts them expects; in WGSL six other signs
 * end a line, and a comment, too. A byte order mark is left out. What stands in strings stays.
 *
 * @example
 * ```ts
 * import { withPlainLines } from "./author_text.ts";
 * if (withPlainLines("// a\r\nb\u2028c") !== "// a\nb\nc") throw new Error("three lines");
 * ```
 */
export function withPlainLines(source: string): string {
  const text = source.replace(/^\ufeff/, "");
  const parts: string[] = [];
  let done = 0;
  for (const { text: { length }, index } of tokensOf(text)) {
    parts.push(
      text.slice(done, index).replaceAll(LINE_BREAK, "\n"),
      text.slice(index, index + length),
    );
    done = index + length;
  }
  return [...parts, text.slice(done).replaceAll(LINE_BREAK, "\n")].join("");
}

/**
 * The text with its comments and strings as spaces, so that what they mention is not taken for
 * code. Lines and columns stay.
 */
export function codeOf(source: string): string {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");
  const texts: string[] = [];
  let done = 0;
  for (const { kind, text, index } of tokensOf(source)) {
    const isCode = kind !== "string" && !text.startsWith("/*");
    texts.push(blank(source.slice(done, index)), isCode ? text : blank(text));
    done = index + text.length;
  }
  return [...texts, blank(source.slice(done))].join("");
}

/**
 * WGSL has no strings: `put("Hello")` becomes calls of `put_word` with the bytes, or a loop of
 * them, on the same line.
 *
 * @throws {TypeError} when a string is not written like one in JSON
 */
export function expandStrings(source: string): string {
  const tokens = tokensOf(source);
  const texts: string[] = [];
  let done = 0;
  tokens.forEach(({ kind, text, index }, at) => {
    if (kind !== "string" || tokens[at - 1]?.text !== "(" || tokens[at - 2]?.text !== "put") return;
    texts.push(source.slice(done, tokens[at - 2]!.index), putWords(text));
    const closing = tokens[at + 1];
    done = closing?.text === ")" ? closing.index + 1 : index + text.length;
  });
  return [...texts, source.slice(done)].join("");
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
