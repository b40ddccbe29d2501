import { assert, assertEquals } from "@std/assert";
import { fieldsOf } from "../../testdata/fields_of.ts";
import { renderSvg } from "../render.ts";
import {
  chartTitle,
  FIELD,
  figureChannel,
  figureLayers,
  type FigurePanel,
  type FigureRow,
  figureRow,
  figureText,
  type FigureUnit,
  isLogarithmic,
  spansRatios,
  withLineLabels,
} from "./figure_panel.ts";

const interval = { center: 2, lo: 1, hi: 3, confidence: 0.95, warnings: [] };
const dot = { interval, roundCount: 5, text: "2 (1 to 3)" };
const panel: FigurePanel = {
  place: { field: "ports" },
  figure: { title: "cost" },
  color: { field: "lock" },
};

/** The type of mark, and the channels, of each layer. */
function layersOf(panel: FigurePanel): [mark: unknown, channels: string][] {
  return figureLayers(panel).map(({ mark, encoding }) => [
    Object(mark).type,
    Object.keys(Object(encoding)).toSorted().join(),
  ]);
}

Deno.test("figureLayers() draws the axes, the interval and the floor of a row", () => {
  const row = figureRow({ ports: 4, lock: "cas" }, { ...dot, floor: 1 });
  const layers = figureLayers({ ...panel, floor: "along" });
  assertEquals([...fieldsOf(layers)].filter((field) => !Object.hasOwn(row, field)), []);
  assertEquals(figureRow({}, dot).figureFloor, undefined);
});

Deno.test("figureLayers() joins dots only when told to", () => {
  const types = (one: FigurePanel) => layersOf(one).map(([type]) => type);
  assertEquals(types(panel), ["rule", "point", "point"]);
  assertEquals(types({ ...panel, isJoined: true }), ["rule", "line", "point", "point"]);
});

Deno.test("figureLayers() lets figures grow to the right, and needs no place", () => {
  assertEquals(layersOf({ ...panel, isHorizontal: true })[0], ["rule", "color,opacity,x,x2,y"]);
  assertEquals(layersOf({ figure: {}, isHorizontal: true })[1], ["point", "opacity,x"]);
});

Deno.test("figureLayers() dashes the floor: at one value, at the median, or along the rows", () => {
  const floors = [{ datum: 1 }, "median", "along"] as const;
  assertEquals(floors.map((floor) => layersOf({ ...panel, floor })[0]), [
    ["rule", "y"],
    ["rule", "y"],
    ["point", "color,opacity,x,y"],
  ]);
  assertEquals(layersOf({ ...panel, floor: "median", isHorizontal: true })[0], ["rule", "x"]);
});

Deno.test("figureLayers() draws a dot hollow when too few rounds stand behind it", async () => {
  const whites = async (roundCount: number) => {
    const values = [figureRow({ ports: 4, lock: "cas" }, { ...dot, roundCount })];
    const svg = await renderSvg({ data: { values }, layer: figureLayers(panel) });
    return svg.match(/fill="white"/g)?.length ?? 0;
  };
  assertEquals(await whites(4) - await whites(5), 1);
});

Deno.test("figureLayers() for a page has what a reader can do there", () => {
  const text = JSON.stringify(figureLayers({ ...panel, isInteractive: true }));
  for (const part of ["tooltip", "href", '"bind":"scales"', '"bind":"legend"']) {
    assert(text.includes(part), part);
  }
  assert(!JSON.stringify(figureLayers(panel)).includes("params"));
});

Deno.test("chartTitle() has the question, and a line for each part of the subtitle", () => {
  const title = chartTitle("What?", ["one", "two"]);
  assertEquals([title.text, title.subtitle], ["What?", ["one", "two"]]);
  const long = "What does a call cost ".repeat(5).trim();
  const { text } = chartTitle(long, []) as { text: string[] };
  assertEquals(text.join(" "), long);
  assert(text.length === 2 && text.every((line) => line.length <= 64));
});

function row(ports: number, lanes: number, figure: number): FigureRow {
  return { ports, lanes, [FIELD.center]: figure, [FIELD.lo]: figure, [FIELD.hi]: figure };
}

const options = {
  place: "ports",
  series: "lanes",
  nameOf: ({ lanes }: FigureRow) => `${lanes} lanes`,
};

Deno.test("withLineLabels() names each line at its last place, whatever the order of rows", () => {
  const rows = [row(64, 1, 10), row(1, 1, 20), row(1, 8, 50), row(64, 8, 100)];
  const labelled = withLineLabels(rows, { ...options, isLog: false });
  assertEquals(labelled.map((one) => one[FIELD.label]), [
    "1 lanes",
    undefined,
    undefined,
    "8 lanes",
  ]);
  assertEquals(labelled.map((one) => one[FIELD.labelAt]), [10, undefined, undefined, 100]);
});

for (const isLog of [false, true]) {
  Deno.test(`withLineLabels() keeps the names of close lines apart, on a ${isLog ? "logarithmic" : "linear"} axis`, () => {
    const rows = [row(1, 1, 10), row(1, 8, 10.01), row(1, 32, 10.02), row(1, 64, 1000)];
    const at = withLineLabels(rows, { ...options, isLog }).map((one) => Number(one[FIELD.labelAt]));
    const heights = isLog ? at.map(Math.log) : at;
    const span = isLog ? Math.log(100) : 1000;
    for (const [index, height] of heights.slice(1).entries()) {
      assert(height - heights[index]! >= 0.069 * span, `${at}`);
    }
    assertEquals(Math.round(at[3]!), 1000);
  });
}

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
  assertEquals(figureText("rate", 4_980_000), "4.98 M/s");
  assertEquals(figureText("ratio", 2.016), "2.02");
});
