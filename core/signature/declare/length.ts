/** A sum or product of arguments: how many bytes a pointer points at. */
export class Length {
  /** The arguments that are multiplied, by their index; a constant factor and a constant summand. */
  readonly #indexes: readonly number[];
  readonly #factor: number;
  readonly #plus: number;

  /** @internal For {@linkcode lengthOf}. */
  constructor(indexes: readonly number[], factor: number, plus: number) {
    this.#indexes = indexes;
    this.#factor = factor;
    this.#plus = plus;
  }

  /** The arguments that it needs, by their index. */
  get indexes(): readonly number[] {
    return this.#indexes;
  }

  /**
   * The length that many times: by a number, or by another argument.
   *
   * @throws {TypeError} after a `plus`, or when the other has a summand: only products are written so
   */
  times(other: number | Length): Length {
    if (typeof other === "number") {
      checkConstant(other);
      return new Length(this.#indexes, this.#factor * other, this.#plus * other);
    }
    if (this.#plus !== 0 || other.#plus !== 0) {
      throw new TypeError(`Cannot multiply the lengths ${this} and ${other} as one is a sum`);
    }
    const indexes = [...this.#indexes, ...other.#indexes];
    return new Length(indexes, this.#factor * other.#factor, 0);
  }

  /** So many bytes more. */
  plus(countBytes: number): Length {
    checkConstant(countBytes);
    return new Length(this.#indexes, this.#factor, this.#plus + countBytes);
  }

  /** The length in bytes for these arguments; NaN when one is negative: two of them make a product. */
  of(values: readonly unknown[]): number {
    let product = this.#factor;
    for (const index of this.#indexes) {
      const value = Number(values[index]);
      if (value < 0) return NaN;
      product *= value;
    }
    return product + this.#plus;
  }

  /** As it stands in the text of a signature. */
  toString(): string {
    const names = this.#indexes.map((index) => `#${index}`);
    const factors = this.#factor === 1 && names.length > 0 ? names : [...names, this.#factor];
    return factors.join(" * ") + (this.#plus === 0 ? "" : ` + ${this.#plus}`);
  }
}

function checkConstant(value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(
    `Cannot declare a length as its numbers must be integers of at least 0: current value is ${value}`,
  );
}

/**
 * The value of another argument, as a number of bytes.
 *
 * @param index its place among the parameters, from 0, constants counted
 *
 * @example C's `fread(buffer, size, count, file)`
 * ```ts
 * import { bytes } from "./kind.ts";
 * import { lengthOf } from "./length.ts";
 * const buffer = bytes("out", lengthOf(1).times(lengthOf(2)));
 * if (buffer.length?.of([, 4n, 10n]) !== 40) throw new Error("ten of four bytes");
 * ```
 */
export function lengthOf(index: number): Length {
  checkConstant(index);
  return new Length([index], 1, 0);
}

/** The same number of bytes in every call. */
export function fixedLength(countBytes: number): Length {
  checkConstant(countBytes);
  return new Length([], countBytes, 0);
}

/** Reads what {@linkcode Length.toString} wrote: `#1 * #2 * 8`, `#1 + 4`. */
export function lengthFrom(text: string): Length {
  const [product, plus = "0"] = text.split(" + ");
  const factors = product!.split(" * ").map((factor) =>
    factor.startsWith("#") ? lengthOf(Number(factor.slice(1))) : Number(factor)
  );
  return factors.reduce<Length>((length, factor) => length.times(factor), fixedLength(1))
    .plus(Number(plus));
}
