import { assertAlmostEquals, assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { callCost } from "./call_cost.ts";
import { summarize } from "./summary.ts";

const [summary] = summarize([sampleRecord]);

Deno.test("callCost() shares a turn out over its calls, in nanoseconds", () => {
  const [one, ten] = [callCost(summary!, 1)!, callCost(summary!, 10)!];
  assertAlmostEquals(one.callNanoseconds, summary!.latencySeconds.center * 1e9, 1e-6);
  assertAlmostEquals(ten.callNanoseconds * 10, one.callNanoseconds, 1e-6);
  assertAlmostEquals(ten.floorNanoseconds * 10, one.floorNanoseconds, 1e-6);
});

Deno.test("callCost() is undefined without a control to compare with", () => {
  const { controlSeconds: _, ...alone } = summary!;
  assertEquals(callCost(alone, 1), undefined);
});
