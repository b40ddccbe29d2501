import type { KernelText } from "../kernel/kernel_text.ts";
import { stringOf } from "../text/lexer.ts";

/** Longer strings are put in a loop, as every call multiplies compile time. */
const CALLS_MAX = 2;

/**
 * Replaces `put("Hello")`, as WGSL has no strings, by calls of `put_word` or a loop of them, on the
 * same line.
 *
 * @throws {TypeError} when a string is not written like one in JSON
 */
export function putStrings({ module, replaced }: KernelText): void {
  const name = module.libraryName("put_word");
  for (const call of [...module.calls.values()].flat()) {
    const [literal] = call.operands;
    if (
      call.text !== "put" || call.callee.declared || literal?.kind !== "literal" ||
      !literal.text.startsWith('"')
    ) continue;
    replaced.set(call, [putWords(literal.text, name)]);
  }
}

function putWords(literal: string, name: string): string {
  const text = stringOf(literal);
  if (text === undefined) {
    throw new TypeError(
      `Cannot make a kernel as a string must be written like one in JSON: current value is ${literal}`,
    );
  }
  const bytes = new TextEncoder().encode(text);
  const words = wordsOfBytes(bytes);
  const { length } = words;
  if (length <= CALLS_MAX) {
    return words.map((word, at) => `${name}(${word}, ${Math.min(4, bytes.length - 4 * at)}u)`)
      .join("; ");
  }
  return `{ var text = array<u32, ${length}>(${words.join(", ")}); ` +
    `for (var i = 0u; i < ${length}u; i++) { ${name}(text[i], min(4u, ${bytes.length}u - 4u * i)); } }`;
}

/** Packs bytes into literals of WGSL, four to a word in little-endian order. */
export function wordsOfBytes(bytes: Uint8Array): readonly string[] {
  return Array.from({ length: Math.ceil(bytes.length / 4) }, (_, at) => {
    const four = bytes.subarray(4 * at, 4 * at + 4);
    return `${four.reduceRight((high, low) => high * 256 + low, 0)}u`;
  });
}
