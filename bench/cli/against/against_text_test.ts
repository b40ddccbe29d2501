import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { RunRecord } from "../../record/record.ts";
import { sampleRecord } from "../../record/testdata/sample_record.ts";
import { againstText, modesOf } from "./against_text.ts";

const SECONDS = [1, 1.01, 0.99, 1, 1, 1];

/** A call takes `now` floors, one before `before`, one in C 2. */
function recordOf(
  floorSeconds: number,
  { round, portCount, now, before }: Record<"round" | "portCount" | "now" | "before", number>,
): RunRecord {
  const times = (count: number) => SECONDS.map((second) => second * count * floorSeconds);
  const samples = (count: number) => ({ callsPerSample: 1, latencySeconds: times(count) });
  return {
    ...sampleRecord,
    ...{ scenario: "calls", round, point: { portCount }, pointId: `portCount=${portCount}` },
    ...samples(now),
    controlSeconds: times(1),
    references: { before: samples(before), in_c: samples(2) },
  };
}

const near = [0, 1, 2].flatMap((round) => [
  recordOf(1e-7, { round, portCount: 1, now: 1, before: 2 }),
  recordOf(1e-7, { round, portCount: 64, now: 4, before: 4 }),
]);
const far = recordOf(4.5e-7, { round: 3, portCount: 1, now: 1, before: 1 });

Deno.test("modesOf() tells near from far by the floors, and leaves alike ones together", () => {
  const counts = [...modesOf([...near, far])].map(([name, some]) => [name, some.length]);
  assertEquals(counts, [["near", 6], ["far", 1]]);
  assertEquals([...modesOf(near).keys()], ["alike"]);
});

Deno.test("againstText() has ratios of each point, and their mean and worst by mode", () => {
  const [nearText, farText] = againstText([...near, far]).split("\n\n");
  assertStringIncludes(nearText!, "floors near: 100 ns");
  assertMatch(nearText!, /calls portCount=1 +3 +100 ns +1\.00 .* 0\.500 .* 0\.500 in_c/);
  assertStringIncludes(nearText!, "of in_c before: geometric mean 1.41 of 2 points, worst 2.00 at");
  assertStringIncludes(nearText!, "of in_c now: geometric mean 1.00 of 2 points, worst 2.00 at po");
  assertStringIncludes(farText!, "floors far: 450 ns");
  assertStringIncludes(farText!, "of in_c now: geometric mean 0.500 of 1 points");
});

Deno.test("againstText() tells the processor time of a second in which nobody calls", () => {
  const { references: _, ...idle } = recordOf(1e-7, { round: 0, portCount: 1, now: 1, before: 1 });
  const cpuSecondsPerCall = SECONDS.map((second) => second * 2e-6);
  const text = againstText([{ ...idle, scenario: "idle", references: {}, cpuSecondsPerCall }]);
  assertMatch(text, /idle portCount=1 +1 +2\.00 ms CPU\/s +- +1\.98 ms to 2\.02 ms/);
});
