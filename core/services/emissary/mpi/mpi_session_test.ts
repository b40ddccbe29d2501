import { assertThrows } from "@std/assert";
import { checkBuffer } from "./mpi_session.ts";

Deno.test("checkBuffer() takes a buffer of exactly so many elements", () => {
  const datatype = { name: "MPI_DOUBLE", value: 0, extentBytes: 8, hasGaps: false };
  const bytes = new Uint8Array(48);
  checkBuffer("Send", { bytes, count: 6, datatype });
  checkBuffer("Gather", { bytes, count: 2, datatype, times: 3 });
  const wrong: [number, number?][] = [[5], [7], [-6], [6, 2], [-2, -3]];
  for (const [count, times] of wrong) {
    const buffer = { bytes, count, datatype, ...(times !== undefined && { times }) };
    assertThrows(() => checkBuffer("Send", buffer), RangeError, "its length is 48");
  }
});
