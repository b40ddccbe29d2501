import { H5 } from "./hdf5_api.ts";
import { type Hdf5Library, Hid } from "./hdf5_library.ts";
import { checkTextRoom } from "./texts.ts";

/** Classes of types whose values lie in the array itself; compounds and arrays of these as well. */
const IN_PLACE: readonly number[] = [
  H5.H5T_INTEGER,
  H5.H5T_FLOAT,
  H5.H5T_BITFIELD,
  H5.H5T_OPAQUE,
  H5.H5T_ENUM,
];

/**
 * Checks, before HDF5 reads or writes an array of a caller, that it will stay within: C has no lengths
 * there. Also that no pointers would be in it, as those of the caller mean nothing here.
 */
export class TransferCheck {
  readonly #library: Hdf5Library;

  constructor(library: Hdf5Library) {
    this.#library = library;
  }

  /** Arrays with a number for each dimension. */
  ranks(space: Hid, arrays: Readonly<Record<string, Uint8Array | null | undefined>>): void {
    const rank = this.#library.raw("H5Sget_simple_extent_ndims", space.id) as number;
    for (const [name, array] of Object.entries(arrays)) {
      if (array && array.length !== 8 * rank) refuseLength(name, 8 * rank, array);
    }
  }

  /** An array of so many values of a type. */
  elements(type: Hid, count: bigint, array: Uint8Array): void {
    if (!this.#isInPlace(type.id)) {
      throw new TypeError(
        "Cannot use the type as it has pointers: references do not cross, and texts of any length only by themselves",
      );
    }
    const sizeBytes = count * (this.#library.raw("H5Tget_size", type.id) as bigint);
    if (sizeBytes !== BigInt(array.length)) refuseLength("array", sizeBytes, array);
  }

  /** The array of `H5Awrite` or `H5Aread`; how many texts of any length are in it, where it is of these. */
  attribute(attribute: Hid, type: Hid, array: Uint8Array): bigint | void {
    return this.withSpace(
      "H5Aget_space",
      attribute,
      (space) => this.#moved(type, this.#pointCount(space), array),
    );
  }

  #moved(type: Hid, count: bigint, array: Uint8Array): bigint | void {
    if (!this.#isText(type.id)) return this.elements(type, count, array);
    checkTextRoom(array, count);
    return count;
  }

  #isText(type: bigint): boolean {
    const isString = this.#library.raw("H5Tget_class", type) === H5.H5T_STRING;
    return isString && this.#library.raw("H5Tis_variable_str", type) !== 0;
  }

  /** As `attribute`, of `H5Dwrite` or `H5Dread`; also that both selections are within their dimensions. */
  transfer(
    { dataset, type }: { readonly dataset: Hid; readonly type: Hid },
    [memory, file, , array]: readonly [Hid | null, Hid | null, Hid | null, Uint8Array],
  ): bigint | void {
    return this.withSpace("H5Dget_space", dataset, (own) => {
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
      return this.#moved(type, this.#pointCount(memory ?? file ?? own), array);
    });
  }

  /** Works with the dataspace of a dataset or an attribute. */
  withSpace<R>(getter: string, owner: Hid, work: (space: Hid) => R): R {
    const id = this.#library.raw(getter, owner.id) as bigint;
    try {
      return work(new Hid("Dataspace", id));
    } finally {
      this.#library.raw("H5Sclose", id);
    }
  }

  #pointCount(space: Hid): bigint {
    const rank = this.#library.raw("H5Sget_simple_extent_ndims", space.id) as number;
    if (rank === 0) {
      return this.#library.raw("H5Sget_simple_extent_npoints", space.id) as bigint;
    }
    // Not HDF5's own count, which wraps at 2 ** 64: dimensions that a caller chose would come to 0.
    const dims = new BigUint64Array(rank);
    this.#library.raw("H5Sget_simple_extent_dims", space.id, new Uint8Array(dims.buffer), null);
    return dims.reduce((count, dim) => count * dim, 1n);
  }

  #isInPlace(type: bigint): boolean {
    const kind = this.#library.raw("H5Tget_class", type) as number;
    if (kind === H5.H5T_STRING) return !this.#isText(type);
    if (kind === H5.H5T_ARRAY) return this.#isInPlaceOf("H5Tget_super", type);
    if (kind !== H5.H5T_COMPOUND) return IN_PLACE.includes(kind);
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
