import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { controlDoubts, stallDoubts } from "./sample_warnings.ts";

function repeated(seconds: number, count: number): number[] {
  return Array.from({ length: count }, () => seconds);
}

Deno.test("controlDoubts() sees where the control jumped, up or down", () => {
  const [up] = controlDoubts([...repeated(100e-9, 30), ...repeated(400e-9, 10)]);
  assertMatch(up!, /from 100 ns to 400 ns at sample 31 of 40/);
  const [down] = controlDoubts([...repeated(400e-9, 10), ...repeated(100e-9, 30)]);
  assertMatch(down!, /from 400 ns to 100 ns at sample 11 of 40/);
});

Deno.test("controlDoubts() has none of noise without a jump", () => {
  const anyCalm = fc.array(fc.double({ min: 95e-9, max: 115e-9, noNaN: true }), { maxLength: 300 });
  fc.assert(fc.property(anyCalm, (seconds) => assertEquals(controlDoubts(seconds), [])));
});

Deno.test("controlDoubts() takes a few outliers for outliers", () => {
  const outliers = [...repeated(100e-9, 50), 1e-6, 2e-6, ...repeated(100e-9, 50)];
  assertEquals(controlDoubts(outliers), []);
});

Deno.test("controlDoubts() knows a scheduler when it sees one", () => {
  const [doubt] = controlDoubts([...repeated(100e-9, 30), 8e-3, ...repeated(100e-9, 30)]);
  assertMatch(doubt!, /^Both threads shared a core in 1 of 61 samples/);
  assertEquals(controlDoubts(repeated(50e-6, 30), { onAdapter: true }), []);
});

Deno.test("stallDoubts() counts the samples that stalled", () => {
  const [stalls] = stallDoubts([...repeated(1, 15), ...repeated(3, 5)], "The trial");
  assertMatch(stalls!, /^The trial took over 2 times its median in 5 of 20 samples/);
  assertEquals(stallDoubts([...repeated(1, 19), 3], "The trial"), []);
  assertEquals(stallDoubts([], "The trial"), []);
});
