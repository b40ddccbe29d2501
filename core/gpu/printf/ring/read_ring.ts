import type { TextPosition } from "../../syntax/text_position.ts";
import { argumentWords, type FormatPiece } from "../../../text/conversion.ts";
import { type FormatWriter, formatWriter } from "../../../text/format_writer.ts";
import { RingRecords } from "./ring_records.ts";

/** What the host knows of one `printf` of the text. */
export interface PrintfFormat {
  /** Where it stands in the author's text. */
  readonly position: TextPosition;
  /** Text, and conversions of numbers and vectors. */
  readonly pieces: readonly FormatPiece[];
}

/** Where a call was made: in a compute stage, or for a pixel in a fragment stage. */
export type PrintfPlace =
  | {
    readonly stage: "compute";
    /** Counted through x, then y, then z. */
    readonly workgroupIndex: number;
    /** `local_invocation_index`, from 0. */
    readonly laneIndex: number;
  }
  | { readonly stage: "fragment"; readonly x: number; readonly y: number };

/** One call of `printf` that a device has made. */
export interface PrintedCall {
  /** What it printed. */
  readonly text: string;
  /** Which invocation made it. */
  readonly place: PrintfPlace;
  /** Line and column of the `printf` in the author's text. */
  readonly position: TextPosition;
}

/** What was in a ring; nothing in it is trusted. */
export interface RingContent {
  /** In the order of the ring. */
  readonly records: RingRecords;
  /** Calls that found no room. */
  readonly lostCount: number;
  /** Words that are no records, as where a shader wrote into the ring; they are left out. */
  readonly damagedWords: number;
}

/** What reading needs of a format: made once, as a ring has many records of one. */
export interface RecordFormat {
  readonly position: TextPosition;
  /** Words of a record, its head included. */
  readonly wordCount: number;
  readonly write: FormatWriter;
}

/** Words before the records: how many were asked for, and how many calls were lost. */
export const RING_HEAD_WORDS = 2;
/** Words of a record before its arguments: call and lane, workgroup. */
export const RECORD_HEAD_WORDS = 2;

/** How many words a record of a format takes. */
export function recordWords({ pieces }: Pick<PrintfFormat, "pieces">): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === "string" ? 0 : argumentWords(piece)),
    RECORD_HEAD_WORDS,
  );
}

/** Prepares to read records of these formats. */
export function recordFormats(formats: readonly PrintfFormat[]): readonly RecordFormat[] {
  return formats.map((format) => ({
    position: format.position,
    wordCount: recordWords(format),
    write: formatWriter(format.pieces),
  }));
}

/**
 * Reads what a device has left in a ring, of which a copy is made. Words that cannot be are counted, and
 * end the reading.
 */
export function readRing(ring: Uint32Array, formats: readonly RecordFormat[]): RingContent {
  const [used = 0, lostCount = 0] = ring;
  const capacity = Math.max(0, ring.length - RING_HEAD_WORDS);
  const words = ring.slice(RING_HEAD_WORDS, RING_HEAD_WORDS + Math.min(used, capacity));
  const starts = new Uint32Array(Math.ceil(words.length / RECORD_HEAD_WORDS));
  let count = 0;
  let at = 0;
  while (at < words.length) {
    const format = formats[(words[at]! >>> 16) - 1];
    if (format === undefined || format.wordCount > words.length - at) break;
    starts[count++] = at;
    at += format.wordCount;
  }
  // The first record that found no room leaves less than its length behind, and nothing in it.
  const left = words.length - at;
  const longest = Math.max(...formats.map(({ wordCount }) => wordCount));
  const isRest = used > capacity && left < longest && words[at] === 0;
  const records = new RingRecords({ words, formats }, starts.subarray(0, count));
  return { records, lostCount, damagedWords: isRest ? 0 : left };
}
