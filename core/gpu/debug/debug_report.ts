import type { PrintedCall, PrintfCounts, PrintfPlace } from "../print/ring/ring_records.ts";
import type { TextPosition } from "../syntax/wgsl_text.ts";
import type { CallFrame, CallSite } from "./rewrite/call_graph.ts";
import { type DebugRecord, readRecord } from "./rewrite/debug_rewrite.ts";
import type { InstrumentedText } from "./rewrite/instrument_functions.ts";

/** Something that went wrong in an invocation. */
export interface ShaderFailure {
  /** What happened, with the values. */
  readonly message: string;
  /** The invocation. */
  readonly place: PrintfPlace;
  /** Where, in the author's text. */
  readonly position: TextPosition;
  /** The chain of calls, from the innermost function to the entry point. */
  readonly frames: readonly CallFrame[];
}

/** What a shader has told since the last report. */
export interface DebugReport extends PrintfCounts {
  /** What the author's own calls of `printf` have printed. */
  readonly text: string;
  /** Failed asserts. */
  readonly failures: readonly ShaderFailure[];
}

/** What turns records into a report. */
export interface RecordReader extends InstrumentedText {
  /** Maps a character of the instrumented text to the author's. */
  readonly positionAt: (index: number) => TextPosition;
}

/** Collects the calls of `printf` of a debugged shader. */
export class DebugCollector {
  readonly failures: ShaderFailure[] = [];
  readonly #reader: RecordReader;

  /** Begins with nothing. */
  constructor(reader: RecordReader) {
    this.#reader = reader;
  }

  /** Takes a call, and returns whether it is a record and not the author's own. */
  take({ text, place }: Pick<PrintedCall, "text" | "place">): boolean {
    const record = readRecord(text);
    const site = record && this.#reader.rewrite.sites[record.site];
    if (!site) return false;
    const frames = this.#framesOf(record);
    const [innermost] = frames;
    const message = record.text === ""
      ? `${site.written} does not hold`
      : `${site.written}: ${record.text}`;
    this.failures.push({ message, place, position: innermost.position, frames });
    return true;
  }

  #framesOf({ site, way }: DebugRecord): readonly [CallFrame, ...CallFrame[]] {
    const { rewrite, ways, positionAt } = this.#reader;
    const { of, start } = rewrite.sites[site]!;
    const { tokens } = rewrite.text;
    const frame = (name: string, at: number): CallFrame => ({
      name,
      position: positionAt(tokens[at]!.index),
    });
    const calls: readonly CallSite[] = ways.chainOf(of, way);
    return [
      frame(of.name.text, start),
      ...calls.map(({ caller, at }) => frame(caller.name.text, at)),
    ];
  }
}

/** Names an invocation. */
export function placeText(place: PrintfPlace): string {
  return place.stage === "compute"
    ? `lane ${place.laneIndex} of workgroup ${place.workgroupIndex}`
    : `pixel ${place.x}, ${place.y}`;
}

/**
 * A failure in some lines of text: what happened to which invocation, and the chain of calls.
 *
 * @param file the name of the author's text
 */
export function failureText(
  { message, place, frames }: ShaderFailure,
  file = "shader",
): string {
  const lines = frames.map(({ name, position: { line, column } }) =>
    `    at ${name} (${file}:${line}:${column})\n`
  );
  return `assertion failed: ${message.trimEnd()} [${placeText(place)}]\n${lines.join("")}`;
}
