import { assertEquals, assertThrows } from "@std/assert";
import { mpiApi, requestBytes, requestHandles } from "./mpi_api.ts";

Deno.test("requestBytes() writes handles as kernels have them, and requestHandles() reads both", () => {
  const handles = [1, 2 ** 40 + 3, 0, 2 ** 52 - 1];
  const bytes = requestBytes([...handles.slice(0, 2), null, handles[3]!]);
  assertEquals([...new Uint32Array(bytes.buffer)], [
    1,
    0,
    3,
    2 ** 20,
    0,
    0,
    2 ** 20 - 1,
    2 ** 32 - 1,
  ]);
  assertEquals(requestHandles(bytes), handles);
  assertThrows(() => requestBytes([1.5]), TypeError, "no handle: current value is 1.5");
});

Deno.test("mpiApi says the meaning of its errors by MPI's names", () => {
  const { meaningOf, failsWith } = mpiApi.functions.Send.signature;
  assertEquals([meaningOf?.(14).code, failsWith], ["MPI_ERR_TRUNCATE", -1]);
});
