import type { WasmFile, WasmFiles } from "./wasm_file.ts";
import { H5, hdf5Error, type Hdf5Part } from "../hdf5_api.ts";
import type { PropertyList } from "./wasm_spaces.ts";
import type { WasmLibrary } from "./wasm_library.ts";

/** A file's root, a group or a dataset, as h5wasm finds it: by its path. */
export class Place {
  readonly file: WasmFile;
  /** From the root, with no slash at its end but that of the root. */
  readonly path: string;

  constructor(file: WasmFile, path: string) {
    this.file = file;
    this.path = path;
  }

  /** The path of a name that is looked for from here. */
  pathOf(name: string): string {
    const whole = name.startsWith("/") ? name : `${this.path}/${name}`;
    const parts = whole.split("/").filter((part) => part !== "" && part !== ".");
    return `/${parts.join("/")}`;
  }
}

/** Each path on the way to this one, the shortest first, without the root and the path itself. */
function pathsAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}

export class WasmAttribute {
  readonly owner: Place;
  readonly name: string;

  constructor(owner: Place, name: string) {
    this.owner = owner;
    this.name = name;
  }
}

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

export function wasmGroups(
  library: WasmLibrary,
  files: WasmFiles,
): Hdf5Part<"H5F" | "H5G" | "H5L"> {
  const namesOf = (key: string, { file, path }: Place): readonly string[] => {
    file.check(key);
    return library.ask(key, (h5) => h5.get_names(file.id, path, false));
  };
  const opened = (place: Place): Place => (place.file.hold(), place);
  const openFile = (
    name: "H5Fcreate" | "H5Fopen",
    { access, ...file }: { path: string; flags: number; access: PropertyList | null },
  ) => new Place(files.open({ name, ...file, isStrong: access?.isStrong ?? false }), "/");
  return {
    H5Fcreate: (path, flags, _creation, access: PropertyList | null) =>
      openFile("H5Fcreate", { path, flags, access }),
    H5Fopen: (path, flags, access: PropertyList | null) =>
      openFile("H5Fopen", { path, flags, access }),
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
