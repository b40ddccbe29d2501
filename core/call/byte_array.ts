/**
 * Checks that a value can be sent as bytes. Arrays of wider elements have a length, too, that is not
 * one of bytes; by its tag, because a `Uint8Array` may be of another realm.
 *
 * @throws {TypeError} when it is no `Uint8Array`
 *
 * @example
 * ```ts
 * import { checkByteArray } from "./byte_array.ts";
 * checkByteArray(new TextEncoder().encode("text"));
 * ```
 */
export function checkByteArray(value: unknown): asserts value is Uint8Array {
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object Uint8Array]") return;
  throw new TypeError(`Cannot send bytes as they must be a Uint8Array: current value is ${tag}`);
}
