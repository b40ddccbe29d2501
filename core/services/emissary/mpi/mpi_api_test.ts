import { assertEquals } from "@std/assert";
import { mpiApi, requestBytes } from "./mpi_api.ts";

Deno.test("requestBytes() writes handles of 8 bytes, little end first", () => {
  const bytes = requestBytes([1, 2 ** 40 + 3]);
  assertEquals([...bytes], [1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0]);
});

Deno.test("mpiApi says the meaning of its errors by MPI's names", () => {
  const { meaningOf, failsWith } = mpiApi.functions.Send.signature;
  assertEquals([meaningOf?.(14).code, failsWith], ["MPI_ERR_TRUNCATE", -1]);
});
