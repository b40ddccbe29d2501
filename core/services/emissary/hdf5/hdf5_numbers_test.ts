import { assertEquals } from "@std/assert";
import { H5, hsizes } from "./hdf5_numbers.ts";

Deno.test("hsizes() are numbers of 64 bits, the lowest byte first", () => {
  assertEquals([...hsizes(3, 0x1_0000_0000n)], [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
  assertEquals([...hsizes(H5.H5S_UNLIMITED)], Array(8).fill(255));
  assertEquals(hsizes().length, 0);
});
