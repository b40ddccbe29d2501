import { assertEquals } from "@std/assert";
import * as scalars from "./scalar.ts";

Deno.test("each scalar is named as it is exported, and has C's size", () => {
  for (const [name, sizeBytes] of Object.entries(scalars.SCALAR_BYTES)) {
    const scalar = scalars[name as scalars.ScalarName];
    assertEquals(scalar, { kind: "scalar", type: name as scalars.ScalarName } as typeof scalar);
    const bits = /\d+/.exec(name)?.[0];
    assertEquals(sizeBytes, bits ? Number(bits) / 8 : name === "bool" ? 1 : 8);
  }
});
