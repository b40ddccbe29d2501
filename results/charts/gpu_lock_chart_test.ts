import { assert, assertEquals } from "@std/assert";
import { gpuLockChart, gpuLockRows } from "./gpu_lock_chart.ts";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { gpuRecords } from "../testdata/gpu_records.ts";

const rows = gpuLockRows(summarize(gpuRecords()));

Deno.test("gpuLockRows() has a row for each point of its scenario", () => {
  assertEquals(rows.length, 2);
  assertEquals(gpuLockRows([]), []);
});

Deno.test("gpuLockChart() draws fields that its rows have, with intervals", () => {
  const fields = fieldsOf(gpuLockChart(rows));
  assertEquals([...fields].filter((field) => !Object.hasOwn(rows[0]!, field)), []);
  assert(["callNanoseconds", "loNanoseconds", "hiNanoseconds"].every((field) => fields.has(field)));
});
