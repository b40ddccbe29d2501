import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { ecdfChart, histogramChart } from "./distribution_charts.ts";
import { type ChartSpec, renderSvg } from "./render.ts";

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

Deno.test("histogramChart() counts every sample of a series once, in bins of equal ratio", () => {
  const series = [{ name: "a", seconds: [1e-7, 1e-7, 1e-3] }, { name: "b", seconds: [1e-5] }];
  const values = valuesOf(histogramChart(series, { question }));
  for (const name of ["a", "b"]) {
    const shares = values.filter((one) => one.series === name).map(({ share }) => share);
    assertAlmostEquals(shares.reduce((sum, share) => sum + share), 1);
  }
  const [first, second, third] = values;
  assertAlmostEquals(first!.share, 2 / 3);
  assertAlmostEquals(second!.seconds / first!.seconds, third!.seconds / second!.seconds);
  assertEquals(
    valuesOf(histogramChart([{ name: "a", seconds: [1, 1] }], { question }))[0]!.share,
    1,
  );
});

Deno.test("distribution charts can be drawn, name their series, and say them in words", async () => {
  const series = [{ name: "spin", seconds: [1e-7, 2e-7] }, { name: "park", seconds: [5e-5, 6e-5] }];
  for (const draw of [ecdfChart, histogramChart]) {
    const spec = draw(series, { question });
    const svg = await renderSvg(spec);
    assert(svg.includes(">park<") && !/NaN|undefined/.test(svg));
    assert(String(spec.description).includes("2 samples of park with a median of 60.0 µs"));
  }
});
