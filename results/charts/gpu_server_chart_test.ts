import { assert, assertEquals } from "@std/assert";
import { gpuServerChart, gpuServerRows } from "./gpu_server_chart.ts";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { gpuRecords } from "../testdata/gpu_records.ts";

const rows = gpuServerRows(summarize(gpuRecords()));

Deno.test("gpuServerRows() has a row for each point of its scenario", () => {
  assertEquals(rows.length, 2);
  assertEquals(gpuServerRows([]), []);
});

Deno.test("gpuServerChart() draws fields that its rows have, with intervals", () => {
  const fields = fieldsOf(gpuServerChart(rows));
  assertEquals([...fields].filter((field) => !Object.hasOwn(rows[0]!, field)), []);
  assert(["callNanoseconds", "loNanoseconds", "hiNanoseconds"].every((field) => fields.has(field)));
});
