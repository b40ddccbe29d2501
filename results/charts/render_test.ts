import { assert, assertEquals, assertGreater } from "@std/assert";
import { Chart } from "./chart.ts";
import { renderPng, renderSvg } from "./render.ts";
import { axisChart, FIGURES } from "./axis_chart.ts";
import { summarize } from "../statistics/summary.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { Resvg } from "@resvg/resvg-js";

const rows = summarize(sweepRecords()).filter(({ scenario }) => scenario === "round_trip");
const chart = new Chart(axisChart(rows, FIGURES.latency)!).spec;
const svg = await renderSvg(chart);

/** Dark pixels of a text that alone stands on white. */
function darkPixelCount(png: Uint8Array): number {
  const image = `data:image/png;base64,${png.toBase64()}`;
  const page =
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
    `width="400" height="100"><image width="400" height="100" xlink:href="${image}"/></svg>`;
  const { pixels } = new Resvg(page).render();
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at]! < 128) count++;
  return count;
}

Deno.test("renderPng() draws text on a machine without fonts", () => {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100">` +
    `<text x="10" y="60" font-size="40" font-family="sans-serif">µs a call</text></svg>`;
  assertGreater(darkPixelCount(renderPng(text)), 500);
  assertEquals(darkPixelCount(renderPng(text, { fontFiles: [] })), 0);
});

Deno.test("renderPng() draws bold text bold", () => {
  const [regular, bold] = ["normal", "bold"].map((weight) =>
    darkPixelCount(renderPng(
      `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100">` +
        `<text x="10" y="60" font-size="40" font-weight="${weight}">ports</text></svg>`,
    ))
  );
  assertGreater(bold!, regular! * 1.2);
});

Deno.test("renderPng() of a chart is a picture, the same each time, and has its text", () => {
  const png = renderPng(svg);
  assertEquals([...png.subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
  assertEquals(png, renderPng(svg));
  assertGreater(png.length, renderPng(svg, { fontFiles: [] }).length);
});

Deno.test("renderSvg() keeps text as text, and the same for the same specification", async () => {
  assert(svg.includes("What does one synchronous call cost"));
  assert(svg.includes("DejaVu Sans"));
  assertEquals(svg, await renderSvg(chart));
});

Deno.test("renderSvg() measures text, so that a title leaves no empty place at its right", async () => {
  const title = "What does one synchronous call cost as ports and lanes grow, again and again?";
  const text = await renderSvg({ title: { text: title, fontSize: 16 }, mark: "point", data: {} });
  const width = Number(/width="(\d+)"/.exec(text)![1]);
  assert(width > 700 && width < 900, `${width}`); // 0.8 sizes a character make 990
});

Deno.test("renderSvg() gives the picture its description as a name", async () => {
  const text = await renderSvg({ description: 'a < "b"', mark: "point", data: { values: [] } });
  assert(text.startsWith('<svg role="img" aria-label="a &#60; &#34;b&#34;"'), text.slice(0, 80));
});
