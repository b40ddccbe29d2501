import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { ecdfChart, singleCallsChart } from "./distribution_charts.ts";
import { type ChartSpec, renderSvg } from "./render.ts";
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { emptyHistogram, percentilesOf } from "../../bench/sample/single_calls.ts";
import { summarize } from "../statistics/summary.ts";

interface Value {
  readonly series: string;
  readonly seconds: number;
  readonly share: number;
}

const question = "How long are single calls?";

function valuesOf(spec: ChartSpec): readonly Value[] {
  return (spec.data as { values: Value[] }).values;
}

Deno.test("ecdfChart() climbs from the least sample to the largest, whatever their order", () => {
  const values = valuesOf(
    ecdfChart([{ name: "a", seconds: [4e-7, 1e-7, 2e-7, 2e-7] }], { question }),
  );
  assertEquals(values.map(({ seconds }) => seconds), [1e-7, 2e-7, 2e-7, 4e-7]);
  assertEquals(values.map(({ share }) => share), [0.25, 0.5, 0.75, 1]);
});

Deno.test("ecdfChart() of very many samples keeps the curve and its end", () => {
  const seconds = Array.from({ length: 100_000 }, (_, index) => (index + 1) * 1e-9);
  const values = valuesOf(ecdfChart([{ name: "a", seconds }], { question }));
  assert(values.length <= 401);
  assertEquals(values.at(-1), { series: "a", seconds: 1e-4, share: 1 });
  for (const { seconds, share } of values) assertAlmostEquals(share, seconds / 1e-4, 1e-9);
});

Deno.test("ecdfChart() can be drawn, names its series, and says them in words", async () => {
  const series = [{ name: "spin", seconds: [1e-7, 2e-7] }, { name: "park", seconds: [5e-5, 6e-5] }];
  const spec = ecdfChart(series, { question });
  const svg = await renderSvg(spec);
  assert(svg.includes(">park<") && !/NaN|undefined/.test(svg));
  assert(String(spec.description).includes("2 samples of park with a median of 60.0 µs"));
});

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
