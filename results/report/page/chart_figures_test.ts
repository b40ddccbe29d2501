import { assert, assertEquals, assertMatch } from "@std/assert";
import { summarize } from "../../statistics/summary.ts";
import { sweepRecords } from "../../testdata/sweep_records.ts";
import { chartFigures } from "./chart_figures.ts";

const records = sweepRecords();
const html = chartFigures({ records, rows: summarize(records), idOf: ({ pointId }) => pointId });

Deno.test("chartFigures() has each chart as a figure with its question, its words and its plan", () => {
  const count = html.match(/<figure>/g)!.length;
  for (
    const part of [/<figcaption><strong>/g, /role="img" aria-label="\w/g, /application\/json/g]
  ) {
    assertEquals(html.match(part)?.length, count);
  }
  const plans = [...html.matchAll(/json">(.*?)<\/script>/gs)].map(([, json]) => JSON.parse(json!));
  for (const { $schema, title } of plans) {
    assertMatch($schema, /schema\/vega\/v/); // compiled: the page needs no vega-lite
    assertEquals(title, undefined);
  }
});

Deno.test("chartFigures() has the heat map and the scatter of samples, and dots that lead to rows", () => {
  assert(html.includes("Heat map of times the floor"));
  assert(html.includes("How do the samples of many_clients scatter?"));
  const scatter = html.slice(html.indexOf("How do the samples of round_trip scatter?"));
  assertMatch(scatter, /at most so long<\/span>\n<span>2 other points not shown here</);
  assert(html.includes('"figureLink":"#portCount=1;laneCount=32;waiting=spin+spin"'));
});
