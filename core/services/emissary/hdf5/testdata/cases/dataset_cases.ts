/** Datasets and property lists. */
import { assertEquals, assertMatch } from "@std/assert";
import { H5, hsizes } from "../../hdf5_api.ts";
import { bytesOf, hdf5Test, numbersOf, refusal, refused } from "../hdf5_case.ts";

hdf5Test("values, fractions among them, come back from datasets", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const space = h5.H5Screate_simple(2, hsizes(3, 4), null);
  const double = h5.H5T_NATIVE_DOUBLE();
  const dataset = h5.H5Dcreate2(file, "x", double, space, null, null, null);
  const values = Float64Array.from({ length: 12 }, (_, index) => index / 4 + Math.PI);
  h5.H5Dwrite(dataset, double, null, null, null, bytesOf(values));
  const read = new Float64Array(12);
  h5.H5Dread(dataset, double, null, null, null, bytesOf(read));
  assertEquals(read, values);
  assertEquals(h5.H5Dget_storage_size(dataset), 96n);
  const type = h5.H5Dget_type(dataset);
  assertEquals(h5.H5Tequal(type, double), 1);
  const other = h5.H5Dopen2(file, "/x", null);
  assertEquals(h5.H5Sget_simple_extent_npoints(h5.H5Dget_space(other)), 12n);
  const write = (memory: typeof space | null, where: typeof space | null, bytes: number) => () =>
    h5.H5Dwrite(dataset, double, memory, where, null, new Uint8Array(bytes));
  for (const bytes of [0, 88, 104]) {
    refused(write(null, null, bytes), "must have 96 bytes");
  }
  const line = h5.H5Screate_simple(1, hsizes(5), null);
  refused(write(line, null, 40), "different");
  refused(write(null, line, 40), "the dimensions of the dataset");
  const one = h5.H5Scopy(space);
  h5.H5Sselect_hyperslab(one, H5.H5S_SELECT_SET, hsizes(3, 0), null, hsizes(1, 1), null);
  refused(write(one, one, 96), "lies outside");
  // HDF5 counts 0 points, or 0 bytes, and would write behind the array.
  const wrapping = [[2 ** 32, 2 ** 32], [2 ** 31, 2 ** 31, 4], [2 ** 61]];
  for (const dims of wrapping) {
    const huge = h5.H5Screate_simple(dims.length, hsizes(...dims), null);
    const [start, count] = [dims.map(() => 0), dims.map((_, index) => index === 0 ? 12 : 1)];
    h5.H5Sselect_hyperslab(huge, H5.H5S_SELECT_SET, hsizes(...start), null, hsizes(...count), null);
    refused(write(huge, null, 0), "array");
  }
  refused(
    () => h5.H5Dread(dataset, h5.H5T_C_S1(), null, null, null, new Uint8Array(12)),
    "no appropriate function for conversion",
  );
  const absent = refusal(() => h5.H5Dopen2(file, "none", null));
  const [first, ...rest] = absent.split("; ");
  assertMatch(
    first!,
    /^Cannot finish H5Dopen2 as HDF5 failed: H5\w+: object 'none' doesn't exist$/,
  );
  assertMatch(rest.at(-1)!, /^H5Dopen2: unable to/);
  assertEquals([h5.H5Dclose(dataset), h5.H5Dclose(other), h5.H5Fclose(file)], [0, 0, 0]);
});

