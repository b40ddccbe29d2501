import { assertEquals } from "@std/assert";
import { manyClientsChart, manyClientsRows } from "./many_clients_chart.ts";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";

const rows = manyClientsRows(summarize(sweepRecords()));

Deno.test("manyClientsRows() has one row for each crowd", () => {
  assertEquals(rows.map(({ clientCount }) => clientCount), [1, 8]);
});

Deno.test("manyClientsChart() draws fields that its rows have, with intervals", () => {
  const fields = [...fieldsOf(manyClientsChart(rows))];
  assertEquals(fields.filter((field) => !Object.hasOwn(rows[0]!, field)), []);
  assertEquals(fields.includes("timesOneClientLo"), true);
});
