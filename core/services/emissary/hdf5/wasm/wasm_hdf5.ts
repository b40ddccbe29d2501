import type { HostFunctions } from "../../../../signature/mod.ts";
import { hdf5Error, type Hdf5Functions, type Hdf5Part } from "../hdf5_api.ts";
import type { WasmFiles } from "./wasm_file.ts";
import { makeGroups, nthName, Place, refuse, WasmAttribute, wasmGroups } from "./wasm_groups.ts";
import {
  checkFileForm,
  checkMemoryForm,
  type H5WasmMetadata,
  isText,
  type WasmLibrary,
  WasmType,
} from "./wasm_library.ts";
import { moveTexts } from "./wasm_texts.ts";
import { PropertyList, wasmLists, wasmSpaces, wasmTypes } from "./wasm_spaces.ts";
import {
  checkBytes,
  DataSpace,
  maximumOf,
  moveValues,
  numbersIn,
  type Transfer,
} from "./data_space.ts";

export function wasmHdf5(library: WasmLibrary, files: WasmFiles): HostFunctions<Hdf5Functions> {
  return {
    H5get_libversion: () => refuse("H5get_libversion"),
    ...wasmGroups(library, files),
    ...wasmSpaces(),
    ...wasmTypes(),
    ...wasmLists(),
    ...wasmDatasets(library),
    ...wasmAttributes(library),
  };
}

/** What h5wasm takes for something new of a type and a dataspace. */
function newMetadata({ form }: WasmType, space: DataSpace): object {
  checkFileForm(form);
  if (space.isNull) refuse("what makes something without values");
  return { ...form, shape: space.dims.map(BigInt), maxshape: space.maximums };
}

/** The dataspace of what h5wasm describes. */
function spaceOf({ shape, maxshape }: H5WasmMetadata): DataSpace {
  if (!shape) return new DataSpace([], { isNull: true });
  return new DataSpace(shape, { maximums: (maxshape ?? shape).map(maximumOf) });
}

function wasmDatasets(library: WasmLibrary): Hdf5Part<"H5D"> {
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

/** Attributes. h5wasm makes one with its values and does not change them: it is made again. */
function wasmAttributes(library: WasmLibrary): Hdf5Part<"H5A"> {
  const namesOf = (key: string, { file, path }: Place): readonly string[] => {
    file.check(key);
    return library.ask(key, (h5) => h5.get_attribute_names(file.id, path));
  };
  const metadataOf = (key: string, { owner, name }: WasmAttribute): H5WasmMetadata => {
    owner.file.check(key);
    return library.ask(key, (h5) => h5.get_attribute_metadata(owner.file.id, owner.path, name));
  };
  const make = (key: string, { owner, name }: WasmAttribute, metadata: object, bytes: Uint8Array) =>
    library.withBytes(
      bytes,
      (pointer) =>
        library.act(
          key,
          (h5) => h5.create_attribute(owner.file.id, owner.path, name, pointer, metadata),
        ),
    );
  const remove = (key: string, { file, path }: Place, name: string): void => {
    library.act(key, (h5) => h5.delete_attribute(file.id, path, name));
  };
  const opened = (attribute: WasmAttribute) => (attribute.owner.file.hold(), attribute);
  return {
    H5Acreate2(owner: Place, name, type: WasmType, space: DataSpace) {
      owner.file.check("H5Acreate2");
      const attribute = new WasmAttribute(owner, name);
      const zeros = new Uint8Array(space.pointCount * type.form.size);
      make("H5Acreate2", attribute, newMetadata(type, space), zeros);
      return opened(attribute);
    },
    H5Aopen(owner: Place, name) {
      if (!namesOf("H5Aopen", owner).includes(name)) {
        throw hdf5Error("H5Aopen", [`can't locate attribute: '${name}'`]);
      }
      return opened(new WasmAttribute(owner, name));
    },
    H5Aexists: (owner: Place, name) => namesOf("H5Aexists", owner).includes(name) ? 1 : 0,
    H5Adelete(owner: Place, name) {
      owner.file.check("H5Adelete");
      remove("H5Adelete", owner, name);
      return 0;
    },
    H5Aget_num_attrs: (owner: Place) => namesOf("H5Aget_num_attrs", owner).length,
    H5Aget_name_by_idx(owner: Place, path, index, order, nth) {
      const names = namesOf("H5Aget_name_by_idx", new Place(owner.file, owner.pathOf(path)));
      return nthName("H5Aget_name_by_idx", names, { index, order, nth });
    },
    H5Aget_space: (attribute: WasmAttribute) => spaceOf(metadataOf("H5Aget_space", attribute)),
    H5Aget_type: (attribute: WasmAttribute) => new WasmType(metadataOf("H5Aget_type", attribute)),
    H5Awrite(attribute: WasmAttribute, type: WasmType, array) {
      const metadata = metadataOf("H5Awrite", attribute);
      const whole = newMetadata(new WasmType(metadata), spaceOf(metadata));
      const move = (bytes: Uint8Array) => {
        remove("H5Awrite", attribute.owner, attribute.name);
        make("H5Awrite", attribute, whole, bytes);
      };
      return moveAttribute(library, { type, metadata, isWrite: true, move }, array);
    },
    H5Aread(attribute: WasmAttribute, type: WasmType, array) {
      const { owner: { file, path }, name } = attribute;
      const metadata = metadataOf("H5Aread", attribute);
      const read = (at: bigint) =>
        library.act("H5Aread", (h5) => h5.get_attribute_data(file.id, path, name, at));
      const move = (bytes: Uint8Array) => library.withBytes(bytes, read);
      return moveAttribute(library, { type, metadata, isWrite: false, move }, array);
    },
    H5Aclose: ({ owner }: WasmAttribute) => (owner.file.release("H5Aclose"), 0),
  };
}

interface AttributeMove {
  readonly type: WasmType;
  readonly metadata: H5WasmMetadata;
  readonly isWrite: boolean;
  /** Moves the values as HDF5 has them. */
  readonly move: (bytes: Uint8Array) => void;
}

function moveAttribute(
  library: WasmLibrary,
  { type: { form }, metadata, isWrite, move }: AttributeMove,
  array: Uint8Array,
): 0 {
  const count = spaceOf(metadata).pointCount;
  checkMemoryForm(form, metadata);
  if (isText(form)) moveTexts(library, { count, isWrite, move }, array);
  else {
    checkBytes(array, count * form.size);
    move(array);
  }
  return 0;
}
