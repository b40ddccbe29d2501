import { assert, assertEquals } from "@std/assert";
import { renderSvg } from "../render.ts";
import {
  figureChannel,
  figureText,
  type FigureUnit,
  isLogarithmic,
  spansRatios,
} from "./figure_channel.ts";

/** The texts that an axis over some values shows. */
async function labelsOf(unit: FigureUnit, values: readonly number[]): Promise<string[]> {
  const y = { ...figureChannel({ unit, title: "a figure" }, values), field: "it" };
  const data = { values: values.map((it) => ({ it })) };
  const svg = await renderSvg({ height: 300, data, mark: "point", encoding: { y } });
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text!).slice(0, -1);
}

Deno.test("spansRatios() of values far apart, none of them 0", () => {
  assertEquals(spansRatios([1, 64, 4096]), true);
  assertEquals(spansRatios([1, 2, 4]), false);
  assertEquals(spansRatios([0, 64]), false);
  assertEquals(spansRatios([]), false);
});

Deno.test("figureChannel() labels times in the unit that a person would choose", async () => {
  assertEquals(await labelsOf("seconds", [2e-8, 3e-3]), [
    ...["100 ns", "1 µs", "10 µs", "100 µs", "1 ms"],
  ]);
  const linear = await labelsOf("seconds", [0.01, 0.02]);
  assertEquals([linear[0], linear.at(-1)], ["0", "20 ms"]);
});

Deno.test("figureChannel() labels rates and ratios", async () => {
  assert((await labelsOf("rate", [1e6, 4e6])).includes("2.5 M/s"));
  assertEquals(await labelsOf("ratio", [1, 5]), ["1", "1.2", "1.5", "2", "2.5", "3", "4", "5"]);
  assert((await labelsOf("ratio", [1, 1.05])).length > 2);
});

Deno.test("isLogarithmic() is for ratios, and for values far apart", () => {
  assertEquals(isLogarithmic("ratio", [1, 2]), true);
  assertEquals(isLogarithmic("ratio", [0, 2]), false);
  assertEquals(isLogarithmic("seconds", [1, 2]), false);
  assertEquals(isLogarithmic("seconds", [1, 9]), true);
});

Deno.test("figureText() has the unit of the figure", () => {
  assertEquals(figureText("seconds", 2e-7), "200 ns");
  assertEquals(figureText("rate", 4_980_000), "4980000/s");
  assertEquals(figureText("ratio", 2.016), "2.02");
});
