import { basename, dirname, fromFileUrl, join } from "@std/path";
import { parseNotebook } from "./notebook.ts";
import { runNotebook } from "./run_notebook.ts";

/** Time for one cell. The slowest loads stored records and draws a chart, in a few seconds. */
const CELL_SECONDS_MAX = 120;

/** The notebooks of this project, in reading order. */
export function listNotebooks(): string[] {
  const folder = fromFileUrl(new URL("..", import.meta.url));
  return [...Deno.readDirSync(folder)]
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".ipynb"))
    .toSorted()
    .map((name) => join(folder, name));
}

/**
 * Runs the notebook at a path in its own folder, and returns its problems. With `saveFolder` the
 * executed copy is written there, under the same name; the notebook itself is never changed.
 */
export async function runNotebookFile(
  path: string,
  { saveFolder }: { readonly saveFolder?: string | undefined } = {},
): Promise<readonly string[]> {
  const notebook = parseNotebook(await Deno.readTextFile(path), path);
  const { executed, problems } = await runNotebook(notebook, {
    folder: dirname(path),
    limitSeconds: CELL_SECONDS_MAX,
  });
  if (saveFolder !== undefined) {
    await Deno.mkdir(saveFolder, { recursive: true });
    const text = JSON.stringify(executed, null, 1) + "\n";
    await Deno.writeTextFile(join(saveFolder, basename(path)), text);
  }
  return problems;
}
