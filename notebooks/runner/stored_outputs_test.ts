import { assert, assertEquals, assertMatch } from "@std/assert";
import { Chart } from "../../mod.ts";
import type { Cell, Notebook, Output } from "./notebook.ts";
import { storedOutputs, textDifferences, VARIES_TAG } from "./stored_outputs.ts";

function notebook(outputs: readonly Output[], ...tags: readonly string[]): Notebook {
  const cell: Cell = { cell_type: "code", metadata: { tags }, source: "show();", outputs };
  return { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
}

function stream(text: string): Output {
  return { output_type: "stream", name: "stdout", text };
}

function chart(text: string, png: string): Output {
  const data = { "text/plain": text, "image/png": png };
  return { output_type: "display_data", data, metadata: {} };
}

Deno.test("storedOutputs() joins streams, and keeps pictures small and their texts", async () => {
  const drawn = new Chart({
    title: "as before",
    data: { values: [{ x: 1 }] },
    mark: "point",
    encoding: { x: { field: "x", type: "quantitative" } },
  });
  const png = (await drawn.png()).toBase64();
  const [text, picture, ...others] = storedOutputs([stream("a"), stream("b"), chart("c", png)]);
  assertEquals([text, others], [stream("ab"), []]);
  const { data } = picture as Extract<Output, { output_type: "display_data" }>;
  const small = String(data["image/png"]);
  assert(small.startsWith("iVBORw0KGgo") && small.length < png.length / 1.5, `${small.length}`);
  assertEquals(data["text/plain"], "c");
});

Deno.test("textDifferences() holds texts to what the cells say, and passes over pictures", () => {
  const stored = notebook([stream("1\n2\n"), chart("a", "old")]);
  const same = notebook([stream("1\n"), stream("2\n"), chart("a", "new")]);
  assertEquals(textDifferences(stored, same), []);
  const [difference] = textDifferences(stored, notebook([stream("1\n3\n"), chart("a", "old")]));
  assertMatch(difference!, /^Cell 1, show\(\);: .* "3" in place of "2": store it by/);
  assertEquals(textDifferences(notebook([]), same), []);
});

Deno.test("textDifferences() of a cell that varies wants the same kinds of outputs", () => {
  const stored = notebook([stream("200 ns")], VARIES_TAG);
  assertEquals(textDifferences(stored, notebook([stream("300 ns")], VARIES_TAG)), []);
  assertEquals(textDifferences(stored, notebook([chart("a", "b")], VARIES_TAG)).length, 1);
});
