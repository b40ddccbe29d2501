import type { HostFunctions } from "../../../../signature/mod.ts";
import type { Hdf5Functions } from "../hdf5_api.ts";
import { wasmAttributes } from "./wasm_attributes.ts";
import { wasmDatasets } from "./wasm_datasets.ts";
import type { WasmFiles } from "./wasm_file.ts";
import { refuse, wasmGroups } from "./wasm_groups.ts";
import type { WasmLibrary } from "./wasm_library.ts";
import { wasmLists, wasmSpaces, wasmTypes } from "./wasm_spaces.ts";

/** The functions of the API, by h5wasm. */
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
