import { assertEquals } from "@std/assert";
import { gpuTargets } from "./gpu_targets.ts";
import { summarize } from "../statistics/summary.ts";
import { verdictOf } from "./judge_targets.ts";
import { gpuRecords } from "../testdata/gpu_records.ts";

const rows = summarize(gpuRecords());

Deno.test("gpuTargets find their figures in a run, and nothing in one without a GPU", () => {
  const measured = gpuTargets.filter((target) => target.measure(rows)).length;
  assertEquals(measured, 2, "one epoch, and eager against awaited");
  assertEquals(gpuTargets.filter((target) => target.measure([])), []);
});

Deno.test("gpuTargets are missed when eager is no faster than awaited", () => {
  const target = gpuTargets.find(({ text }) => text.startsWith("eager"))!;
  assertEquals(verdictOf(target, rows), "missed");
});
