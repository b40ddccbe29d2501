import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { controlWarnings, preemptedWarnings, stallWarnings } from "./sample_warnings.ts";

function repeated(seconds: number, count: number): number[] {
  return Array.from({ length: count }, () => seconds);
}

Deno.test("controlWarnings() finds where the control jumped, up or down", () => {
  const [up] = controlWarnings([...repeated(100e-9, 30), ...repeated(400e-9, 10)]);
  assertMatch(up!, /from 100 ns to 400 ns at sample 31 of 40/);
  const [down] = controlWarnings([...repeated(400e-9, 10), ...repeated(100e-9, 30)]);
  assertMatch(down!, /from 400 ns to 100 ns at sample 11 of 40/);
});

Deno.test("controlWarnings() has nothing to say of noise without a jump", () => {
  const anyCalm = fc.array(fc.double({ min: 95e-9, max: 115e-9, noNaN: true }), { maxLength: 300 });
  fc.assert(fc.property(anyCalm, (seconds) => assertEquals(controlWarnings(seconds), [])));
});

Deno.test("controlWarnings() does not take a few outliers for a jump", () => {
  const outliers = [...repeated(100e-9, 50), 1e-6, 2e-6, ...repeated(100e-9, 50)];
  assertEquals(controlWarnings(outliers), []);
});

Deno.test("controlWarnings() counts the samples in which both threads shared a core", () => {
  const seconds = [...repeated(100e-9, 30), 8e-3, ...repeated(100e-9, 30)];
  const [warning] = controlWarnings(seconds, { isPair: true });
  assertMatch(warning!, /^Both threads shared a core in 1 of 61 samples/);
  assertEquals(controlWarnings(repeated(50e-6, 30)), []);
});

Deno.test("stallWarnings() counts the samples that stalled", () => {
  const [stalls] = stallWarnings([...repeated(1, 15), ...repeated(3, 5)], "The trial");
  assertMatch(stalls!, /^The trial took over 2 times its median in 5 of 20 samples/);
  assertEquals(stallWarnings([...repeated(1, 19), 3], "The trial"), []);
  assertEquals(stallWarnings([], "The trial"), []);
});

Deno.test("preemptedWarnings() warns from a tenth of the samples on", () => {
  assertEquals(preemptedWarnings(3, 30), []);
  assertEquals(preemptedWarnings(0, 0), []);
  assertMatch(
    preemptedWarnings(4, 30)[0]!,
    /^This thread waited for a processor in 4 of 30 samples/,
  );
});
