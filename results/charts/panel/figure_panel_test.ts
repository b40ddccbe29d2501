import { assert, assertEquals } from "@std/assert";
import { fieldsOf } from "../../testdata/fields_of.ts";
import { renderSvg } from "../render.ts";
import { chartTitle, figureLayers, type FigurePanel, figureRow } from "./figure_panel.ts";

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
