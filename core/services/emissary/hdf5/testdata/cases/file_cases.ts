/** Files, groups, links, and handles of them. */
import { assert, assertEquals } from "@std/assert";
import { H5, hsizes } from "../../hdf5_api.ts";
import { type Hdf5, hdf5Test, refused } from "../hdf5_case.ts";

hdf5Test("files are made, opened, flushed and closed", (h5, folder) => {
  const path = folder.file("a.h5");
  const file = h5.H5Fcreate(path, H5.H5F_ACC_EXCL, null, null);
  assertEquals(h5.H5Fflush(file, H5.H5F_SCOPE_GLOBAL), 0);
  assert(Deno.statSync(path).size > 0);
  assertEquals(h5.H5Fclose(file), 0);
  refused(() => h5.H5Fcreate(path, H5.H5F_ACC_EXCL, null, null), "File exists");
  refused(
    () => h5.H5Fopen(folder.file("none.h5"), H5.H5F_ACC_RDWR, null),
    "No such file or directory",
  );
  const again = h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
  refused(() => h5.H5Gcreate2(again, "g", null, null, null), "no write intent");
  h5.H5Fclose(again);
  refused(() => h5.H5Fclose(again), "it has ended or never was");
  const version = { majnum: 0, minnum: 0, relnum: 0 };
  assertEquals(h5.H5get_libversion(version), 0);
  assert(version.majnum >= 1 && version.minnum + version.majnum > 1);
});

hdf5Test("a file that is broken is refused, with the first cause", (h5, folder) => {
  const path = folder.file("broken.h5");
  Deno.writeTextFileSync(path, "no HDF5 in here, and that is long enough for a signature");
  refused(() => h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null), "file signature not found");
  const file = h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null);
  const space = h5.H5Screate_simple(1, hsizes(500), null);
  const list = h5.H5Pcreate(h5.H5P_DATASET_CREATE());
  h5.H5Pset_chunk(list, 1, hsizes(500));
  h5.H5Pset_deflate(list, 9);
  const type = h5.H5T_NATIVE_UINT8();
  const dataset = h5.H5Dcreate2(file, "x", type, space, null, list, null);
  h5.H5Dwrite(dataset, type, null, null, null, new Uint8Array(500).map((_, i) => i * i));
  h5.H5Dclose(dataset);
  h5.H5Fclose(file);
  // Everywhere but in the metadata at the front: somewhere there is the compressed chunk.
  const bytes = Deno.readFileSync(path);
  bytes.fill(0xee, bytes.length - 200);
  Deno.writeFileSync(path, bytes);
  const broken = h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
  const read = () => {
    const opened = h5.H5Dopen2(broken, "x", null);
    h5.H5Dread(opened, type, null, null, null, new Uint8Array(500));
  };
  refused(read, "Cannot finish H5D");
  assertEquals(h5.H5Fclose(broken), 0);
});

hdf5Test("groups and links", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const links = h5.H5Pcreate(h5.H5P_LINK_CREATE());
  h5.H5Pset_create_intermediate_group(links, 1);
  const group = h5.H5Gcreate2(file, "/one/two/three", links, null, null);
  for (const name of ["b", "a", "ä"]) {
    h5.H5Gclose(h5.H5Gcreate2(group, name, null, null, null));
  }
  const info = { storage_type: 0, nlinks: 0n, max_corder: 0n, mounted: true };
  h5.H5Gget_info(group, info);
  assertEquals([info.nlinks, info.mounted], [3n, false]);
  const { H5_INDEX_NAME, H5_ITER_INC, H5_ITER_DEC } = H5;
  const names = [0n, 1n, 2n].map((nth) =>
    h5.H5Lget_name_by_idx(file, "one/two/three", H5_INDEX_NAME, H5_ITER_INC, nth, null)
  );
  assertEquals(names, ["a", "b", "ä"]);
  assertEquals(h5.H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_DEC, 0n, null), "ä");
  refused(
    () => h5.H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, 3n, null),
    "out of bound",
  );
  const exists = (name: string) => h5.H5Lexists(file, name, null);
  assertEquals(["one", "one/two/three/ä", "two"].map(exists), [1, 1, 0]);
  refused(() => exists("two/three"), "not found");
  const two = h5.H5Gopen2(file, "one/two", null);
  assertEquals(h5.H5Lexists(two, "three", null), 1);
  refused(() => h5.H5Gopen2(two, "four", null), "'four' doesn't exist");
  refused(() => h5.H5Gcreate2(two, "three", null, null, null), "exists");
  assertEquals([h5.H5Ldelete(group, "b", null), h5.H5Lexists(group, "b", null)], [0, 0]);
  for (const one of [group, two]) h5.H5Gclose(one);
  h5.H5Pclose(links);
  h5.H5Fclose(file);
});

hdf5Test("what is open in a file holds it open, unless it was asked not to", (h5, folder) => {
  const path = folder.file("a.h5");
  const make = (access: ReturnType<Hdf5["H5Pcreate"]> | null) => {
    const file = h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, access);
    const space = h5.H5Screate_simple(1, hsizes(1), null);
    const dataset = h5.H5Dcreate2(file, "x", h5.H5T_NATIVE_UINT8(), space, null, null, null);
    h5.H5Fclose(file);
    return dataset;
  };
  const write = (dataset: ReturnType<typeof make>) =>
    h5.H5Dwrite(dataset, h5.H5T_NATIVE_UINT8(), null, null, null, Uint8Array.of(7));
  const weak = make(null);
  assertEquals([write(weak), h5.H5Dclose(weak)], [0, 0]);
  refused(() => h5.H5Dclose(weak), "it has ended or never was");
  const access = h5.H5Pcreate(h5.H5P_FILE_ACCESS());
  h5.H5Pset_fclose_degree(access, H5.H5F_CLOSE_STRONG);
  const strong = make(access);
  refused(() => write(strong), "Cannot finish H5D");
  refused(() => h5.H5Dclose(strong), "Cannot finish H5Dclose");
});

hdf5Test("a handle of something else, or of nothing, is refused", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const space = h5.H5Screate(H5.H5S_SCALAR);
  refused(() => h5.H5Dget_space(file as never), "it is one of a File");
  refused(
    () => h5.H5Gopen2(space as never, "/", null),
    "Cannot use the handle of a File or Group as it is one of a Dataspace",
  );
  for (const wrong of [1, 2 ** 51 + 1]) {
    refused(() => h5.H5Sclose(wrong as never), "has ended or never was");
  }
  assertEquals(h5.H5Sclose(space), 0);
  h5.H5Fclose(file);
});
