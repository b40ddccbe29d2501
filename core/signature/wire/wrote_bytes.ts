import { assert } from "../../memory/assert.ts";

/** How much of arrays functions have written, where they said so. */
const counts = new WeakMap<object, number>();

/**
 * Says that a function has written an `"out"` array only up to here: what lies behind stays as its caller
 * has it, as behind a pointer of C. Without a word the whole array goes back.
 *
 * @param target as the function got it
 * @param countBytes how many bytes, from its start; the last word counts
 * @throws {InvariantError} when the array has not so many bytes
 *
 * @example
 * ```ts
 * import { bytes, fn, hostApi, u32, wroteBytes } from "../mod.ts";
 * const api = hostApi("clock", { name: fn([bytes("out")], u32) });
 * const functions = {
 *   name(target: Uint8Array) {
 *     const { written } = new TextEncoder().encodeInto("UTC", target);
 *     wroteBytes(target, written);
 *     return written;
 *   },
 * };
 * if (functions.name(new Uint8Array(8)) !== 3 || api.name !== "clock") throw new Error("three bytes");
 * ```
 */
export function wroteBytes(target: Uint8Array, countBytes: number): void {
  const isWithin = Number.isInteger(countBytes) && countBytes >= 0 && countBytes <= target.length;
  assert(isWithin, "what was written lies in the array");
  counts.set(target, countBytes);
}

/** What {@linkcode wroteBytes} was told of an array; nothing where nothing was, or of a struct. */
export function writtenBytes(target: object): number | undefined {
  return counts.get(target);
}
