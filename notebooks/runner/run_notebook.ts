import type { CellOutputs } from "./cell_outputs.ts";
import { Kernel } from "./kernel.ts";
import {
  type Cell,
  isSilent,
  type Notebook,
  type Output,
  SILENT_TAG,
  sourceText,
} from "./notebook.ts";

export interface RunOptions {
  /** The current folder of the cells: imports are relative to it. */
  readonly folder: string;
  /** For each cell. A cell that takes longer ends the run, and its kernel. */
  readonly limitSeconds: number;
}

export interface NotebookRun {
  /** The notebook with the outputs of this run. */
  readonly executed: Notebook;
  /** What is wrong, a sentence each; empty where all is well. */
  readonly problems: readonly string[];
}

/**
 * Runs a notebook top to bottom in a fresh kernel. Problems are an error in a cell, which ends the
 * run because later cells build on it, a kernel that dies or takes too long, a cell that shows
 * nothing although it does not carry the tag `silent`, and one that shows something although it does.
 */
export async function runNotebook(notebook: Notebook, options: RunOptions): Promise<NotebookRun> {
  await using kernel = await Kernel.start({ folder: options.folder });
  const cells = [...notebook.cells];
  const problems: string[] = [];
  for (const [index, cell] of cells.entries()) {
    if (cell.cell_type !== "code") continue;
    const run = await runCell(kernel, cell, options);
    cells[index] = run.executed;
    problems.push(...run.problems.map((text) => `Cell ${index + 1}: ${text}`));
    if (run.isLast) break;
  }
  return { executed: { ...notebook, cells }, problems };
}

interface CellRun {
  readonly executed: Cell;
  readonly problems: readonly string[];
  readonly isLast: boolean;
}

async function runCell(kernel: Kernel, cell: Cell, { limitSeconds }: RunOptions): Promise<CellRun> {
  try {
    const shown = await kernel.execute(sourceText(cell), {
      limitSeconds,
      expectsOutput: !isSilent(cell),
    });
    return {
      executed: { ...cell, outputs: shown.outputs, execution_count: shown.executionCount },
      problems: problemsOf(cell, shown),
      isLast: shown.outputs.some(isError),
    };
  } catch (error) {
    return { executed: cell, problems: [(error as Error).message], isLast: true };
  }
}

function problemsOf(cell: Cell, shown: CellOutputs): string[] {
  const errors = shown.outputs.filter(isError);
  if (errors.length > 0) return errors.map(({ ename, evalue }) => `${ename}: ${evalue}`);
  if (isSilent(cell) && shown.isVisible) return [`it is tagged ${SILENT_TAG} and shows something`];
  if (!isSilent(cell) && !shown.isVisible) return ["missing output: it shows nothing"];
  return [];
}

function isError(output: Output): output is Extract<Output, { output_type: "error" }> {
  return output.output_type === "error";
}
