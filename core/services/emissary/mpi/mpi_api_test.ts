import { assertEquals, assertThrows } from "@std/assert";
import {
  classOfMpich,
  classOfOpenMpi,
  mpiApi,
  mpiMeaning,
  requestBytes,
  requestHandles,
} from "./mpi_api.ts";

Deno.test("requestBytes() writes handles as kernels have them, and requestHandles() reads both", () => {
  const handles = [1, 2 ** 40 + 3, 0, 2 ** 52 - 1];
  const bytes = requestBytes([...handles.slice(0, 2), null, handles[3]!]);
  const words = [[1, 0], [3, 2 ** 20], [0, 0], [2 ** 20 - 1, 2 ** 32 - 1]].flat();
  assertEquals([...new Uint32Array(bytes.buffer)], words);
  assertEquals(requestHandles(bytes), handles);
  assertThrows(() => requestBytes([1.5]), TypeError, "no handle: current value is 1.5");
});

Deno.test("mpiApi says the meaning of its errors by MPI's names", () => {
  const { meaningOf, failsWith } = mpiApi.functions.Send.signature;
  assertEquals([meaningOf?.(14).code, failsWith], ["MPI_ERR_TRUNCATE", -1]);
});

Deno.test("mpiMeaning() names a class, and one that it does not know", () => {
  assertEquals(mpiMeaning(6), { code: "MPI_ERR_RANK", text: "invalid rank" });
  assertEquals(mpiMeaning(54).code, "MPI_ERR_OTHER");
});

Deno.test("both libraries' classes have one number", () => {
  const names = (numbers: readonly number[]) =>
    numbers.map((one) => mpiMeaning(one).code.replace("MPI_ERR_", "")).join(" ");
  const openMpi = [1, 6, 7, 8, 15, 16, 19, 20].map(classOfOpenMpi);
  assertEquals(names(openMpi), "BUFFER RANK REQUEST ROOT TRUNCATE OTHER PENDING OTHER");
  assertEquals(names([1, 7, 19, 20].map(classOfMpich)), "BUFFER ROOT REQUEST OTHER");
});
