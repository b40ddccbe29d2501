/** The types of values as the library calls them. */
export type ItemType = "integer" | "real" | "complex" | "logical" | "character";

/** A value of a statement in its own memory: what is written, or where what is read goes. */
export interface Item {
  readonly type: ItemType;
  /** As the machine has them: 1 to 16 bytes of a number, any count of characters. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a type is in memory: how its numbers are put there and had again. Every machine here has the low byte first. */
interface Codec {
  readonly type: ItemType;
  readonly sizeBytes: number;
  readonly bytesOf: (...values: never[]) => Uint8Array<ArrayBuffer>;
}

/** An integer, of any of the sizes that there are. */
function integer(sizeBytes: number) {
  const bytesOf = (value: number | bigint) => integerBytes(BigInt(value), sizeBytes);
  return { type: "integer", sizeBytes, bytesOf } as const;
}

/** One real, or the two of a complex value. */
function reals(type: "real" | "complex", sizeBytes: number) {
  const partBytes = type === "complex" ? sizeBytes / 2 : sizeBytes;
  const bytesOf = (...values: readonly number[]) => realBytes(partBytes, ...values);
  return { type, sizeBytes, bytesOf } as const;
}

/** The types that flang's functions have in their names. */
export const CODECS = {
  Integer8: integer(1),
  Integer16: integer(2),
  Integer32: integer(4),
  Integer64: integer(8),
  Real32: reals("real", 4),
  Real64: reals("real", 8),
  Complex32: reals("complex", 8),
  Complex64: reals("complex", 16),
  /** The default LOGICAL. */
  Logical: {
    type: "logical",
    sizeBytes: 4,
    bytesOf: (value: boolean) => integerBytes(value ? 1n : 0n, 4),
  },
} as const satisfies Record<string, Codec>;

/** @throws {RangeError} for a size that is none */
export function checkIntegerBytes(countBytes: number): number {
  if ([1, 2, 4, 8].includes(countBytes)) return countBytes;
  throw new RangeError(
    `Cannot read an integer as its kind must be 1, 2, 4 or 8: current value is ${countBytes}`,
  );
}

/** An integer in the memory of the machine, of up to 16 bytes. */
export function integerBytes(value: bigint, countBytes: number): Uint8Array<ArrayBuffer> {
  const words = BigUint64Array.of(BigInt.asUintN(64, value), BigInt.asUintN(64, value >> 64n));
  return new Uint8Array(words.buffer).slice(0, countBytes);
}

/** Reals in the memory of the machine, of so many bytes each. */
export function realBytes(
  countBytes: number,
  ...values: readonly number[]
): Uint8Array<ArrayBuffer> {
  const reals = countBytes === 4 ? Float32Array.from(values) : Float64Array.from(values);
  return new Uint8Array(reals.buffer);
}

/** What an item has of an integer or a logical. */
export function integerOf({ bytes }: Item): bigint {
  const word = new BigInt64Array(1);
  new Uint8Array(word.buffer).set(bytes);
  return BigInt.asIntN(8 * bytes.length, word[0]!);
}

/** What an item has of a real, or, by `part` 0 and 1, of a complex value. */
export function realOf({ type, bytes }: Item, part: 0 | 1): number {
  const isSingle = bytes.length === (type === "complex" ? 8 : 4);
  return (isSingle ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer))[part]!;
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