hdf5Test("chunks, filters and datasets that grow", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const list = h5.H5Pcreate(h5.H5P_DATASET_CREATE());
  h5.H5Pset_chunk(list, 2, hsizes(2, 3));
  h5.H5Pset_deflate(list, 6);
  refused(() => h5.H5Pset_deflate(list, 10), "deflate level");
  refused(() => h5.H5Pset_chunk(list, 1, hsizes(0)), "positive");
  const space = h5.H5Screate_simple(2, hsizes(2, 3), hsizes(H5.H5S_UNLIMITED, 3));
  const int = h5.H5T_NATIVE_INT32();
  const dataset = h5.H5Dcreate2(file, "x", int, space, null, list, null);
  h5.H5Dwrite(dataset, int, null, null, null, bytesOf(Int32Array.of(1, 2, 3, 4, 5, 6)));
  h5.H5Dset_extent(dataset, hsizes(3, 3));
  const read = new Int32Array(9);
  h5.H5Dread(dataset, int, null, null, null, bytesOf(read));
  assertEquals([...read], [1, 2, 3, 4, 5, 6, 0, 0, 0]);
  refused(() => h5.H5Dset_extent(dataset, hsizes(9)), "must have 16 bytes");
  refused(() => h5.H5Dset_extent(dataset, hsizes(3, 4)), "Cannot finish");
  const made = h5.H5Dget_create_plist(dataset);
  assertEquals(numbersOf(2, (target) => h5.H5Pget_chunk(made, 2, target)), [2n, 3n]);
  const three = hsizes(7, 7, 7);
  assertEquals([h5.H5Pget_chunk(made, 3, three), three], [2, hsizes(2, 3, 7)]);
  assertEquals(h5.H5Pget_nfilters(made), 1);
  const copy = h5.H5Dcreate2(file, "y", int, space, null, made, null);
  assertEquals(h5.H5Pget_nfilters(h5.H5Dget_create_plist(copy)), 1);
  const plain = h5.H5Pcreate(h5.H5P_DATASET_CREATE());
  h5.H5Pset_shuffle(plain);
  refused(() => h5.H5Dcreate2(file, "z", int, space, null, plain, null), "chunked");
  const fill = () => h5.H5Pset_fill_value(plain, int, bytesOf(Int32Array.of(-7)));
  assertEquals(fill(), 0);
  refused(() => h5.H5Pset_fill_value(plain, int, new Uint8Array(3)), "must have 4 bytes");
  h5.H5Pset_chunk(plain, 2, hsizes(1, 1));
  const filled = h5.H5Dcreate2(file, "z", int, space, null, plain, null);
  h5.H5Dread(filled, int, null, null, null, bytesOf(read.subarray(0, 6)));
  assertEquals([...read.subarray(0, 6)], Array(6).fill(-7));
  for (const one of [list, made, plain]) assertEquals(h5.H5Pclose(one), 0);
  h5.H5Fclose(file);
});

hdf5Test("compounds come back with all their members", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const name = h5.H5Tcopy(h5.H5T_C_S1());
  h5.H5Tset_size(name, 4n);
  const row = h5.H5Tcreate(H5.H5T_COMPOUND, 16n);
  h5.H5Tinsert(row, "name", 0n, name);
  h5.H5Tinsert(row, "count", 4n, h5.H5T_NATIVE_INT32());
  h5.H5Tinsert(row, "value", 8n, h5.H5T_NATIVE_DOUBLE());
  const space = h5.H5Screate_simple(1, hsizes(2), null);
  const dataset = h5.H5Dcreate2(file, "rows", row, space, null, null, null);
  const rows = new Uint8Array(32);
  const view = new DataView(rows.buffer);
  for (const [at, text] of [[0, "one"], [16, "two"]] as const) {
    new TextEncoder().encodeInto(text, rows.subarray(at));
    view.setInt32(at + 4, -at, true);
    view.setFloat64(at + 8, at + 0.1, true);
  }
  h5.H5Dwrite(dataset, row, null, null, null, rows);
  h5.H5Dclose(dataset);
  const again = h5.H5Dopen2(file, "rows", null);
  const type = h5.H5Dget_type(again);
  assertEquals([h5.H5Tget_nmembers(type), h5.H5Tget_member_name(type, 2)], [3, "value"]);
  const read = new Uint8Array(32);
  h5.H5Dread(again, type, null, null, null, read);
  assertEquals(read, rows);
  h5.H5Fclose(file);
});

hdf5Test("values behind pointers do not cross", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const endless = h5.H5Tcopy(h5.H5T_C_S1());
  h5.H5Tset_size(endless, H5.H5T_VARIABLE);
  const pair = h5.H5Tcreate(H5.H5T_COMPOUND, 16n);
  h5.H5Tinsert(pair, "text", 8n, endless);
  const space = h5.H5Screate_simple(1, hsizes(1), null);
  const make = () => h5.H5Dcreate2(file, "b", pair, space, null, null, null);
  const bytes = new Uint8Array(16).fill(65);
  const dataset = make();
  const attribute = h5.H5Acreate2(dataset, "b", pair, space, null, null);
  const list = h5.H5Pcreate(h5.H5P_DATASET_CREATE());
  const calls = [
    () => h5.H5Dwrite(dataset, pair, null, null, null, bytes),
    () => h5.H5Dread(dataset, pair, null, null, null, bytes),
    () => h5.H5Awrite(attribute, pair, bytes),
    () => h5.H5Aread(attribute, pair, bytes),
    () => h5.H5Pset_fill_value(list, pair, bytes),
    () => h5.H5Pset_fill_value(list, endless, bytes.subarray(8)),
  ];
  for (const call of calls) refused(call, "as it has pointers");
});
