import {
  invocationName,
  type PrintedCall,
  type PrintfDispatch,
  type PrintfPlace,
} from "../ring/ring_records.ts";

/** A line that a shader printed. */
export interface PrintedLine {
  /** What the console shows: `blur.wgsl:12 [blur 2:31] x = 1.5`. */
  readonly message: string;
  /** What the shader printed, without the line feed. */
  readonly text: string;
  /** The label of the shader's module. */
  readonly file: string;
  /** The line of the `printf` that began it, from 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The invocation. */
  readonly place: PrintfPlace;
  /** The dispatch or draw. */
  readonly dispatch: PrintfDispatch;
  /** Whether it tells of a failed `assert`. */
  readonly isAssert: boolean;
}

/** The lines of some calls, and how many calls were left out. */
export interface LinesReport {
  readonly lines: readonly PrintedLine[];
  readonly leftCount: number;
}

/**
 * Makes lines of calls. As in C, a line ends with a line feed; and where another invocation goes on.
 *
 * @param counts of all calls, and of the lines that are made
 */
export function printedLines(
  file: string,
  calls: Iterable<PrintedCall>,
  { callCount, linesMax }: { readonly callCount: number; readonly linesMax: number },
): LinesReport {
  const lines: PrintedLine[] = [];
  let open:
    | { readonly text: string; readonly call: PrintedCall; readonly owner: string }
    | undefined;
  let usedCount = 0;
  const close = () => {
    if (open && lines.length < linesMax) lines.push(lineOf(file, open.text, open.call));
    open = undefined;
  };
  for (const call of calls) {
    const owner = `${call.dispatch.index} ${invocationName(call)}`;
    if (open && (open.owner !== owner || call.isAssert)) close();
    if (lines.length >= linesMax) break;
    usedCount++;
    const parts = call.text.split("\n");
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        open ??= { text: "", call, owner };
        close();
      }
      if (part === "") continue;
      open = open ? { ...open, text: open.text + part } : { text: part, call, owner };
    }
  }
  close();
  return { lines, leftCount: callCount - usedCount };
}

function lineOf(file: string, text: string, call: PrintedCall): PrintedLine {
  const { position: { line, column }, place, dispatch, isAssert } = call;
  const message = `${file}:${line} [${invocationName(call)}] ${text}`;
  return { message, text, file, line, column, place, dispatch, isAssert };
}
