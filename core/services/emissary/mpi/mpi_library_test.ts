import { assertEquals, assertThrows } from "@std/assert";
import { checkName, MPICH_HANDLES, mpiLauncher, openMpiSymbol } from "./mpi_library.ts";

Deno.test("checkName() knows the names of a kind, and lists them", () => {
  checkName("Op", "MPI_SUM");
  assertThrows(() => checkName("Op", "MPI_DOUBLE"), RangeError, "names are MPI_MAX, MPI_MIN");
  assertThrows(() => checkName("Comm", "toString"), RangeError, 'the Comm "toString"');
});

Deno.test("each name is a handle of MPICH's and a symbol of Open MPI's", () => {
  assertEquals(openMpiSymbol("MPI_SUM"), "ompi_mpi_op_sum");
  assertEquals(openMpiSymbol("MPI_UINT8_T"), "ompi_mpi_uint8_t");
  assertEquals(openMpiSymbol("MPI_COMM_WORLD"), "ompi_mpi_comm_world");
  const { MPI_COMM_NULL, MPI_ERRORS_RETURN } = MPICH_HANDLES; // as MPICH's mpi.h has them
  assertEquals([MPI_COMM_NULL, MPI_ERRORS_RETURN], [0x04000000, 0x54000001]);
  const handles = Object.values(MPICH_HANDLES);
  assertEquals(new Set(handles).size, handles.length);
});

Deno.test("mpiLauncher() says which package has an mpiexec that is absent", () => {
  const path = Deno.env.get("PATH")!;
  Deno.env.set("PATH", "/nowhere");
  try {
    assertEquals(
      mpiLauncher("openmpi"),
      "there is no mpiexec.openmpi: the Debian package openmpi-bin has it",
    );
  } finally {
    Deno.env.set("PATH", path);
  }
});
