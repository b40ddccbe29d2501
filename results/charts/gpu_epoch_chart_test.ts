import { assert, assertEquals } from "@std/assert";
import { gpuEpochChart, gpuEpochRows } from "./gpu_epoch_chart.ts";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { gpuRecords } from "../testdata/gpu_records.ts";

const rows = gpuEpochRows(summarize(gpuRecords()));

Deno.test("gpuEpochRows() has a row for each point of its scenario", () => {
  assertEquals(rows.length, 3);
  assertEquals(gpuEpochRows([]), []);
});

Deno.test("gpuEpochChart() draws fields that its rows have, with intervals", () => {
  const fields = fieldsOf(gpuEpochChart(rows));
  assertEquals([...fields].filter((field) => !Object.hasOwn(rows[0]!, field)), []);
  assert(["callNanoseconds", "loNanoseconds", "hiNanoseconds"].every((field) => fields.has(field)));
});
