import { hdf5Error } from "../hdf5_error.ts";
import type { Hdf5Part } from "../hdf5_api.ts";
import type { DataSpace } from "./data_space.ts";
import { Place, WasmAttribute } from "./place.ts";
import { newMetadata, spaceOf } from "./wasm_datasets.ts";
import { nthName } from "./wasm_groups.ts";
import type { H5WasmMetadata, WasmLibrary } from "./wasm_library.ts";
import { checkBytes } from "./wasm_spaces.ts";
import { checkMemoryForm, WasmType } from "./wasm_type.ts";

/** Attributes. h5wasm makes one with its values and does not change them: it is made again. */
export function wasmAttributes(library: WasmLibrary): Hdf5Part<"H5A"> {
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
      const space = checkTransfer({ type, metadata }, array);
      const whole = newMetadata(new WasmType(metadata), space);
      remove("H5Awrite", attribute.owner, attribute.name);
      make("H5Awrite", attribute, whole, array);
      return 0;
    },
    H5Aread(attribute: WasmAttribute, type: WasmType, array) {
      const { owner: { file, path }, name } = attribute;
      checkTransfer({ type, metadata: metadataOf("H5Aread", attribute) }, array);
      library.withBytes(
        array,
        (pointer) =>
          library.act("H5Aread", (h5) => h5.get_attribute_data(file.id, path, name, pointer)),
      );
      return 0;
    },
    H5Aclose: ({ owner }: WasmAttribute) => (owner.file.release("H5Aclose"), 0),
  };
}

function checkTransfer(
  { type, metadata }: { readonly type: WasmType; readonly metadata: H5WasmMetadata },
  array: Uint8Array,
): DataSpace {
  const space = spaceOf(metadata);
  checkMemoryForm(type.form, metadata);
  checkBytes(array, space.pointCount * type.form.size);
  return space;
}
