/** MPI and HDF5 in one program: processes relax a grid, exchange rows, and write theirs to files. */
import { assertEquals } from "@std/assert";
import {
  dumped,
  hasLibrary,
  NEEDS_LIBRARY,
  TestFolder,
  valuesIn,
} from "./hdf5/testdata/hdf5_case.ts";
import { mpiLauncher } from "./mpi/mpi_library.ts";
import { mpiTest } from "./mpi/testdata/launch.ts";
import { serialGrid } from "./testdata/halo/jacobi.ts";

const WORKER = new URL("./testdata/halo/halo_worker.ts", import.meta.url);
const KERNEL = new URL("./testdata/halo/halo_kernel.ts", import.meta.url);

/** Compares the rows in the files of all processes with what one process alone makes. */
async function checkRows(folder: TestFolder, count: number, wanted: Float64Array): Promise<void> {
  const each = wanted.length / count;
  for (let rank = 0; rank < count; rank++) {
    const path = folder.file(`rows_${rank}.h5`);
    const rows = [...wanted.subarray(rank * each, (rank + 1) * each)];
    const dump = await dumped(path, "-d", "/rows");
    if (dump !== undefined) assertEquals(valuesIn(dump), rows);
  }
}

if (!hasLibrary) Deno.test({ name: `a grid in files${NEEDS_LIBRARY}`, ignore: true, fn() {} });
else {
  mpiTest("workers of two processes relax a grid as one alone does", async (launch) => {
    using folder = new TestFolder();
    await launch(WORKER, { args: [folder.path] });
    await checkRows(folder, 2, serialGrid());
  });

  // By one library, as a kernel of so many calls takes seconds to compile.
  mpiTest("kernels of two processes relax a grid as one alone does", async (launch) => {
    using folder = new TestFolder();
    await launch(KERNEL, { args: [folder.path], hasGpu: true });
    await checkRows(folder, 2, serialGrid(Math.fround));
  }, ["mpich"]);

  Deno.test({
    name: "a worker alone relaxes the grid",
    ignore: typeof mpiLauncher("mpich") === "string" && typeof mpiLauncher("openmpi") === "string",
    async fn() {
      using folder = new TestFolder();
      const args = ["run", "-A", "--no-check", WORKER.href, folder.path];
      const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
      assertEquals(success, true, new TextDecoder().decode(stderr));
      await checkRows(folder, 1, serialGrid());
    },
  });
}
