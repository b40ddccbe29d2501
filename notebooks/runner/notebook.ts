/** A notebook file, format 4, as far as the runner reads and writes it. */
export interface Notebook {
  readonly cells: readonly Cell[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly nbformat: number;
  readonly nbformat_minor: number;
}

export interface Cell {
  readonly cell_type: "code" | "markdown" | "raw";
  readonly id?: string;
  readonly metadata: { readonly tags?: readonly string[] };
  readonly source: string | readonly string[];
  readonly outputs?: readonly Output[];
  readonly execution_count?: number | null;
}

/** MIME type to content, as a kernel sends it. */
export type MediaBundle = Readonly<Record<string, unknown>>;

/** What a cell shows, in the names of the file format. */
export type Output =
  | { readonly output_type: "stream"; readonly name: string; readonly text: string }
  | { readonly output_type: "display_data"; readonly data: MediaBundle; readonly metadata: object }
  | {
    readonly output_type: "execute_result";
    readonly execution_count: number;
    readonly data: MediaBundle;
    readonly metadata: object;
  }
  | {
    readonly output_type: "error";
    readonly ename: string;
    readonly evalue: string;
    readonly traceback: readonly string[];
  };

/** A cell that only prepares carries this tag in its metadata; every other code cell must show something. */
export const SILENT_TAG = "silent";

export function isSilent(cell: Cell): boolean {
  return cell.metadata.tags?.includes(SILENT_TAG) ?? false;
}

export function sourceText(cell: Cell): string {
  return typeof cell.source === "string" ? cell.source : cell.source.join("");
}

/** Whether a reader would see it: an empty text or bundle is nothing, and so is a chart of no rows. */
export function isVisible(output: Output): boolean {
  if (output.output_type === "error") return true;
  if (output.output_type === "stream") return output.text.trim() !== "";
  const contents = Object.entries(output.data);
  return contents.some(([, content]) => content !== null && content !== "") &&
    !contents.some(([type, content]) => /vegalite/.test(type) && isWithoutRows(content));
}

function isWithoutRows(spec: unknown): boolean {
  const { data } = spec as { readonly data?: { readonly values?: unknown } };
  return Array.isArray(data?.values) && data.values.length === 0;
}

/** Reads a notebook file. Throws a `SyntaxError` that names the file where it is not one. */
export function parseNotebook(text: string, name: string): Notebook {
  const notebook = parseJson(text, name);
  if (notebook?.nbformat !== 4 || !Array.isArray(notebook.cells)) {
    throw new SyntaxError(
      `Cannot run ${name} as it is no notebook of format 4: nbformat is ${notebook?.nbformat}`,
    );
  }
  return notebook as Notebook;
}

function parseJson(text: string, name: string): Partial<Notebook> | null {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`Cannot run ${name} as it is not JSON`, { cause });
  }
}
