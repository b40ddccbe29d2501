import { basename, dirname, fromFileUrl, join } from "@std/path";
import { type Notebook, parseNotebook } from "./notebook.ts";
import { runNotebook } from "./run_notebook.ts";
import { storedOutputs, textDifferences } from "./stored_outputs.ts";

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

/** What becomes of an executed notebook. */
export interface RunFileOptions {
  /** Where the executed copy is written, under the same name. */
  readonly saveFolder?: string | undefined;
  /** Whether the notebook itself gets the outputs of this run; else its texts have to be those of it. */
  readonly isWritten?: boolean;
}

/** Runs the notebook at a path in its own folder, and returns its problems. */
export async function runNotebookFile(
  path: string,
  { saveFolder, isWritten = false }: RunFileOptions = {},
): Promise<readonly string[]> {
  const notebook = parseNotebook(await Deno.readTextFile(path), path);
  const { executed, problems } = await runNotebook(notebook, {
    folder: dirname(path),
    limitSeconds: CELL_SECONDS_MAX,
  });
  const text = JSON.stringify(storable(executed), null, 1) + "\n";
  if (saveFolder !== undefined) {
    await Deno.mkdir(saveFolder, { recursive: true });
    await Deno.writeTextFile(join(saveFolder, basename(path)), text);
  }
  // What went wrong is no answer to keep.
  if (isWritten && problems.length === 0) await Deno.writeTextFile(path, text);
  return isWritten ? problems : [...problems, ...textDifferences(notebook, executed)];
}

function storable(notebook: Notebook): Notebook {
  const cells = notebook.cells.map((cell) =>
    cell.outputs ? { ...cell, outputs: storedOutputs(cell.outputs) } : cell
  );
  return { ...notebook, cells };
}
