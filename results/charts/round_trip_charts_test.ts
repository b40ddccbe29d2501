import { assert, assertEquals } from "@std/assert";
import { summarize } from "../statistics/summary.ts";
import { roundTripChart, type RoundTripRow, roundTripRows } from "./round_trip_charts.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";

const rows = roundTripRows(summarize(sweepRecords()));

Deno.test("roundTripRows() has a row for each point of the waiting that was swept most", () => {
  assertEquals(rows.length, 6);
  assertEquals(new Set(rows.map(({ waiting }) => waiting)), new Set(["spin+spin"]));
  assert(rows.every((row) => row.loNanoseconds <= row.latencyNanoseconds));
  assertEquals(roundTripRows([]), []);
});

Deno.test("roundTripChart() draws fields that its rows have, with intervals and the floor", () => {
  const fields = fieldsOf(roundTripChart(rows));
  const [row] = rows;
  assertEquals([...fields].filter((field) => !Object.hasOwn(row!, field)), []);
  const drawn: readonly (keyof RoundTripRow)[] = [
    "portCount",
    "laneCount",
    "latencyNanoseconds",
    "loNanoseconds",
    "hiNanoseconds",
    "floorNanoseconds",
    "ratio",
    "ratioLo",
    "ratioHi",
  ];
  assertEquals(fields, new Set<string>(drawn));
});
