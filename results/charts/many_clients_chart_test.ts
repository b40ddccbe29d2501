import { assertEquals } from "@std/assert";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { manyClientsChart } from "./many_clients_chart.ts";

const rows = summarize(sweepRecords()).filter(({ scenario }) => scenario === "many_clients");

Deno.test("manyClientsChart() draws a dot for each number of clients, with its interval", () => {
  const spec = manyClientsChart(rows)!;
  const { values } = spec.data as { values: Record<string, unknown>[] };
  assertEquals(values.map(({ clientCount }) => clientCount), [1, 8]);
  const fields = fieldsOf(spec);
  assertEquals([...fields].filter((field) => !Object.hasOwn(values[0]!, field)), []);
  assertEquals(fields.has("figureLo"), true);
});

Deno.test("manyClientsChart() is nothing where one client alone was not measured", () => {
  assertEquals(manyClientsChart(rows.map((row) => ({ ...row, timesFasterThan: {} }))), undefined);
  assertEquals(manyClientsChart([]), undefined);
});
