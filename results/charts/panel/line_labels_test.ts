import { assert, assertEquals } from "@std/assert";
import { FIELD, type FigureRow } from "./figure_panel.ts";
import { withLineLabels } from "./line_labels.ts";

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
