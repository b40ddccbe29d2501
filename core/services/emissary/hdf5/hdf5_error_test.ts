import { assertEquals } from "@std/assert";
import { hdf5Error } from "./hdf5_error.ts";

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
