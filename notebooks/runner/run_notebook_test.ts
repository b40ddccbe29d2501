import { assertEquals } from "@std/assert";
import type { Cell, Notebook } from "./notebook.ts";
import { runNotebook } from "./run_notebook.ts";

const OPTIONS = { folder: ".", limitSeconds: 60 };

function notebook(cells: readonly Cell[]): Notebook {
  return { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
}

function code(source: string, ...tags: readonly string[]): Cell {
  return { cell_type: "code", metadata: { tags }, source, outputs: [], execution_count: null };
}

Deno.test("runNotebook() fills in the outputs and leaves the prose alone", async () => {
  const prose: Cell = { cell_type: "markdown", metadata: {}, source: "Why?" };
  const { executed, problems } = await runNotebook(
    notebook([prose, code("const one = 1;", "silent"), code("console.log(one)")]),
    OPTIONS,
  );
  assertEquals(problems, []);
  assertEquals(executed.cells[0], prose);
  assertEquals(executed.cells.map(({ outputs }) => outputs?.length), [undefined, 0, 1]);
});

Deno.test("runNotebook() reports a missing output and an output that no one expects", async () => {
  const { problems } = await runNotebook(
    notebook([code("const one = 1;"), code("console.log(one)", "silent"), code("one")]),
    OPTIONS,
  );
  assertEquals(problems, [
    "Cell 1: missing output: it shows nothing",
    "Cell 2: it is tagged silent and shows something",
  ]);
});

Deno.test("runNotebook() stops at an error", async () => {
  const { executed, problems } = await runNotebook(
    notebook([code('throw new RangeError("too far")'), code("console.log(1)")]),
    OPTIONS,
  );
  assertEquals(problems, ["Cell 1: RangeError: too far"]);
  assertEquals(executed.cells[1]?.outputs, []);
});

Deno.test("runNotebook() reports a cell that does not end", async () => {
  const endless = notebook([code("await new Promise(() => setInterval(() => {}, 1000))")]);
  const { problems } = await runNotebook(endless, { folder: ".", limitSeconds: 1 });
  assertEquals(problems, ["Cell 1: Cannot wait for the cell any longer: the limit is 1 s"]);
});
