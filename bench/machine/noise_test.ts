import { assertAlmostEquals, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { NoiseMeter, noiseWarnings, parseTicks, sharesOf } from "./noise.ts";

Deno.test("NoiseMeter counts what the collector takes back", () => {
  const meter = NoiseMeter.start();
  let last: unknown;
  for (let count = 0; count < 3_000_000; count++) last = { count };
  const { collectedBytes } = meter.stop();
  assertGreater(collectedBytes, 20e6);
  assertEquals(typeof last, "object");
  const calm = NoiseMeter.start().stop();
  assertEquals(noiseWarnings({ ...calm, otherShare: 0, stealShare: 0 }), []);
});

Deno.test("parseTicks() reads Linux, whatever the program is called", () => {
  const ticks = parseTicks(
    "cpu  100 20 30 800 40 5 6 70 1 1\ncpu0 1 2 3 4 5 6 7 8 9 10\n",
    "12 (a ) b) R 1 2 3 4 5 6 7 8 9 10 11 22 33 44\n",
  );
  assertEquals(ticks, { total: 1071, busy: 161, steal: 70, own: 33 });
});

Deno.test("noiseWarnings() says what was too much, and nothing of what was not", () => {
  const calm = { otherShare: 0.09, stealShare: 0.009, wallStepSeconds: 0.04, collectedBytes: 1e7 };
  assertEquals(noiseWarnings(calm), []);
  assertEquals(noiseWarnings({ wallStepSeconds: 0, collectedBytes: 0 }), []);
  const texts = noiseWarnings({
    otherShare: 0.35,
    stealShare: 0.032,
    wallStepSeconds: -1.5,
    collectedBytes: 3e8,
  }).join("; ");
  assertMatch(texts, /^Other programs used 35 %.*The host gave 3.2 % .*moved by -1.50 s.*300 MB/);
});

Deno.test("sharesOf() leaves out the time of this process, and is silent where nothing is known", () => {
  const before = { total: 1000, busy: 500, steal: 10, own: 100 };
  const after = { total: 1200, busy: 620, steal: 14, own: 180 };
  const { otherShare, stealShare } = sharesOf(before, after);
  assertAlmostEquals(otherShare!, 0.2);
  assertAlmostEquals(stealShare!, 0.02);
  // The process is counted in finer steps than the machine.
  assertEquals(sharesOf(before, { ...after, own: 400 }).otherShare, 0);
  for (const later of [undefined, before]) assertEquals(sharesOf(before, later), {});
  assertEquals(sharesOf(undefined, after), {});
});
