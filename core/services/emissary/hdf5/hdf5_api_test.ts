import { assertEquals } from "@std/assert";
import { HDF5_LIST_CLASSES, HDF5_TYPES, hdf5Api } from "./hdf5_api.ts";

Deno.test("hdf5Api has HDF5's parameters in their order, and what C calls macros as functions", () => {
  const { H5Dwrite, H5Screate_simple, H5T_NATIVE_DOUBLE } = hdf5Api.functions;
  assertEquals(
    H5Dwrite.text,
    "hdf5.H5Dwrite(Handle<Dataset>, Handle<Datatype>, Handle<Dataspace> or null, Handle<Dataspace> or null, Handle<Plist> or null, in bytes) -> i32",
  );
  assertEquals(
    H5Screate_simple.text,
    "hdf5.H5Screate_simple(i32, in bytes[#0 * 8], in bytes[#0 * 8] or null) -> Handle<Dataspace>",
  );
  assertEquals(H5T_NATIVE_DOUBLE.text, "hdf5.H5T_NATIVE_DOUBLE() -> Handle<Datatype>");
  const names = [...HDF5_TYPES, ...HDF5_LIST_CLASSES];
  assertEquals(names.filter((name) => !(name in hdf5Api.functions)), []);
});
