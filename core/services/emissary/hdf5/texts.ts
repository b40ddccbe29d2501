/**
 * Texts of any length as `H5Dwrite` and `H5Awrite` take them: in UTF-8, each with a NUL behind it.
 *
 * @throws {TypeError} when a text holds a NUL, which would end it
 *
 * @example
 * ```ts
 * import { textBytes, textsOf } from "./texts.ts";
 * if (textsOf(textBytes("one", "", "drei")).join() !== "one,,drei") throw new Error("texts");
 * ```
 */
export function textBytes(...texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const wrong = texts.find((text) => text.includes("\0"));
  if (wrong === undefined) {
    return new TextEncoder().encode(texts.map((text) => `${text}\0`).join(""));
  }
  throw new TypeError(
    `Cannot write a text as it must hold no NUL: current value is ${JSON.stringify(wrong)}`,
  );
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
 * Where each of the texts in an array is in memory, as HDF5 takes them.
 *
 * @throws {RangeError} when there are not so many, each with a NUL behind it
 */
export function textPointers(
  bytes: Uint8Array<ArrayBuffer>,
  count: number,
): BigUint64Array<ArrayBuffer> {
  const ends = [...bytes.keys()].filter((index) => bytes[index] === 0);
  if (ends.length === count && (ends.at(-1) ?? -1) === bytes.length - 1) {
    const first = Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
    return BigUint64Array.from([-1, ...ends].slice(0, count), (end) => first + BigInt(end + 1));
  }
  throw new RangeError(
    `Cannot use the array as it must have ${count} texts, each with a NUL behind it: current value has ${ends.length} NULs in ${bytes.length} bytes`,
  );
}

/**
 * Puts the texts to which HDF5 gave pointers into an array, one that was never written as an empty one, each with a
 * NUL behind it, and NULs into the rest.
 *
 * @throws {RangeError} when it is too short, with what it takes; nothing was put there then
 */
export function putTexts(array: Uint8Array, pointers: BigUint64Array): void {
  const texts = [...pointers].map((address) => {
    const pointer = Deno.UnsafePointer.create(address);
    return pointer === null ? "" : new Deno.UnsafePointerView(pointer).getCString();
  });
  const bytes = textBytes(...texts);
  checkTextRoom(array, bytes.length);
  array.fill(0).set(bytes);
}

/** Refuses an array that is too short for texts; of each at least the NUL takes room. */
export function checkTextRoom(array: Uint8Array, countBytes: number | bigint): void {
  if (array.length >= countBytes) return;
  throw new RangeError(
    `Cannot use the array as its texts take ${countBytes} bytes: current value is ${array.length}`,
  );
}
