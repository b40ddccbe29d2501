import { H5 } from "../hdf5_numbers.ts";
import type { Hid } from "./hid.ts";
import { idOf, type NativeLibrary } from "./native_library.ts";

/** Classes of types whose values lie in the array itself; compounds and arrays of these as well. */
const IN_PLACE = [H5.H5T_INTEGER, H5.H5T_FLOAT, H5.H5T_STRING, 4, 5, 8];
const ARRAY = 10;

/**
 * Checks, before HDF5 reads or writes an array of a caller, that it will stay within: C has no lengths
 * there. Also that no pointers would be in it, as those of the caller mean nothing here.
 */
export class TransferCheck {
  readonly #library: NativeLibrary;

  constructor(library: NativeLibrary) {
    this.#library = library;
  }

  /** Arrays with a number for each dimension. */
  ranks(space: Hid, arrays: Readonly<Record<string, Uint8Array | null | undefined>>): void {
    const rank = this.#library.call("H5Sget_simple_extent_ndims", [space]) as number;
    for (const [name, array] of Object.entries(arrays)) {
      if (array && array.length !== 8 * rank) refuseLength(name, 8 * rank, array);
    }
  }

  /** An array of so many values of a type. */
  elements(type: Hid, count: bigint, array: Uint8Array): void {
    if (!this.#isInPlace(type.id)) {
      throw new TypeError(
        "Cannot use the memory's type as it has pointers: texts of any length and references do not cross",
      );
    }
    const sizeBytes = count * (this.#library.raw("H5Tget_size", type.id) as bigint);
    if (sizeBytes !== BigInt(array.length)) refuseLength("array", sizeBytes, array);
  }

  /** The array of `H5Awrite` or `H5Aread`. */
  attribute(attribute: Hid, type: Hid, array: Uint8Array): void {
    this.withSpace("H5Aget_space", attribute, (space) => {
      this.elements(type, this.#pointCount(space), array);
    });
  }

  /** The array of `H5Dwrite` or `H5Dread`, and that both selections are within their dimensions. */
  transfer(
    { dataset, type }: { readonly dataset: Hid; readonly type: Hid },
    [memory, file, , array]: readonly [Hid | null, Hid | null, Hid | null, Uint8Array],
  ): void {
    this.withSpace("H5Dget_space", dataset, (own) => {
      if (file && this.#library.raw("H5Sextent_equal", file.id, own.id) !== 1) {
        throw new RangeError(
          "Cannot use the file's dataspace as it must have the dimensions of the dataset",
        );
      }
      for (const space of [memory, file]) {
        if (space && this.#library.raw("H5Sselect_valid", space.id) !== 1) {
          throw new RangeError("Cannot use a selection as it lies outside of its dataspace");
        }
      }
      this.elements(type, this.#pointCount(memory ?? file ?? own), array);
    });
  }

  /** Works with the dataspace of a dataset or an attribute. */
  withSpace(getter: string, owner: Hid, work: (space: Hid) => void): void {
    const space = this.#library.call(getter, [owner]) as Hid;
    try {
      work(space);
    } finally {
      this.#library.call("H5Sclose", [space]);
    }
  }

  #pointCount(space: Hid): bigint {
    const rank = this.#library.call("H5Sget_simple_extent_ndims", [space]) as number;
    if (rank === 0) {
      return this.#library.raw("H5Sget_simple_extent_npoints", idOf(space)) as bigint;
    }
    // Not HDF5's own count, which wraps at 2 ** 64: dimensions that a caller chose would come to 0.
    const dims = new BigUint64Array(rank);
    this.#library.raw("H5Sget_simple_extent_dims", idOf(space), new Uint8Array(dims.buffer), null);
    return dims.reduce((count, dim) => count * dim, 1n);
  }

  #isInPlace(type: bigint): boolean {
    const kind = this.#library.raw("H5Tget_class", type) as number;
    if (kind === H5.H5T_STRING) return this.#library.raw("H5Tis_variable_str", type) === 0;
    if (kind === ARRAY) return this.#isInPlaceOf("H5Tget_super", type);
    if (kind !== H5.H5T_COMPOUND) return IN_PLACE.includes(kind as never);
    const count = this.#library.raw("H5Tget_nmembers", type) as number;
    return Array.from({ length: count }, (_, index) => index)
      .every((index) => this.#isInPlaceOf("H5Tget_member_type", type, index));
  }

  #isInPlaceOf(getter: string, ...values: readonly unknown[]): boolean {
    const part = this.#library.raw(getter, ...values) as bigint;
    try {
      return this.#isInPlace(part);
    } finally {
      this.#library.raw("H5Tclose", part);
    }
  }
}

function refuseLength(name: string, sizeBytes: number | bigint, array: Uint8Array): never {
  throw new RangeError(
    `Cannot use the ${name} as it must have ${sizeBytes} bytes: current value is ${array.length}`,
  );
}
