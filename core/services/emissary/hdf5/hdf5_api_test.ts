import { assertEquals } from "@std/assert";
import type { HostStubs } from "../../../signature/mod.ts";
import {
  H5,
  HDF5_LIST_CLASSES,
  HDF5_TYPES,
  hdf5Api,
  hdf5Error,
  type Hdf5Functions,
  hsizes,
} from "./hdf5_api.ts";

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

/** Never called: only the compiler reads it. */
function callers(h5: HostStubs<Hdf5Functions>): void {
  const file = h5.H5Fopen("a.h5", 0, null);
  const group = h5.H5Gopen2(file, "/", null);
  const dataset = h5.H5Dopen2(group, "x", null);
  const space = h5.H5Dget_space(dataset);
  // @ts-expect-error a dataset is no place for names
  h5.H5Dopen2(dataset, "x", null);
  // @ts-expect-error a dataset is no dataspace
  h5.H5Sclose(dataset);
  h5.H5Aexists(dataset, "unit");
  // @ts-expect-error a dataspace has no attributes
  h5.H5Aexists(space, "unit");
  // @ts-expect-error all of it is null, not undefined
  h5.H5Dread(dataset, h5.H5T_NATIVE_DOUBLE(), undefined, space, null, new Uint8Array(8));
  // @ts-expect-error hsize_t has 64 bits
  const count: number = h5.H5Sget_select_npoints(space);
  h5.H5Sselect_all(space) + count;
}

Deno.test("hdf5Api does not compile with one handle in place of another", () => {
  assertEquals(callers.length, 1);
});

Deno.test("hsizes() are numbers of 64 bits, the lowest byte first", () => {
  assertEquals([...hsizes(3, 0x1_0000_0000n)], [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
  assertEquals([...hsizes(H5.H5S_UNLIMITED)], Array(8).fill(255));
  assertEquals(hsizes().length, 0);
});

Deno.test("hdf5Error() has the whole stack, or says that there is none", () => {
  assertEquals(
    hdf5Error("H5Dopen2", ["H5Dopen2: unable to open", "H5G_find: no x"]).message,
    "Cannot finish H5Dopen2 as HDF5 failed: H5G_find: no x; H5Dopen2: unable to open",
  );
  assertEquals(
    hdf5Error("H5Fopen", []).message,
    "Cannot finish H5Fopen as HDF5 failed: it does not say why",
  );
});
