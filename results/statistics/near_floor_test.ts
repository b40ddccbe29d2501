import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { nearFloor } from "./near_floor.ts";
import { summarize } from "./summary.ts";

/** A record that was sampled near and far in turn, `farRatio` apart. */
function moving(farRatio: number): typeof sampleRecord {
  const twice = (seconds: readonly number[]) => seconds.flatMap((one) => [one, one * farRatio]);
  const { post_message: reference } = sampleRecord.references;
  return {
    ...sampleRecord,
    latencySeconds: twice(sampleRecord.latencySeconds),
    controlSeconds: twice(sampleRecord.controlSeconds),
    references: {
      post_message: { ...reference!, latencySeconds: twice(reference!.latencySeconds) },
    },
  };
}

Deno.test("nearFloor() keeps what was sampled near, in pairs", () => {
  const near = nearFloor([moving(5)])!;
  const [record] = near.records;
  assertEquals(record!.latencySeconds, sampleRecord.latencySeconds);
  assertEquals(record!.controlSeconds, sampleRecord.controlSeconds);
  assertEquals(record!.references, sampleRecord.references);
  assertEquals(near.share, 0.5);
  assertAlmostEquals(summarize(near.records)[0]!.latencySeconds.center, 201e-9);
});

Deno.test("nearFloor() has one limit for the whole run, and drops no point that is beyond it", () => {
  const controlSeconds = moving(5).controlSeconds.map(() => 5e-7);
  const far = { ...moving(5), pointId: "far", controlSeconds };
  const near = nearFloor([moving(5), far])!;
  assertEquals(near.records.map(({ pointId }) => pointId), [sampleRecord.pointId, "far"]);
  assertEquals(near.wholePointCount, 1);
  assertEquals(near.records[1]!.latencySeconds, far.latencySeconds);
  assertMatch(
    near.records[1]!.warnings.at(-1)!,
    /all samples as 0 of 12 were taken while the floor/,
  );
  assertEquals(near.share, 0.25);
});

Deno.test("nearFloor() does not mix a round that was near with one that was not", () => {
  const controlSeconds = moving(5).controlSeconds.map(() => 5e-7);
  const far = { ...moving(5), round: 1, controlSeconds };
  const near = nearFloor([far, moving(5)])!;
  assertEquals(near.records.map(({ round }) => round), [0]);
  assertEquals(near.wholePointCount, 0);
  assertAlmostEquals(summarize(near.records)[0]!.latencySeconds.center, 201e-9);
});

Deno.test("nearFloor() leaves a floor that stands still alone, and other controls", () => {
  assertEquals(nearFloor([sampleRecord])!.records, [sampleRecord]);
  const other = { ...moving(5), scenario: "linear_cost", control: "plain_ports" };
  assertEquals(nearFloor([other]), undefined);
  assertEquals(nearFloor([sampleRecord, other])!.records[1], other);
});

Deno.test("nearFloor() chooses by the floor alone, whatever the latencies are", () => {
  const anyLatencies = fc.array(fc.double({ min: 1e-9, max: 1, noNaN: true }), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(fc.property(anyLatencies, (latencySeconds) => {
    const near = nearFloor([{ ...moving(5), latencySeconds }])!;
    const chosen = latencySeconds.filter((_, index) => index % 2 === 0);
    assertEquals(near.records[0]!.latencySeconds, chosen);
    assert(near.limitSeconds > 0);
  }));
});
