import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { summarize } from "../statistics/summary.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { heatMap } from "./heat_map.ts";
import { renderSvg } from "./render.ts";

const records = sweepRecords().filter(({ scenario }) => scenario === "round_trip");

Deno.test("heatMap() has a field for each point of two axes, with its figure", async () => {
  const spec = heatMap(summarize(records))!;
  assertEquals((spec.data as { values: unknown[] }).values.length, 6);
  const svg = await renderSvg(spec);
  assertEquals(svg.match(/>\(\d[\d.]*\)</g)?.length, 6);
  assertStringIncludes(svg, "In brackets: fewer than 5 rounds");
});

Deno.test("heatMap() has figures without brackets where there are rounds enough", async () => {
  const rounds = [0, 1, 2, 3, 4].flatMap((round) => records.map((one) => ({ ...one, round })));
  const svg = await renderSvg(heatMap(summarize(rounds))!);
  assert(!svg.includes("brackets") && !/>\(\d/.test(svg));
});

Deno.test("heatMap() shows times where a row has no floor, and nothing without a second axis", async () => {
  const bare = records.map(({ control: _, ...one }) => ({ ...one, controlSeconds: [] }));
  assertStringIncludes(await renderSvg(heatMap(summarize(bare))!), "Median: time a call");
  assertEquals(heatMap(summarize([sampleRecord])), undefined);
});
