import { assertEquals, assertThrows } from "@std/assert";
import { isSilent, isVisible, parseNotebook, sourceText } from "./notebook.ts";

const CELL = { cell_type: "code", metadata: {}, source: "" } as const;

Deno.test("parseNotebook() refuses what is no notebook, and names the file", () => {
  assertThrows(() => parseNotebook("not json", "a.ipynb"), SyntaxError, "a.ipynb");
  assertThrows(() => parseNotebook("null", "a.ipynb"), SyntaxError, "nbformat is undefined");
  assertThrows(() => parseNotebook('{"nbformat":3,"cells":[]}', "a.ipynb"), SyntaxError, "is 3");
  assertThrows(() => parseNotebook('{"nbformat":4}', "a.ipynb"), SyntaxError, "a.ipynb");
});

Deno.test("sourceText() joins lines, which carry their own ends", () => {
  assertEquals(sourceText({ ...CELL, source: ["a\n", "b"] }), "a\nb");
  assertEquals(sourceText({ ...CELL, source: "a" }), "a");
});

Deno.test("isSilent() reads the cell's tags", () => {
  assertEquals(isSilent(CELL), false);
  assertEquals(isSilent({ ...CELL, metadata: { tags: ["other", "silent"] } }), true);
});

Deno.test("isVisible() does not count a chart without rows, whatever its picture shows", () => {
  const chart = (values: readonly unknown[]) => ({
    output_type: "display_data",
    metadata: {},
    data: { "application/vnd.vegalite.v5+json": { data: { values } }, "image/png": "axes" },
  } as const);
  assertEquals(isVisible(chart([])), false);
  assertEquals(isVisible(chart([{ x: 1 }])), true);
});

Deno.test("isVisible() does not count empty text and empty bundles", () => {
  const display = { output_type: "display_data", metadata: {} } as const;
  assertEquals(isVisible({ output_type: "stream", name: "stdout", text: "\n" }), false);
  assertEquals(isVisible({ output_type: "stream", name: "stdout", text: "x" }), true);
  assertEquals(isVisible({ ...display, data: {} }), false);
  assertEquals(isVisible({ ...display, data: { "text/plain": "" } }), false);
  assertEquals(isVisible({ ...display, data: { "image/png": "x" } }), true);
});
