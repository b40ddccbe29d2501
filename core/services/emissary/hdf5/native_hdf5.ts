import type { HostFunctions } from "../../../signature/mod.ts";
import { H5, HDF5_LIST_CLASSES, HDF5_TYPES, hdf5Api, type Hdf5Functions } from "./hdf5_api.ts";
import { checkTextRoom } from "./text_bytes.ts";
import { type Hid, idOf, type NativeLibrary } from "./native_library.ts";
import { moveTexts, type TextCall } from "./native_texts.ts";

type Functions = HostFunctions<Hdf5Functions>;
/** A function before it is called: throws when HDF5 would read or write beyond an array. */
type Check = (...values: never[]) => unknown;

export function nativeHdf5(library: NativeLibrary): Functions {
  const checks: Partial<Record<string, Check>> = checksOf(new TransferCheck(library));
  const plain = Object.keys(hdf5Api.functions).map((key) => {
    const check = checks[key];
    return [key, (...values: unknown[]) => {
      const count = check?.(...values as never[]);
      return typeof count === "bigint"
        ? moveTexts(
          library,
          textCall(key as TextCall["key"], values, count),
          values.at(-1) as never,
        )
        : library.call(key, values);
    }] as const;
  });
  const constants = [...HDF5_TYPES, ...HDF5_LIST_CLASSES].map((name) => {
    const value = library.constant(name);
    return [name, () => value] as const;
  });
  return {
    ...Object.fromEntries(plain),
    ...Object.fromEntries(constants),
    ...formsOf(library),
  } as unknown as Functions;
}

function textCall(key: TextCall["key"], values: readonly unknown[], count: bigint): TextCall {
  const given = values.slice(0, -1).map((value) => idOf(value as Hid | null));
  return { key, given, type: values[1] as Hid, count: Number(count) };
}

function checksOf(check: TransferCheck) {
  const transfer = (dataset: Hid, type: Hid, ...rest: unknown[]) =>
    check.transfer({ dataset, type }, rest as never);
  const attribute = (owner: Hid, type: Hid, array: Uint8Array) =>
    check.attribute(owner, type, array);
  return {
    H5Sget_simple_extent_dims: (space: Hid, dims: Uint8Array, maximums: Uint8Array | null) =>
      check.ranks(space, { dims, maximums }),
    H5Sselect_hyperslab: (
      space: Hid,
      _operator: number,
      ...[start, stride, count, block]: (Uint8Array | null)[]
    ) => check.ranks(space, { start, stride, count, block }),
    H5Pset_fill_value: (_list: Hid, type: Hid, value: Uint8Array) =>
      check.elements(type, 1n, value),
    H5Dset_extent: (dataset: Hid, dims: Uint8Array) =>
      check.withSpace("H5Dget_space", dataset, (space) => check.ranks(space, { dims })),
    H5Dwrite: transfer,
    H5Dread: transfer,
    H5Awrite: attribute,
    H5Aread: attribute,
  };
}

/** Functions that C has in another form. */
function formsOf(library: NativeLibrary): Partial<Functions> {
  const nameBy =
    (key: "H5Lget_name_by_idx" | "H5Aget_name_by_idx"): Functions[typeof key] =>
    (place: Hid, group, index, order, nth, list: Hid | null) => {
      const path = new TextEncoder().encode(`${group}\0`);
      const read = (target: Uint8Array) =>
        Number(library.raw(
          key,
          ...[place.id, path, index, order, nth],
          ...[target, BigInt(target.length), idOf(list)],
        ));
      const name = new Uint8Array(read(new Uint8Array(1)) + 1);
      read(name);
      return new TextDecoder().decode(name.subarray(0, -1));
    };
  return {
    H5get_libversion(version) {
      const numbers = [0, 0, 0].map(() => new Uint32Array(1));
      library.raw("H5get_libversion", ...numbers);
      const [majnum, minnum, relnum] = numbers.map(([number]) => number);
      Object.assign(version, { majnum, minnum, relnum });
      return 0;
    },
    H5Aget_num_attrs(owner: Hid) {
      if (owner.name !== "File") return library.call("H5Aget_num_attrs", [owner]) as number;
      // The one function that knows no attributes of files: they are those of the root.
      const root = library.call("H5Gopen2", [owner, "/", null]) as Hid;
      try {
        return library.call("H5Aget_num_attrs", [root]) as number;
      } finally {
        library.call("H5Gclose", [root]);
      }
    },
    H5Lget_name_by_idx: nameBy("H5Lget_name_by_idx"),
    H5Aget_name_by_idx: nameBy("H5Aget_name_by_idx"),
    H5Tget_member_name(type: Hid, index) {
      const text = library.raw("H5Tget_member_name", type.id, index) as Deno.PointerObject;
      const name = new Deno.UnsafePointerView(text).getCString();
      library.raw("H5free_memory", text);
      return name;
    },
  };
}

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
    const space = this.#library.call(getter, [owner]) as Hid;
    try {
      return work(space);
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
    if (kind === H5.H5T_STRING) return !this.#isText(type);
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
