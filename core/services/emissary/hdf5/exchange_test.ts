/** What one host writes, and how the others read it; and where the files of h5wasm are. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as h5wasm from "h5wasm";
import { MemoryFiles } from "../../files/testdata/memory_files.ts";
import { H5, hsizes } from "./hdf5_api.ts";
import { dumped } from "./testdata/hdf5_readers.ts";
import { textBytes, textsOf } from "./text_bytes.ts";
import {
  bytesOf,
  hasLibrary,
  hosts,
  NEEDS_LIBRARY,
  session,
  TestFolder,
} from "./testdata/hdf5_hosts.ts";

Deno.test({
  name: `h5wasm reads numbers of the other order, and the library converts${NEEDS_LIBRARY}`,
  ignore: !hasLibrary,
  async fn() {
    using folder = new TestFolder();
    const path = folder.file("a.h5");
    using library = session({});
    {
      const { h5 } = library;
      const file = h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null);
      const space = h5.H5Screate_simple(1, hsizes(3), null);
      const dataset = h5.H5Dcreate2(file, "big", h5.H5T_STD_I32BE(), space, null, null, null);
      const double = h5.H5T_NATIVE_DOUBLE();
      h5.H5Dwrite(dataset, double, null, null, null, bytesOf(Float64Array.of(1.75, -2, 3e9)));
      h5.H5Dclose(dataset);
      h5.H5Fclose(file);
    }
    using wasm = session({ wasm: await h5wasm.ready });
    const { h5 } = wasm;
    const file = h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
    const dataset = h5.H5Dopen2(file, "big", null);
    const type = h5.H5Dget_type(dataset);
    assertEquals(h5.H5Tget_order(type), H5.H5T_ORDER_BE);
    const read = new Int32Array(3);
    h5.H5Dread(dataset, h5.H5T_NATIVE_INT32(), null, null, null, bytesOf(read));
    // As HDF5 converts: towards zero, and to the nearest end of the range.
    assertEquals([...read], [1, -2, 2 ** 31 - 1]);
    for (const other of [h5.H5T_NATIVE_DOUBLE(), type, h5.H5T_NATIVE_UINT32()]) {
      const bytes = new Uint8Array(3 * Number(h5.H5Tget_size(other)));
      const use = () => h5.H5Dread(dataset, other, null, null, null, bytes);
      const error = assertThrows(use, Error).cause as Error;
      assertStringIncludes(error.message, "h5wasm converts nothing");
    }
    const space = h5.H5Dget_space(dataset);
    const make = () => h5.H5Dcreate2(file, "other", type, space, null, null, null);
    assertStringIncludes((assertThrows(make, Error).cause as Error).message, "little-endian");
  },
});

Deno.test("h5wasm has its files where the host has them, whole, and shares what is open twice", async () => {
  const host = new MemoryFiles({ stepBytes: 1000 });
  using wasm = session({ wasm: await h5wasm.ready, host });
  const { h5 } = wasm;
  const path = "/not/on/the/disk.h5";
  const file = h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null);
  const group = h5.H5Gcreate2(file, "g", null, null, null);
  const again = h5.H5Fopen(path, H5.H5F_ACC_RDWR, null);
  h5.H5Gclose(h5.H5Gcreate2(again, "g/two", null, null, null));
  assertEquals(h5.H5Lexists(group, "two", null), 1);
  assertEquals(host.text(path), "");
  h5.H5Fflush(group, H5.H5F_SCOPE_LOCAL);
  assertEquals(host.text(path).slice(1, 4), "HDF");
  for (const one of [file, again]) h5.H5Fclose(one);
  const third = h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
  assertEquals(h5.H5Lexists(third, "g/two", null), 1);
  assertThrows(() => Deno.statSync(path), Deno.errors.NotFound);
});

for (const host of hosts) {
  Deno.test(`${host.name}: what a file had before is kept when it is changed`, async () => {
    using folder = new TestFolder();
    const path = folder.file("a.h5");
    using served = await host.open();
    const { h5 } = served;
    h5.H5Fclose(h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null));
    for (const name of ["one", "two"]) {
      const file = h5.H5Fopen(path, H5.H5F_ACC_RDWR, null);
      h5.H5Gclose(h5.H5Gcreate2(file, name, null, null, null));
      h5.H5Fclose(file);
    }
    for (const reader of hosts) {
      using other = await reader.open();
      const file = other.h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
      const names = ["one", "two"].map((name) => other.h5.H5Lexists(file, name, null));
      assertEquals(names, [1, 1]);
    }
    assert(Deno.statSync(path).size > 0);
  });
}

for (const host of hosts) {
  Deno.test(`${host.name}: texts of any length that it writes are read by all, h5dump among them`, async () => {
    using folder = new TestFolder();
    const path = folder.file("a.h5");
    const texts = ["drei", "", "\u00e9\u6587".repeat(50)];
    {
      using served = await host.open();
      const { h5 } = served;
      const file = h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null);
      const type = h5.H5Tcopy(h5.H5T_C_S1());
      h5.H5Tset_size(type, H5.H5T_VARIABLE);
      h5.H5Tset_cset(type, H5.H5T_CSET_UTF8);
      const space = h5.H5Screate_simple(1, hsizes(3), null);
      const dataset = h5.H5Dcreate2(file, "x", type, space, null, null, null);
      h5.H5Dwrite(dataset, type, null, null, null, textBytes(...texts));
      const attribute = h5.H5Acreate2(dataset, "y", type, space, null, null);
      h5.H5Awrite(attribute, type, textBytes(...texts.toReversed()));
      h5.H5Aclose(attribute);
      h5.H5Dclose(dataset);
      h5.H5Fclose(file);
    }
    for (const reader of hosts) {
      using other = await reader.open();
      const { h5 } = other;
      const file = h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
      const dataset = h5.H5Dopen2(file, "x", null);
      const room = new Uint8Array(400);
      h5.H5Dread(dataset, h5.H5Dget_type(dataset), null, null, null, room);
      assertEquals(textsOf(room, 3), texts, reader.name);
      const attribute = h5.H5Aopen(dataset, "y", null);
      h5.H5Aread(attribute, h5.H5Aget_type(attribute), room);
      assertEquals(textsOf(room, 3), texts.toReversed(), reader.name);
      h5.H5Fclose(file);
    }
    const dump = await dumped(path);
    if (dump === undefined) return;
    assertEquals(dump.match(/STRSIZE H5T_VARIABLE/g)?.length, 2);
    assertEquals(dump.match(/"(drei)?",?\n/g)?.length, 4, dump);
  });
}
