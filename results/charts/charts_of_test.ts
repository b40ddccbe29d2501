import { assert, assertEquals } from "@std/assert";
import { chartsOf } from "./charts_of.ts";
import { summarize } from "../statistics/summary.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";

Deno.test("chartsOf() has the charts that there is something for, and each can be drawn", async () => {
  const charts = chartsOf(summarize(sweepRecords()));
  assertEquals(charts.map(({ name }) => name), ["round_trip", "waiting", "many_clients"]);
  for (const { name, chart } of charts) {
    const svg = await chart.svg();
    assert(svg.startsWith("<svg") && !svg.includes("NaN") && !svg.includes("undefined"), name);
  }
  assertEquals(chartsOf([]), []);
});

Deno.test("chartsOf() adds a note to every chart", async () => {
  for (const { chart } of chartsOf(summarize(sweepRecords()), { note: "It rained" })) {
    assert((await chart.svg()).includes("It rained"));
  }
});
