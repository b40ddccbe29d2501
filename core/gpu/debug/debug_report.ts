import type { PrintedCall, PrintfCounts, PrintfPlace } from "../printf/ring/ring_records.ts";
import type { TextPosition } from "../syntax/wgsl_text.ts";
import type { CallFrame, CallSite } from "./rewrite/call_graph.ts";
import { type DebugRecord, readRecord } from "./rewrite/debug_rewrite.ts";
import type { InstrumentedText } from "./rewrite/instrument_functions.ts";
import type { Watch } from "./rewrite/value_watch.ts";

/** Something that went wrong in an invocation. */
export interface ShaderFailure {
  /** Which check found it. */
  readonly kind: "assert" | "bounds" | Watch;
  /** What happened, with the values. */
  readonly message: string;
  /** The invocation. */
  readonly place: PrintfPlace;
  /** Where, in the author's text. */
  readonly position: TextPosition;
  /** The chain of calls, from the innermost function to the entry point. */
  readonly frames: readonly CallFrame[];
}

/** What the traced invocation did: a value was given to a name, or a function was entered or left. */
export interface TraceStep {
  /** `enter` and `return` are of a function, `parameter`, `let`, `var` and `set` of a name. */
  readonly verb: string;
  /** The name, the place that is assigned to, or the returned expression. */
  readonly written: string;
  /** The value, or `?` if its type is unknown; empty for `enter`. */
  readonly value: string;
  /** Where, in the author's text. */
  readonly position: TextPosition;
  /** The chain of calls, from the innermost function to the entry point. */
  readonly frames: readonly CallFrame[];
}

/** What a shader has told since the last report. */
export interface DebugReport extends PrintfCounts {
  /** What the author's own calls of `printf` have printed. */
  readonly text: string;
  /** Failed asserts, and what was guarded or watched for. */
  readonly failures: readonly ShaderFailure[];
  /** The steps of the traced invocation, in their order. */
  readonly trace: readonly TraceStep[];
}

/** What turns records into a report. */
export interface RecordReader extends InstrumentedText {
  /** Maps a character of the instrumented text to the author's. */
  readonly positionAt: (index: number) => TextPosition;
  /** The author's name of a function. */
  readonly nameOf: (name: string) => string;
}

/** Collects the calls of `printf` of a debugged shader. */
export class DebugCollector {
  readonly failures: ShaderFailure[] = [];
  readonly trace: TraceStep[] = [];
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
    // The entry point that runs a vertex stage is none of the author's.
    if (!innermost) return true;
    const { position } = innermost;
    if (record.kind !== "trace") {
      const message = messageOf(record, site.written);
      this.failures.push({ kind: record.kind, message, place, position, frames });
      return true;
    }
    const { verb, written } = site;
    const value = verb === "enter" ? "" : record.text;
    const name = verb === "enter" ? this.#reader.nameOf(written) : written;
    this.trace.push({ verb, written: name, value, position, frames });
    return true;
  }

  #framesOf({ site, way }: DebugRecord): readonly CallFrame[] {
    const { rewrite, ways, positionAt, nameOf } = this.#reader;
    const { of, start } = rewrite.sites[site]!;
    const { tokens } = rewrite.text;
    const frame = (name: string, at: number): CallFrame => ({
      name: nameOf(name),
      position: positionAt(tokens[at]!.index),
    });
    const calls: readonly CallSite[] = ways.chainOf(of, way);
    return [
      frame(of.name.text, start),
      ...calls.map(({ caller, at }) => frame(caller.name.text, at)),
    ].filter(({ name }) => name !== "");
  }
}

function messageOf({ kind, text }: DebugRecord, written: string): string {
  if (kind === "assert") return text === "" ? `${written} does not hold` : `${written}: ${text}`;
  if (kind !== "bounds") return `${written}: ${text}`;
  const [index = 0, length = 0] = text.split(" ").map(Number);
  return `${written}: index ${index | 0} of ${length} ${length === 1 ? "element" : "elements"}`;
}

const TITLES: Readonly<Record<ShaderFailure["kind"], string>> = {
  assert: "assertion failed",
  bounds: "out of bounds",
  nan: "not a number",
  inf: "infinity",
  division: "division by zero",
};

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
  { kind, message, place, frames }: ShaderFailure,
  file = "shader",
): string {
  const lines = frames.map(({ name, position: { line, column } }) =>
    `    at ${name} (${file}:${line}:${column})\n`
  );
  return `${TITLES[kind]}: ${message.trimEnd()} [${placeText(place)}]\n${lines.join("")}`;
}
