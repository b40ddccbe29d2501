/**
 * The text with its comments as spaces, so that what they mention is not taken for code. Lines and
 * columns stay.
 */
export function withoutComments(source: string): string {
  return source.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, (text) => text.replaceAll(/[^\n]/g, " "));
}

/**
 * WGSL has no strings: `put("Hello")` becomes calls of `put_word` with the bytes, on the same line.
 *
 * @throws {TypeError} when a string is not written like one in JSON
 */
export function expandStrings(source: string): string {
  return source.replaceAll(
    /\/\/[^\n]*|\/\*[^]*?\*\/|\bput\s*\(\s*("(?:[^"\\\n]|\\.)*")\s*\)/g,
    (whole, literal?: string) => literal ? putWords(literal) : whole,
  );
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
