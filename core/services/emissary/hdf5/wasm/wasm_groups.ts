import { hdf5Error } from "../hdf5_error.ts";
import type { Hdf5Part } from "../hdf5_api.ts";
import { H5 } from "../hdf5_numbers.ts";
import { pathsAbove, Place } from "./place.ts";
import type { PropertyList } from "./property_list.ts";
import type { WasmFiles } from "./wasm_file.ts";
import type { WasmLibrary } from "./wasm_library.ts";

const NOTHING = -1;
const UNKNOWN_STORAGE = -1;

/** What h5wasm cannot do. */
export function refuse(name: string): never {
  throw new TypeError(
    `Cannot call ${name} as h5wasm does not have it: it needs HDF5's own library`,
  );
}

/** Makes the groups on the way to a path where the list asks for it. */
export function makeGroups(
  library: WasmLibrary,
  { file, path }: Place,
  list: PropertyList | null,
): void {
  if (!list?.makesGroups) return;
  for (const above of pathsAbove(path)) {
    if (library.ask("H5Lexists", (h5) => h5.get_type(file.id, above)) !== NOTHING) continue;
    library.act("H5Gcreate2", (h5) => h5.create_group(file.id, above, false));
  }
}

/** A name in an order by names. */
export function nthName(
  key: string,
  names: readonly string[],
  { index, order, nth }: { readonly index: number; readonly order: number; readonly nth: bigint },
): string {
  if (index !== H5.H5_INDEX_NAME) refuse(`${key} by anything but names`);
  const sorted = [...names].sort();
  const name = (order === H5.H5_ITER_DEC ? sorted.reverse() : sorted)[Number(nth)];
  if (name === undefined) throw hdf5Error(key, [`index out of bound: ${nth} of ${names.length}`]);
  return name;
}

/** Files, groups and links. */
export function wasmGroups(
  library: WasmLibrary,
  files: WasmFiles,
): Hdf5Part<"H5F" | "H5G" | "H5L"> {
  const namesOf = (key: string, { file, path }: Place): readonly string[] => {
    file.check(key);
    return library.ask(key, (h5) => h5.get_names(file.id, path, false));
  };
  const opened = (place: Place): Place => (place.file.hold(), place);
  return {
    H5Fcreate: (path, flags, _creation, access: PropertyList | null) =>
      new Place(
        files.open({ name: "H5Fcreate", path, flags, isStrong: access?.isStrong ?? false }),
        "/",
      ),
    H5Fopen: (path, flags, access: PropertyList | null) =>
      new Place(
        files.open({ name: "H5Fopen", path, flags, isStrong: access?.isStrong ?? false }),
        "/",
      ),
    H5Fflush({ file }: Place) {
      file.check("H5Fflush");
      file.flush();
      return 0;
    },
    H5Fclose: ({ file }: Place) => (file.closeHandle(), 0),

    H5Gcreate2(place: Place, name, links: PropertyList | null) {
      place.file.check("H5Gcreate2");
      const group = new Place(place.file, place.pathOf(name));
      makeGroups(library, group, links);
      library.act("H5Gcreate2", (h5) => h5.create_group(group.file.id, group.path, false));
      return opened(group);
    },
    H5Gopen2(place: Place, name) {
      const group = new Place(place.file, place.pathOf(name));
      namesOf("H5Gopen2", group);
      return opened(group);
    },
    H5Gget_info(place: Place, info) {
      const nlinks = BigInt(namesOf("H5Gget_info", place).length);
      Object.assign(info, {
        storage_type: UNKNOWN_STORAGE,
        nlinks,
        max_corder: 0n,
        mounted: false,
      });
      return 0;
    },
    H5Gclose: ({ file }: Place) => (file.release("H5Gclose"), 0),

    H5Lexists(place: Place, name) {
      place.file.check("H5Lexists");
      const path = place.pathOf(name);
      const missing = pathsAbove(path).find((above) =>
        library.ask("H5Lexists", (h5) => h5.get_type(place.file.id, above)) === NOTHING
      );
      if (missing) throw hdf5Error("H5Lexists", [`component ${missing} not found`]);
      const type = library.ask("H5Lexists", (h5) => h5.get_type(place.file.id, path));
      return type === NOTHING ? 0 : 1;
    },
    H5Lget_name_by_idx(place: Place, group, index, order, nth) {
      const names = namesOf("H5Lget_name_by_idx", new Place(place.file, place.pathOf(group)));
      return nthName("H5Lget_name_by_idx", names, { index, order, nth });
    },
    H5Ldelete: () => refuse("H5Ldelete"),
  };
}
