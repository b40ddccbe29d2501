import { assertEquals } from "@std/assert";
import { intervalLayers } from "./figure_panel.ts";
import { fieldsOf } from "../testdata/fields_of.ts";

const encoding = {
  x: { field: "ports" },
  y: { title: "cost" },
  color: { field: "lock" },
  fields: { center: "center", lo: "lo", hi: "hi" },
};

Deno.test("intervalLayers() draws both ends and the centre", () => {
  const layers = intervalLayers({ ...encoding, isJoined: true });
  assertEquals(fieldsOf(layers), new Set(["ports", "lo", "hi", "lock", "center"]));
});

Deno.test("intervalLayers() joins dots only when told to", () => {
  const markOf = (isJoined: boolean) =>
    (intervalLayers({ ...encoding, isJoined })[1] as { mark: { type: string } }).mark.type;
  assertEquals([markOf(true), markOf(false)], ["line", "point"]);
});
