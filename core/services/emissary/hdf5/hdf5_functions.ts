import type { ApiServer, HostFunctions } from "../../../signature/mod.ts";
import { HDF5_LIST_CLASSES, HDF5_TYPES, hdf5Api, type Hdf5Functions, hsizes } from "./hdf5_api.ts";
import { type Hdf5Library, Hid, idOf } from "./hdf5_library.ts";
import { putTexts, textPointers } from "./texts.ts";
import { TransferCheck } from "./transfer_check.ts";

type Functions = HostFunctions<Hdf5Functions>;
/** A function before it is called: throws when HDF5 would read or write beyond an array. */
type Check = (...values: never[]) => unknown;

/** All functions: those of the library, behind their checks, and those that C has in another form. */
export function hdf5Functions(library: Hdf5Library, server: ApiServer): Functions {
  const checks: Partial<Record<string, Check>> = checksOf(new TransferCheck(library));
  const plain = Object.keys(hdf5Api.functions).map((key) => {
    const check = checks[key];
    if (OPENING.includes(key)) return [key, (...values: unknown[]) => open(key, values)] as const;
    return [key, (...values: unknown[]) => {
      const count = check?.(...values as never[]);
      if (typeof count === "bigint") return moveTexts(library, key, values, Number(count));
      return key.endsWith("close") ? close(key, values[0] as Hid) : library.call(key, values);
    }] as const;
  });
  const open = (key: string, values: readonly unknown[]) => {
    library.files.take(`call hdf5.${key}`);
    try {
      return library.call(key, values);
    } catch (error) {
      library.files.give();
      throw error;
    }
  };
  // Its handle ends where HDF5 knows it no longer: it may say no, as of a type of its own.
  const close = (key: string, hid: Hid) => {
    try {
      return library.call(key, [hid]);
    } finally {
      if (!library.isOpen(hid)) {
        server.takeBack(hid.name, hid);
        if (hid.name === "File") library.files.give();
      }
    }
  };
  const constants = [...HDF5_TYPES, ...HDF5_LIST_CLASSES].map((name) => {
    const value = library.constant(name);
    return [name, () => value] as const;
  });
  const all = { ...Object.fromEntries([...plain, ...constants]), ...formsOf(library) };
  return all as unknown as Functions;
}

/** What opens a file. */
const OPENING = ["H5Fcreate", "H5Fopen"];

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

/** Gives HDF5 pointers to the texts in an array, the last value, or puts those there to which it gives pointers. */
function moveTexts(
  library: Hdf5Library,
  key: string,
  values: readonly unknown[],
  count: number,
): unknown {
  const array = values.at(-1) as Uint8Array<ArrayBuffer>;
  const given = values.slice(0, -1).map((value) => idOf(value as Hid | null));
  const isWritten = key.endsWith("write");
  const pointers = isWritten ? textPointers(array, count) : new BigUint64Array(count);
  const bytes = new Uint8Array(pointers.buffer);
  if (isWritten) return library.raw(key, ...given, bytes);
  try {
    const answer = library.raw(key, ...given, bytes);
    putTexts(array, pointers);
    return answer;
  } finally {
    const space = library.raw("H5Screate_simple", 1, hsizes(count), null);
    library.raw("H5Dvlen_reclaim", given[1], space, 0n, bytes);
    library.raw("H5Sclose", space);
  }
}

/** Functions that C has in another form. */
function formsOf(library: Hdf5Library): Partial<Functions> {
  const nameBy =
    (key: "H5Lget_name_by_idx" | "H5Aget_name_by_idx"): Functions[typeof key] =>
    (place: Hid, group, index, order, nth, list: Hid | null) => {
      const path = new TextEncoder().encode(`${group}\0`);
      const where = [place.id, path, index, order, nth];
      const read = (target: Uint8Array) =>
        Number(library.raw(key, ...where, target, BigInt(target.length), idOf(list)));
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
        library.isOpen(root);
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
