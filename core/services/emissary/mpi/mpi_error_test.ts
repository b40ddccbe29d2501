import { assertEquals } from "@std/assert";
import { classOfMpich, classOfOpenMpi, mpiMeaning } from "./mpi_error.ts";

Deno.test("mpiMeaning() names a class, and one that it does not know", () => {
  assertEquals(mpiMeaning(6), { code: "MPI_ERR_RANK", text: "invalid rank" });
  assertEquals(mpiMeaning(54).code, "MPI_ERR_OTHER");
});

Deno.test("both libraries' classes have one number", () => {
  const names = (numbers: readonly number[]) => numbers.map((one) => mpiMeaning(one).code);
  const openMpi = [1, 6, 7, 8, 15, 16, 19, 20].map(classOfOpenMpi);
  assertEquals(
    names(openMpi),
    "BUFFER RANK REQUEST ROOT TRUNCATE OTHER PENDING OTHER".split(" ").map((word) =>
      `MPI_ERR_${word}`
    ),
  );
  assertEquals(names([1, 7, 19, 20].map(classOfMpich)), [
    "MPI_ERR_BUFFER",
    "MPI_ERR_ROOT",
    "MPI_ERR_REQUEST",
    "MPI_ERR_OTHER",
  ]);
});
