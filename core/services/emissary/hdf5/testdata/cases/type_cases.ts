/** Dataspaces, types, attributes. */
import { assertEquals } from "@std/assert";
import { H5, HDF5_TYPES, hsizes } from "../../hdf5_api.ts";
import { textBytes, textsOf } from "../../texts.ts";
import { bytesOf, hdf5Test, numbersOf, refused } from "../hdf5_case.ts";

hdf5Test("dataspaces and what is selected of them", (h5) => {
  const space = h5.H5Screate_simple(2, hsizes(3, 40), hsizes(3, H5.H5S_UNLIMITED));
  assertEquals(h5.H5Sget_simple_extent_ndims(space), 2);
  let maximums: bigint[] = [];
  const dims = numbersOf(2, (target) => {
    maximums = numbersOf(2, (most) => h5.H5Sget_simple_extent_dims(space, target, most));
  });
  assertEquals([dims, maximums], [[3n, 40n], [3n, H5.H5S_UNLIMITED]]);
  assertEquals(h5.H5Sget_simple_extent_npoints(space), 120n);
  const copy = h5.H5Scopy(space);
  const { H5S_SELECT_SET } = H5;
  h5.H5Sselect_hyperslab(space, H5S_SELECT_SET, hsizes(0, 1), hsizes(1, 9), hsizes(3, 4), null);
  assertEquals(h5.H5Sget_select_npoints(space), 12n);
  h5.H5Sselect_none(space);
  assertEquals([h5.H5Sget_select_npoints(space), h5.H5Sget_select_npoints(copy)], [0n, 120n]);
  h5.H5Sselect_all(space);
  assertEquals(h5.H5Sget_select_npoints(space), 120n);
  const select = (...[start, stride, count, block]: (Uint8Array | null)[]) => () =>
    h5.H5Sselect_hyperslab(space, H5S_SELECT_SET, start!, stride!, count!, block!);
  const [zeros, ones] = [hsizes(0, 0), hsizes(1, 1)];
  refused(select(zeros, zeros, ones, null), "stride");
  refused(select(zeros, ones, hsizes(2, 2), hsizes(2, 2)), "overlap");
  refused(select(hsizes(0), null, ones, null), "must have 16 bytes");
  refused(() => h5.H5Sget_simple_extent_dims(space, new Uint8Array(8), null), "must have 16 bytes");
  refused(() => h5.H5Screate_simple(2, hsizes(3), null), "bytes");
  const scalar = h5.H5Screate(H5.H5S_SCALAR);
  const none = h5.H5Screate(H5.H5S_NULL);
  assertEquals([scalar, none].map((one) => h5.H5Sget_simple_extent_npoints(one)), [1n, 0n]);
  refused(() => h5.H5Screate(9), "invalid");
  for (const one of [space, copy, scalar, none]) assertEquals(h5.H5Sclose(one), 0);
});

