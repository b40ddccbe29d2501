import { type Conversion, type FormatPiece, scalarOf } from "../conversion.ts";
import { formatNumber, numberFormat } from "../format_number.ts";
import type { TextPosition } from "../../syntax/text_position.ts";

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
  readonly calls: readonly PrintedCall[];
  /** Calls that found no room. */
  readonly lostCount: number;
  /** Words that are no records, as where a shader wrote into the ring; they are left out. */
  readonly damagedWords: number;
}

/** Words before the records: how many were asked for, and how many calls were lost. */
export const RING_HEAD_WORDS = 2;
/** Words of a record before its arguments: call and lane, workgroup. */
export const RECORD_HEAD_WORDS = 2;
/** A lane with this bit is a pixel. */
const FRAGMENT_MARK = 0x8000;

/** How many words a conversion's arguments take. */
export function argumentWords({ width, precision, size }: Conversion): number {
  return Number(width === "*") + Number(precision === "*") + size;
}

/** How many words a record of a format takes. */
export function recordWords({ pieces }: Pick<PrintfFormat, "pieces">): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === "string" ? 0 : argumentWords(piece)),
    RECORD_HEAD_WORDS,
  );
}

/** Reads what a device has left in a ring. Words that cannot be are counted, and end the reading. */
export function readRing(ring: Uint32Array, formats: readonly PrintfFormat[]): RingContent {
  const [used = 0, lostCount = 0] = ring;
  const words = ring.subarray(RING_HEAD_WORDS);
  const values = new DataView(words.buffer, words.byteOffset, words.byteLength);
  const end = Math.min(used, words.length);
  const wordCounts = formats.map(recordWords);
  const calls: PrintedCall[] = [];
  let at = 0;
  while (at < end) {
    const number = words[at]! >>> 16;
    const wordCount = wordCounts[number - 1];
    if (wordCount === undefined || wordCount > end - at) break;
    calls.push(readRecord(values, at * 4, formats[number - 1]!));
    at += wordCount;
  }
  // The first record that found no room leaves less than its length behind, and nothing in it.
  const isRest = used > words.length && end - at < Math.max(...wordCounts) && words[at] === 0;
  return { calls, lostCount, damagedWords: isRest ? 0 : end - at };
}

function readRecord(
  values: DataView,
  recordByte: number,
  { pieces, position }: PrintfFormat,
): PrintedCall {
  const text = printedText(pieces, values, recordByte + RECORD_HEAD_WORDS * 4);
  return { text, place: placeOf(values, recordByte), position };
}

/**
 * The text of a format whose numbers stand in memory, one word each.
 *
 * @throws {RangeError} when they end before the format does
 */
export function printedText(
  pieces: readonly FormatPiece[],
  values: DataView,
  firstByte: number,
): string {
  let byte = firstByte;
  const next = () => (byte += 4) - 4;
  const nextExtent = () => values.getInt32(next(), LITTLE);
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const format = numberFormat(piece, nextExtent);
    let shown = formatNumber(scalarAt(values, next(), piece), format);
    for (let component = 1; component < piece.size; component++) {
      shown += `, ${formatNumber(scalarAt(values, next(), piece), format)}`;
    }
    text += piece.size === 1 ? shown : `(${shown})`;
  }
  return text;
}

/** The device's words are in the order of the host's bytes. */
export const LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

function scalarAt(values: DataView, byte: number, conversion: Conversion): number {
  const scalar = scalarOf(conversion);
  if (scalar === "f32") return values.getFloat32(byte, LITTLE);
  return scalar === "i32" ? values.getInt32(byte, LITTLE) : values.getUint32(byte, LITTLE);
}

function placeOf(values: DataView, recordByte: number): PrintfPlace {
  const lane = values.getUint32(recordByte, LITTLE) & 0xffff;
  const second = values.getUint32(recordByte + 4, LITTLE);
  return (lane & FRAGMENT_MARK) === 0
    ? { stage: "compute", workgroupIndex: second, laneIndex: lane }
    : { stage: "fragment", x: lane & ~FRAGMENT_MARK, y: second };
}
