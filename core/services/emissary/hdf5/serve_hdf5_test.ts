import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { H5, HDF5_TYPES, hdf5Api } from "./hdf5_api.ts";
import "./testdata/cases/dataset_cases.ts";
import "./testdata/cases/file_cases.ts";
import "./testdata/cases/type_cases.ts";
import {
  called,
  hasLibrary,
  hdf5Test,
  NEEDS_LIBRARY,
  session,
  TestFolder,
} from "./testdata/hdf5_case.ts";

hdf5Test("the cases call each function", () => {
  assertEquals(Object.keys(hdf5Api.functions).filter((key) => !called.has(key)), []);
});

const PAGE = new URL("../../../../docs/emissary.md", import.meta.url);
const page = Deno.readTextFileSync(PAGE);

Deno.test("the page names each type", () => {
  const names = [...page.matchAll(/`(H5T_\w+_)` with `([\w ]+)`/g)]
    .flatMap(([, prefix, ends]) => ends!.split(" ").map((end) => `${prefix}${end}`));
  const others = ["H5T_C_S1", "H5T_FORTRAN_S1"].filter((name) => page.includes(`\`${name}\``));
  assertEquals([...names, ...others].toSorted(), HDF5_TYPES.toSorted());
});

Deno.test({
  name: `the page's example runs${NEEDS_LIBRARY}`,
  ignore: !hasLibrary,
  async fn() {
    using folder = new TestFolder();
    const [, code] = /```ts ignore\n((?:(?!```)[^])*serveHdf5[^]*?)```/.exec(page)!;
    const module = folder.file("example.ts");
    const core = new URL("../../../", import.meta.url);
    Deno.writeTextFileSync(module, code!.replaceAll("../core/", core.href));
    await import(`file://${module}`);
  },
});

Deno.test("serveHdf5() names what to install where there is no library", () => {
  const error = assertThrows(() => session({ library: ["libportlab_absent.so"] }), Error);
  assertStringIncludes(error.message, "the Debian package libhdf5-103");
});

hdf5Test(
  "who opens files until there are no more is refused, and the process lives",
  (h5, folder) => {
    const path = folder.file("a.h5");
    h5.H5Fclose(h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null));
    const open = () => h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
    const files: ReturnType<typeof open>[] = [];
    const refused = assertThrows(() => {
      for (;;) files.push(open());
    }, Error);
    assertStringIncludes(
      refused.message,
      "Cannot call hdf5.H5Fopen: too many files are open (EMFILE)",
    );
    Deno.openSync(path).close();
    h5.H5Fclose(files.pop()!);
    files.push(open());
    assertThrows(open, Error, "EMFILE");
    for (const file of files) h5.H5Fclose(file);
  },
);

hdf5Test("what is open is closed with the server", (h5, folder) => {
  const path = folder.file("a.h5");
  {
    using other = session();
    const file = other.h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null);
    other.h5.H5Gcreate2(file, "g", null, null, null);
  }
  const file = h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
  assertEquals(h5.H5Lexists(file, "g", null), 1);
  h5.H5Fclose(file);
  // Which HDF5 refuses while the file is open anywhere in the process.
  h5.H5Fclose(h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null));
});
