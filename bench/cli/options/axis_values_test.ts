import { assertEquals, assertThrows } from "@std/assert";
import { findScenario } from "../../../scenarios/registry.ts";
import { axisValuesOf } from "./axis_values.ts";

Deno.test("axisValuesOf() writes ranges out", () => {
  const owners = [findScenario("round_trip")];
  const ranges = Object.entries({
    "1..4096x4": [1, 4, 16, 64, 256, 1024, 4096],
    "1..10+4": [1, 5, 9],
    "1..3,64": [1, 2, 3, 64],
    "7..7x2": [7],
  });
  for (const [text, portCount] of ranges) {
    assertEquals(axisValuesOf(owners, [`portCount=${text}`]), { portCount });
  }
  for (const text of ["4..1", "0..8x2", "1..8x1", "1..8+0", "1..99999"]) {
    assertThrows(
      () => axisValuesOf(owners, [`portCount=${text}`]),
      SyntaxError,
      `Cannot use the range ${text}`,
    );
  }
});
