import { assertEquals } from "@std/assert";
import { fieldsOf } from "../testdata/fields_of.ts";
import { chartTitle, figureLayers, type FigurePanel, figureRow } from "./figure_panel.ts";

const interval = { center: 2, lo: 1, hi: 3, confidence: 0.95, warnings: [] };
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

Deno.test("figureLayers() draws the axes, the interval and the floor of a row, and nothing else", () => {
  const row = figureRow({ ports: 4, lock: "cas" }, interval, 1);
  const layers = figureLayers({ ...panel, floor: "along" });
  assertEquals(fieldsOf(layers), new Set(Object.keys(row)));
  assertEquals(Object.keys(figureRow({}, interval)).length, 3);
});

Deno.test("figureLayers() joins dots only when told to", () => {
  assertEquals(layersOf(panel), [["rule", "color,x,y,y2"], ["point", "color,x,y"]]);
  assertEquals(layersOf({ ...panel, isJoined: true })[1], ["line", "color,x,y"]);
});

Deno.test("figureLayers() lets figures grow to the right, and needs no place", () => {
  assertEquals(layersOf({ ...panel, isHorizontal: true })[0], ["rule", "color,x,x2,y"]);
  assertEquals(layersOf({ figure: {}, isHorizontal: true })[1], ["point", "x"]);
});

Deno.test("figureLayers() dashes the floor: at one value, at the median, or along the rows", () => {
  const floors = [{ datum: 1 }, "median", "along"] as const;
  assertEquals(floors.map((floor) => layersOf({ ...panel, floor })[0]), [
    ["rule", "y"],
    ["rule", "y"],
    ["line", "color,x,y"],
  ]);
  assertEquals(layersOf({ ...panel, floor: "median", isHorizontal: true })[0], ["rule", "x"]);
});

Deno.test("chartTitle() has the question, and a line for each part of the subtitle", () => {
  const title = chartTitle("What?", ["one", "two"]);
  assertEquals([title.text, title.subtitle], ["What?", ["one", "two"]]);
});
