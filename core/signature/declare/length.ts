/** What a length is made of: an argument, or a field of the struct that it is or points at. */
interface LengthSource {
  /** Its place among the parameters. */
  readonly index: number;
  /** The names that lead to the field, from the outside in; none for the argument itself. */
  readonly path: readonly string[];
}

/** A sum or product of arguments: how many bytes a pointer points at. */
export class Length {
  /** What is multiplied; a constant factor and a constant summand. */
  readonly #sources: readonly LengthSource[];
  readonly #factor: number;
  readonly #plus: number;

  /** @internal For {@linkcode lengthOf}. */
  constructor(sources: readonly LengthSource[], factor: number, plus: number) {
    this.#sources = sources;
    this.#factor = factor;
    this.#plus = plus;
  }

  /** The arguments and fields that it needs. */
  get sources(): readonly { readonly index: number; readonly path: readonly string[] }[] {
    return this.#sources;
  }

  /**
   * The length that many times: by a number, or by another argument.
   *
   * @throws {TypeError} after a `plus`, or when the other has a summand: only products are written so
   */
  times(other: number | Length): Length {
    if (!(other instanceof Length)) {
      checkConstant(other);
      return new Length(this.#sources, this.#factor * other, this.#plus * other);
    }
    if (this.#plus !== 0 || other.#plus !== 0) {
      throw new TypeError(`Cannot multiply the lengths ${this} and ${other} as one is a sum`);
    }
    return new Length([...this.#sources, ...other.#sources], this.#factor * other.#factor, 0);
  }

  /**
   * So many bytes more.
   *
   * @throws {TypeError} for another length: only products are written so
   */
  plus(countBytes: number): Length {
    if (countBytes as unknown instanceof Length) {
      throw new TypeError(
        `Cannot add the lengths ${this} and ${countBytes} as only products are declared: check the sum in the function`,
      );
    }
    checkConstant(countBytes);
    return new Length(this.#sources, this.#factor, this.#plus + countBytes);
  }

  /** The length in bytes for these arguments; NaN when {@linkcode problem} says why. */
  of(values: readonly unknown[]): number {
    let product = this.#factor;
    for (const source of this.#sources) product *= countAt(values, source);
    return product + this.#plus;
  }

  /** As {@linkcode of}, in full: for messages, as a number has no room for all of 64 bits. */
  textOf(values: readonly unknown[]): string {
    const countBytes = this.of(values);
    if (Number.isNaN(countBytes) || Number.isSafeInteger(countBytes)) return String(countBytes);
    const counts = this.#sources.map((source) => BigInt(valueAt(values, source) as bigint));
    const product = counts.reduce((all, count) => all * count, BigInt(this.#factor));
    return String(product + BigInt(this.#plus));
  }

  /** What is wrong with these arguments: one that counts is negative, where two make a product. */
  problem(values: readonly unknown[]): string | undefined {
    const wrong = this.#sources.find((source) => Number.isNaN(countAt(values, source)));
    if (!wrong) return undefined;
    const name = ["argument", [wrong.index, ...wrong.path].join(".")].join(" ");
    const value = valueAt(values, wrong);
    return `${name} must be at least 0, as a length: current value is ${String(value)}`;
  }

  /** As it stands in the text of a signature. */
  toString(): string {
    const names = this.#sources.map(({ index, path }) => `#${[index, ...path].join(".")}`);
    const factors = this.#factor === 1 && names.length > 0 ? names : [...names, this.#factor];
    return factors.join(" * ") + (this.#plus === 0 ? "" : ` + ${this.#plus}`);
  }
}

function valueAt(values: readonly unknown[], { index, path }: LengthSource): unknown {
  let value = values[index];
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

function countAt(values: readonly unknown[], source: LengthSource): number {
  const value = valueAt(values, source);
  const count = typeof value === "bigint" ? Number(value) : value;
  return typeof count === "number" && count >= 0 ? count : NaN;
}

function checkConstant(value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(
    `Cannot declare a length as its numbers must be integers of at least 0: current value is ${
      String(value)
    }`,
  );
}

/**
 * The value of another argument as a number of bytes, or of a field of it. What it points at as
 * `"inout"` holds how long the array is before the call, and after it how much of that the function
 * filled: a caller whose array has another length is refused, and so is a function that says more.
 *
 * @param index its place among the parameters, from 0, constants counted
 * @param field for a struct, or a pointer to one: the field, with `.` between the names of nested ones
 * @throws {RangeError} when the index is none
 * @throws {TypeError} when the field is no text
 *
 * @example C's `fread(buffer, size, count, file)`
 * ```ts
 * import { bytes } from "./kind.ts";
 * import { lengthOf } from "./length.ts";
 * const buffer = bytes("out", lengthOf(1).times(lengthOf(2)));
 * if (buffer.length?.of([, 4n, 10n]) !== 40) throw new Error("ten of four bytes");
 * ```
 *
 * @example zlib's `uncompress(buffer, size, source, sourceSize)`, where `size` is a pointer
 * ```ts
 * import { bytes, i32, pointer, struct, u64 } from "./kind.ts";
 * import { lengthOf } from "./length.ts";
 * import { fn } from "./signature.ts";
 * const size = pointer("inout", struct({ value: u64 }));
 * fn([bytes("out", lengthOf(1, "value")), size, bytes("in", lengthOf(3)), u64], i32);
 * ```
 */
export function lengthOf(index: number, field?: string): Length {
  checkConstant(index);
  if (field !== undefined && typeof field !== "string") {
    throw new TypeError(
      `Cannot declare a length as the field must be a name: current value is ${String(field)}`,
    );
  }
  return new Length([{ index, path: field?.split(".") ?? [] }], 1, 0);
}

/** The same number of bytes in every call. */
export function fixedLength(countBytes: number): Length {
  checkConstant(countBytes);
  return new Length([], countBytes, 0);
}

/** Reads what {@linkcode Length.toString} wrote: `#1 * #2.size * 8`, `#1 + 4`. */
export function lengthFrom(text: string): Length {
  const [product, plus = "0"] = text.split(" + ");
  const factors = product!.split(" * ").map((factor) =>
    factor.startsWith("#") ? sourceFrom(factor.slice(1)) : Number(factor)
  );
  return factors.reduce<Length>((length, factor) => length.times(factor), fixedLength(1))
    .plus(Number(plus));
}

function sourceFrom(text: string): Length {
  const [index, ...path] = text.split(".");
  return lengthOf(Number(index), path.length > 0 ? path.join(".") : undefined);
}
