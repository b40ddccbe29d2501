import { assertEquals, assertMatch } from "@std/assert";
import { Chart } from "./chart.ts";

const DISPLAY = Symbol.for("Jupyter.display");

const chart = new Chart({
  title: { text: "One dot" },
  data: { values: [{ x: 1 }] },
  mark: "point",
  encoding: { x: { field: "x", type: "quantitative" } },
});

Deno.test("Chart shows itself to Jupyter as a specification, a picture and a text", async () => {
  const show: () => Promise<Record<string, unknown>> = Reflect.get(chart, DISPLAY);
  const bundle = await show.call(chart);
  assertEquals(Object.keys(bundle), [
    "application/vnd.vegalite.v5+json",
    "image/png",
    "text/plain",
  ]);
  const spec = bundle["application/vnd.vegalite.v5+json"] as Record<string, unknown>;
  assertMatch(String(spec.$schema), /vega-lite\/v5\.json$/);
  assertMatch(String(bundle["image/png"]), /^iVBORw0KGgo/);
  assertEquals(bundle["text/plain"], "Chart: One dot");
});

Deno.test("Chart draws itself as SVG and as PNG", async () => {
  assertMatch(await chart.svg(), /^<svg[^>]*>.*One dot/s);
  assertEquals((await chart.png())[0], 0x89);
});
