import type { Item, ItemType } from "./perform_statement.ts";

/** @throws {RangeError} for a size that is none */
export function checkIntegerBytes(countBytes: number): number {
  if ([1, 2, 4, 8].includes(countBytes)) return countBytes;
  throw new RangeError(
    `Cannot read an integer as its kind must be 1, 2, 4 or 8: current value is ${countBytes}`,
  );
}

/** An integer in the memory of the machine. */
export function integerBytes(value: bigint, countBytes: 1 | 2 | 4 | 8): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigInt64Array.of(value).buffer, 0, countBytes).slice();
}

/** An integer of 128 bits. */
export function wideBytes(low: bigint, high: bigint): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigUint64Array.of(low, BigInt.asUintN(64, high)).buffer);
}

/** One real, or the two of a complex value. */
export function realBytes(
  countBytes: 4 | 8,
  ...values: readonly number[]
): Uint8Array<ArrayBuffer> {
  const reals = countBytes === 4 ? Float32Array.from(values) : Float64Array.from(values);
  return new Uint8Array(reals.buffer);
}

/** The default LOGICAL, of 4 bytes. */
export function logicalBytes(value: boolean): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Int32Array.of(value ? 1 : 0).buffer);
}

/**
 * What a variable holds that nobody has set, so that it is seen whether a READ gave it a value: no real
 * or logical that is read, and one of the 2 ** 24 smallest integers, or a text that hardly anybody has.
 *
 * @returns `undefined` for what has less than 4 bytes, each of which may well be read
 */
export function unsetBytes(
  type: ItemType,
  countBytes: number,
): Uint8Array<ArrayBuffer> | undefined {
  if (countBytes < 4) return undefined;
  const bytes = crypto.getRandomValues(new Uint8Array(countBytes));
  if (type === "character") return bytes.map((byte) => byte | 0x80);
  if (type === "logical") return bytes.fill(0x5a, 1);
  if (type === "integer") return bytes.fill(0x80, countBytes - 1);
  // Not the NaN that the library reads.
  const partBytes = type === "complex" ? countBytes / 2 : countBytes;
  for (let end = partBytes; end <= countBytes; end += partBytes) {
    bytes.set([0xff, 0x7f], end - 2);
    bytes[end - partBytes]! |= 1;
  }
  return bytes;
}

/** What an item has of an integer or a logical. */
export function integerOf({ bytes }: Item): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  switch (bytes.length) {
    case 1:
      return BigInt(view.getInt8(0));
    case 2:
      return BigInt(view.getInt16(0, true));
    case 4:
      return BigInt(view.getInt32(0, true));
    default:
      return view.getBigInt64(0, true);
  }
}

/** What an item has of a real, or, by `part` 0 and 1, of a complex value. */
export function realOf({ type, bytes }: Item, part: 0 | 1): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const countBytes = type === "complex" ? bytes.length / 2 : bytes.length;
  return countBytes === 4 ? view.getFloat32(4 * part, true) : view.getFloat64(8 * part, true);
}
