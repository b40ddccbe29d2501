import type { Hdf5Part } from "../hdf5_api.ts";
import { DataSpace, maximumOf, numbersIn } from "./data_space.ts";
import { moveValues, type Transfer } from "./move_values.ts";
import { Place } from "./place.ts";
import { PropertyList } from "./property_list.ts";
import { makeGroups, refuse } from "./wasm_groups.ts";
import type { H5WasmMetadata, WasmLibrary } from "./wasm_library.ts";
import { checkBytes } from "./wasm_spaces.ts";
import { checkFileForm, WasmType } from "./wasm_type.ts";

/** What h5wasm takes for something new of a type and a dataspace. */
export function newMetadata({ form }: WasmType, space: DataSpace): object {
  checkFileForm(form);
  if (space.isNull) refuse("what makes something without values");
  return { ...form, shape: space.dims.map(BigInt), maxshape: space.maximums };
}

/** The dataspace of what h5wasm describes. */
export function spaceOf({ shape, maxshape }: H5WasmMetadata): DataSpace {
  if (!shape) return new DataSpace([], { isNull: true });
  return new DataSpace(shape, { maximums: (maxshape ?? shape).map(maximumOf) });
}

/** Datasets. */
export function wasmDatasets(library: WasmLibrary): Hdf5Part<"H5D"> {
  const metadataOf = (key: string, { file, path }: Place): H5WasmMetadata => {
    file.check(key);
    return library.ask(key, (h5) => h5.get_dataset_metadata(file.id, path));
  };
  const transfer = (key: "H5Dwrite" | "H5Dread", values: Transfer): 0 => {
    const metadata = metadataOf(key, values[0]);
    moveValues(library, { key, metadata, own: spaceOf(metadata) }, values);
    return 0;
  };
  return {
    H5Dcreate2(place: Place, name, type: WasmType, space: DataSpace, ...lists) {
      const [links, creation] = lists as (PropertyList | null)[];
      place.file.check("H5Dcreate2");
      const metadata = {
        ...newMetadata(type, space),
        ...(creation ?? new PropertyList()).forDataset(),
      };
      const made = new Place(place.file, place.pathOf(name));
      makeGroups(library, made, links ?? null);
      // h5wasm makes none without its values.
      library.withBytes(
        new Uint8Array(space.pointCount * type.form.size),
        (pointer) =>
          library.act(
            "H5Dcreate2",
            (h5) => h5.create_dataset(made.file.id, made.path, pointer, metadata),
          ),
      );
      made.file.hold();
      return made;
    },
    H5Dopen2(place: Place, name) {
      const opened = new Place(place.file, place.pathOf(name));
      metadataOf("H5Dopen2", opened);
      opened.file.hold();
      return opened;
    },
    H5Dget_space: (place: Place) => spaceOf(metadataOf("H5Dget_space", place)),
    H5Dget_type: (place: Place) => new WasmType(metadataOf("H5Dget_type", place)),
    H5Dget_create_plist(place: Place) {
      const list = new PropertyList();
      list.chunk = metadataOf("H5Dget_create_plist", place).chunks ?? undefined;
      const filters = library.ask(
        "H5Dget_create_plist",
        (h5) => h5.get_dataset_filters(place.file.id, place.path),
      );
      list.filters.push(...filters.map(({ id, cd_values }) => ({ id, values: cd_values })));
      return list;
    },
    H5Dget_storage_size: () => refuse("H5Dget_storage_size"),
    H5Dset_extent(place: Place, dims) {
      checkBytes(dims, 8 * (metadataOf("H5Dset_extent", place).shape ?? []).length);
      const sizes = numbersIn(dims).map(BigInt);
      library.act("H5Dset_extent", (h5) => h5.resize_dataset(place.file.id, place.path, sizes));
      return 0;
    },
    H5Dwrite: (...values) => transfer("H5Dwrite", values as unknown as Transfer),
    H5Dread: (...values) => transfer("H5Dread", values as unknown as Transfer),
    H5Dclose: ({ file }: Place) => (file.release("H5Dclose"), 0),
  };
}
