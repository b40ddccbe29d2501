import { assertEquals } from "@std/assert";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { waitingChart, waitingRows } from "./waiting_chart.ts";

const rows = waitingRows(summarize(sweepRecords()));

Deno.test("waitingRows() has one row for each way of waiting", () => {
  const names = rows.map(({ waiting }) => waiting).toSorted();
  assertEquals(names, ["adaptive+adaptive", "park+park", "spin+spin"]);
});

Deno.test("waitingChart() draws fields that its rows have, with intervals", () => {
  const fields = fieldsOf(waitingChart(rows));
  assertEquals(fields, new Set(["waiting", "ratio", "ratioLo", "ratioHi"]));
  assertEquals([...fields].filter((field) => !Object.hasOwn(rows[0]!, field)), []);
});
