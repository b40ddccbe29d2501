import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { emptyHistogram, percentilesOf } from "../../bench/sample/single_calls.ts";
import { summarize } from "../statistics/summary.ts";
import { renderSvg } from "./render.ts";
import { singleCallsChart } from "./single_calls_chart.ts";

Deno.test("singleCallsChart() reads the curve off the histogram, to the longest call", async () => {
  const histogram = emptyHistogram();
  for (let call = 1; call <= 1000; call++) histogram.recordValue(call === 1000 ? 90_000 : 200);
  const singleCalls = {
    ...percentilesOf(histogram),
    clockSeconds: 5e-8,
    histogram: encodeIntoCompressedBase64(histogram),
  };
  const spec = singleCallsChart(summarize([{ ...sampleRecord, singleCalls }]))!;
  const values = (spec.data as { values: { seconds: number; share: number }[] }).values;
  const short = values.filter(({ seconds }) => seconds < 1e-6);
  assertAlmostEquals(Math.max(...short.map(({ share }) => share)), 0.999, 0.003);
  assertAlmostEquals(values.at(-1)!.seconds, 90e-6, 1e-7);
  assert((await renderSvg(spec)).includes("with the clock"));
});

Deno.test("singleCallsChart() needs calls that were timed alone", () => {
  assertEquals(singleCallsChart(summarize([sampleRecord])), undefined);
});
