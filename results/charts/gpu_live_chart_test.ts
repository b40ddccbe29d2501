import { assert, assertEquals } from "@std/assert";
import { gpuLiveChart, gpuLiveRows } from "./gpu_live_chart.ts";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { gpuRecords } from "../testdata/gpu_records.ts";

const rows = gpuLiveRows(summarize(gpuRecords()));

Deno.test("gpuLiveRows() has a row for each point of its scenario", () => {
  assertEquals(rows.length, 1);
  assertEquals(gpuLiveRows([]), []);
});

Deno.test("gpuLiveChart() draws fields that its rows have, with intervals", () => {
  const fields = fieldsOf(gpuLiveChart(rows));
  assertEquals([...fields].filter((field) => !Object.hasOwn(rows[0]!, field)), []);
  assert(["ratio", "ratioLo", "ratioHi"].every((field) => fields.has(field)));
});