hdf5Test("types of numbers, texts and compounds", (h5) => {
  const nameless = { SCHAR: 1, UCHAR: 1, S1: 1, OPAQUE: 1, HBOOL: 1, SHORT: 2, USHORT: 2, INT: 4 };
  const others = { UINT: 4, FLOAT: 4, LDOUBLE: 16 }; // and 8 bytes
  for (const key of HDF5_TYPES) {
    const type = h5[key as "H5T_C_S1"]();
    const bits = /_[A-Z]+(\d+)(?:LE|BE)?$/.exec(key)?.[1];
    const known: Record<string, number> = { ...nameless, ...others };
    const sizeBytes = known[key.split("_").at(-1)!] ?? (bits ? Number(bits) / 8 : 8);
    assertEquals(h5.H5Tget_size(type), BigInt(sizeBytes), key);
  }
  assertEquals(HDF5_TYPES.length, 60);
  assertEquals(h5.H5Tequal(h5.H5T_NATIVE_INT(), h5.H5T_STD_I32LE()), 1);
  assertEquals(h5.H5Tget_order(h5.H5T_STD_I32BE()), H5.H5T_ORDER_BE);
  assertEquals(h5.H5Tget_sign(h5.H5T_NATIVE_UINT16()), H5.H5T_SGN_NONE);
  assertEquals(h5.H5Tequal(h5.H5T_NATIVE_INT64(), h5.H5T_STD_I64LE()), 1);
  assertEquals(h5.H5Tequal(h5.H5T_NATIVE_INT64(), h5.H5T_STD_U64LE()), 0);
  const common = h5.H5T_C_S1();
  refused(() => h5.H5Tclose(common), "immutable");
  assertEquals(h5.H5Tget_size(common), 1n); // as before, for everybody

  const text = h5.H5Tcopy(h5.H5T_C_S1());
  h5.H5Tset_size(text, 12n);
  h5.H5Tset_strpad(text, H5.H5T_STR_SPACEPAD);
  h5.H5Tset_cset(text, H5.H5T_CSET_UTF8);
  assertEquals([h5.H5Tget_size(text), h5.H5Tget_class(text)], [12n, H5.H5T_STRING]);
  const compound = h5.H5Tcreate(H5.H5T_COMPOUND, 24n);
  h5.H5Tinsert(compound, "name", 0n, text);
  h5.H5Tinsert(compound, "value", 16n, h5.H5T_NATIVE_DOUBLE());
  refused(() => h5.H5Tinsert(compound, "other", 8n, h5.H5T_NATIVE_DOUBLE()), "overlap");
  assertEquals(h5.H5Tget_nmembers(compound), 2);
  assertEquals(h5.H5Tget_member_name(compound, 1), "value");
  assertEquals(h5.H5Tget_member_offset(compound, 1), 16n);
  refused(() => h5.H5Tget_member_offset(compound, 2), "member");
  refused(() => h5.H5Tget_member_name(compound, 2), "member");
  const member = h5.H5Tget_member_type(compound, 0);
  assertEquals(h5.H5Tequal(member, text), 1);
  for (const one of [text, compound, member]) assertEquals(h5.H5Tclose(one), 0);
});

hdf5Test("texts of any length, in datasets and attributes", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const type = h5.H5Tcopy(h5.H5T_C_S1());
  assertEquals(h5.H5Tis_variable_str(type), 0);
  h5.H5Tset_size(type, H5.H5T_VARIABLE);
  h5.H5Tset_cset(type, H5.H5T_CSET_UTF8);
  assertEquals(h5.H5Tis_variable_str(type), 1);
  const space = h5.H5Screate_simple(2, hsizes(2, 2), null);
  const dataset = h5.H5Dcreate2(file, "names", type, space, null, null, null);
  const read = (bytes = 64) => {
    const room = new Uint8Array(bytes).fill(7);
    h5.H5Dread(dataset, type, null, null, null, room);
    return textsOf(room, 4);
  };
  assertEquals(read(4), ["", "", "", ""]); // of what was never written
  const long = "é".repeat(1000);
  h5.H5Dwrite(dataset, type, null, null, null, textBytes("one", "", long, "four"));
  assertEquals(read(2100), ["one", "", long, "four"]);
  refused(() => read(2010), "its texts take 2011 bytes");
  refused(() => read(3), "its texts take 4 bytes");
  for (const wrong of [textBytes("a", "b", "c"), Uint8Array.of(0, 0, 0, 65), new Uint8Array(5)]) {
    refused(
      () => h5.H5Dwrite(dataset, type, null, null, null, wrong),
      "must have 4 texts, each with a NUL behind it",
    );
  }
  // The second column, from the first two of three.
  const three = h5.H5Screate_simple(1, hsizes(3), null);
  const { H5S_SELECT_SET } = H5;
  h5.H5Sselect_hyperslab(three, H5S_SELECT_SET, hsizes(0), null, hsizes(2), null);
  h5.H5Sselect_hyperslab(space, H5S_SELECT_SET, hsizes(0, 1), null, hsizes(2, 1), null);
  h5.H5Dwrite(dataset, type, three, space, null, textBytes("zwei", "quatre", "not written"));
  assertEquals(read(2100), ["one", "zwei", long, "quatre"]);
  const room = new Uint8Array(20);
  h5.H5Dread(dataset, type, three, space, null, room);
  assertEquals(textsOf(room, 3), ["zwei", "quatre", ""]);
  const scalar = h5.H5Screate(H5.H5S_SCALAR);
  const unit = h5.H5Acreate2(dataset, "unit", type, scalar, null, null);
  h5.H5Awrite(unit, type, textBytes("mètre"));
  const opened = h5.H5Aopen(dataset, "unit", null);
  assertEquals(h5.H5Tis_variable_str(h5.H5Aget_type(opened)), 1);
  h5.H5Aread(opened, type, room);
  assertEquals(textsOf(room, 1), ["mètre"]);
  refused(() => h5.H5Aread(opened, type, room.subarray(0, 3)), "take 7");
  const pair = h5.H5Tcreate(H5.H5T_COMPOUND, 16n);
  h5.H5Tinsert(pair, "text", 0n, type);
  refused(
    () => h5.H5Dread(dataset, pair, null, null, null, new Uint8Array(64)),
    "texts of any length only by themselves",
  );
  const list = h5.H5Pcreate(h5.H5P_DATASET_CREATE());
  const fill = () => h5.H5Pset_fill_value(list, type, new Uint8Array(8));
  refused(fill, "only by themselves");
  for (const one of [unit, opened]) h5.H5Aclose(one);
  h5.H5Dclose(dataset);
  h5.H5Fclose(file);
});

