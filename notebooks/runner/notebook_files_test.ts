import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { basename, join } from "@std/path";
import { listNotebooks, runNotebookFile } from "./notebook_files.ts";

const MAIN = join(import.meta.dirname!, "../..", ".ci/notebooks.ts");

async function withNotebook<T>(
  source: string,
  use: (path: string, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "01_a.ipynb");
    const cell = { cell_type: "code", metadata: {}, source, outputs: [], execution_count: null };
    const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await Deno.writeTextFile(path, JSON.stringify(notebook));
    return await use(path, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function runMain(...args: readonly string[]): Promise<Deno.CommandOutput> {
  return new Deno.Command(Deno.execPath(), { args: ["run", "-A", MAIN, ...args] }).output();
}

Deno.test("listNotebooks() names this project's notebooks in reading order", () => {
  const names = listNotebooks().map((path) => basename(path));
  assertEquals(names, names.toSorted());
  for (const name of names) assertMatch(name, /^\d\d_\w+\.ipynb$/);
});

Deno.test("runNotebookFile() saves the executed copy and leaves the file as it was", async () => {
  await withNotebook("1 + 1", async (path, folder) => {
    const before = await Deno.readTextFile(path);
    const saveFolder = join(folder, "executed");
    assertEquals(await runNotebookFile(path, { saveFolder }), []);
    assertEquals(await Deno.readTextFile(path), before);
    const saved = JSON.parse(await Deno.readTextFile(join(saveFolder, "01_a.ipynb")));
    assertEquals(saved.cells[0].outputs.length, 1);
  });
});

Deno.test("deno task notebooks fails on a problem, and on an option that it does not know", async () => {
  await withNotebook("void 0;", async (path, folder) => {
    const { code, stdout } = await runMain(path);
    assertEquals(code, 1);
    const text = new TextDecoder().decode(stdout);
    assertStringIncludes(text, "missing output");
    assertStringIncludes(text, "1 notebook, 1 problem");
    for (const wrong of [join(folder, "none.ipynb"), "--sav=x"]) {
      const { code, stderr } = await runMain(path, wrong);
      assertEquals(code, 2);
      assertStringIncludes(new TextDecoder().decode(stderr), wrong.replace("=x", ""));
    }
  });
});
