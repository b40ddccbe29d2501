import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { benchName, parseBenchName } from "./bench_name.ts";

Deno.test("parseBenchName() gives back what benchName() was given", () => {
  const anyName = fc.record({
    scenario: fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
    pointId: fc.stringMatching(/^([a-zA-Z]+=[a-z0-9+.-]+(;[a-zA-Z]+=[a-z0-9+.-]+)*)?$/),
    callsPerSample: fc.integer({ min: 1, max: 1e9 }),
  });
  fc.assert(fc.property(anyName, (name) => assertEquals(parseBenchName(benchName(name)), name)));
});

Deno.test("parseBenchName() has nothing to say of other names", () => {
  for (const text of ["", "sum of floats", "round_trip portCount=1", "a b x0", "a b x1 y"]) {
    assertEquals(parseBenchName(text), undefined);
  }
});