hdf5Test("attributes of a file, a group and a dataset", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const group = h5.H5Gcreate2(file, "g", null, null, null);
  const space = h5.H5Screate_simple(1, hsizes(3), null);
  const scalar = h5.H5Screate(H5.H5S_SCALAR);
  const float = h5.H5T_NATIVE_FLOAT();
  const dataset = h5.H5Dcreate2(group, "x", float, space, null, null, null);
  const text = h5.H5Tcopy(h5.H5T_C_S1());
  h5.H5Tset_size(text, 8n);
  for (const owner of [file, group, dataset]) {
    const unit = h5.H5Acreate2(owner, "unit", text, scalar, null, null);
    h5.H5Awrite(unit, text, new TextEncoder().encode("metre\0\0\0"));
    h5.H5Aclose(unit);
    const range = h5.H5Acreate2(owner, "range", float, space, null, null);
    h5.H5Awrite(range, float, bytesOf(Float32Array.of(0.5, 1.25, -3)));
    h5.H5Aclose(range);
    assertEquals([h5.H5Aexists(owner, "unit"), h5.H5Aexists(owner, "none")], [1, 0]);
    assertEquals(h5.H5Aget_num_attrs(owner), 2);
    const { H5_INDEX_NAME, H5_ITER_INC } = H5;
    const nth = (index: bigint) =>
      h5.H5Aget_name_by_idx(owner, ".", H5_INDEX_NAME, H5_ITER_INC, index, null);
    assertEquals([nth(0n), nth(1n)], ["range", "unit"]);
    const opened = h5.H5Aopen(owner, "unit", null);
    const letters = new Uint8Array(8);
    h5.H5Aread(opened, text, letters);
    assertEquals(new TextDecoder().decode(letters), "metre\0\0\0");
    refused(() => h5.H5Aread(opened, text, new Uint8Array(9)), "must have 8 bytes");
    refused(() => h5.H5Awrite(opened, text, new Uint8Array(0)), "8 bytes");
    const again = h5.H5Aopen(owner, "range", null);
    assertEquals(h5.H5Tequal(h5.H5Aget_type(again), float), 1);
    assertEquals(h5.H5Sget_simple_extent_npoints(h5.H5Aget_space(again)), 3n);
    const floats = new Float32Array(3);
    h5.H5Aread(again, float, bytesOf(floats));
    assertEquals([...floats], [0.5, 1.25, -3]);
    refused(
      () => h5.H5Acreate2(owner, "unit", text, scalar, null, null),
      "attribute already exists",
    );
    for (const one of [opened, again]) h5.H5Aclose(one);
    assertEquals([h5.H5Adelete(owner, "unit"), h5.H5Aexists(owner, "unit")], [0, 0]);
    refused(() => h5.H5Aopen(owner, "unit", null), "attribute");
    refused(() => h5.H5Adelete(owner, "unit"), "Cannot finish H5Adelete");
  }
  h5.H5Fclose(file);
});
