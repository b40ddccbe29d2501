import type { HostFunctions } from "../../../../signature/mod.ts";
import { HDF5_LIST_CLASSES, HDF5_TYPES, hdf5Api, type Hdf5Functions } from "../hdf5_api.ts";
import { idOf, type NativeLibrary } from "./native_library.ts";
import type { Hid } from "./hid.ts";
import { TransferCheck } from "./transfer_check.ts";

type Functions = HostFunctions<Hdf5Functions>;
/** A function before it is called: throws when HDF5 would read or write beyond an array. */
type Check = (...values: never[]) => void;

/** The functions of the API, by the library. */
export function nativeHdf5(library: NativeLibrary): Functions {
  const checks: Partial<Record<string, Check>> = checksOf(new TransferCheck(library));
  const plain = Object.keys(hdf5Api.functions).map((key) => {
    const check = checks[key];
    return [key, (...values: unknown[]) => {
      check?.(...values as never[]);
      return library.call(key, values);
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

function checksOf(check: TransferCheck) {
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
    H5Dwrite: (dataset: Hid, type: Hid, ...rest: unknown[]) =>
      check.transfer({ dataset, type }, rest as never),
    H5Dread: (dataset: Hid, type: Hid, ...rest: unknown[]) =>
      check.transfer({ dataset, type }, rest as never),
    H5Awrite: (attribute: Hid, type: Hid, array: Uint8Array) =>
      check.attribute(attribute, type, array),
    H5Aread: (attribute: Hid, type: Hid, array: Uint8Array) =>
      check.attribute(attribute, type, array),
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
      const [majnum, minnum, relnum] = [0, 0, 0].map(() => new Uint32Array(1)) as [
        Uint32Array,
        Uint32Array,
        Uint32Array,
      ];
      library.raw("H5get_libversion", majnum, minnum, relnum);
      Object.assign(version, { majnum: majnum[0], minnum: minnum[0], relnum: relnum[0] });
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
