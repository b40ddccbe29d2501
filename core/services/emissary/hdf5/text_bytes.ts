/**
 * Texts of any length as `H5Dwrite` and `H5Awrite` take them: in UTF-8, each with a NUL behind it.
 *
 * @throws {TypeError} when a text holds a NUL, which would end it
 *
 * @example
 * ```ts
 * import { textBytes, textsOf } from "./text_bytes.ts";
 * if (textsOf(textBytes("one", "", "drei")).join() !== "one,,drei") throw new Error("texts");
 * ```
 */
export function textBytes(...texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const wrong = texts.find((text) => text.includes("\0"));
  if (wrong !== undefined) {
    throw new TypeError(
      `Cannot write a text as it must hold no NUL: current value is ${JSON.stringify(wrong)}`,
    );
  }
  return new TextEncoder().encode(texts.map((text) => `${text}\0`).join(""));
}

/**
 * The texts in the bytes that `H5Dread` or `H5Aread` filled.
 *
 * @param count how many there are; those in front of the last NUL when absent, of which the room that
 * was left gives empty ones
 */
export function textsOf(bytes: Uint8Array, count?: number): string[] {
  return new TextDecoder().decode(bytes).split("\0").slice(0, count ?? -1);
}

/**
 * Where each text begins.
 *
 * @throws {RangeError} when there are not so many, each with a NUL behind it
 */
export function textStarts(bytes: Uint8Array, count: number): number[] {
  const starts: number[] = [];
  let next = 0;
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, next)) {
    starts.push(next);
    next = end + 1;
  }
  if (starts.length === count && next === bytes.length) return starts;
  throw new RangeError(
    `Cannot use the array as it must have ${count} texts, each with a NUL behind it: current value has ${starts.length} in ${next} of ${bytes.length} bytes`,
  );
}

/** Refuses an array that has not even room for so many empty texts. */
export function checkTextRoom(array: Uint8Array, count: number | bigint): void {
  if (array.length < count) refuseRoom(array, count);
}

/**
 * Puts texts into an array, each with a NUL behind it, and NULs into the rest.
 *
 * @throws {RangeError} when it is too short, with what it takes; nothing was put there then
 */
export function putTexts(array: Uint8Array, texts: readonly string[]): void {
  const bytes = textBytes(...texts);
  if (bytes.length > array.length) refuseRoom(array, bytes.length);
  array.fill(0).set(bytes);
}

function refuseRoom(array: Uint8Array, countBytes: number | bigint): never {
  throw new RangeError(
    `Cannot use the array as its texts take ${countBytes} bytes: current value is ${array.length}`,
  );
}
