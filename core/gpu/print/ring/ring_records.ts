import type { Position } from "../../text/lines.ts";
import { type FormatPiece, wordsOfPieces } from "../../../text/conversion.ts";
import { type FormatWriter, formatWriter } from "../../../text/format_writer.ts";
import { DISPATCH_COUNT } from "./dispatch_numbers.ts";
import { ringHeadWords } from "./ring_buffer.ts";
import { TextWriter } from "../../../text/text_writer.ts";

/** What the host knows of one `printf`. */
export interface PrintfFormat {
  /** Its position in the author's text. */
  readonly position: Position;
  /** Text, and conversions of numbers and vectors. */
  readonly pieces: readonly FormatPiece[];
  /** Whether it is what a failed `assert` prints. */
  readonly isAssert?: boolean;
}

/** The invocation that made a call: in a compute stage, or for a pixel in a fragment stage. */
export type PrintfPlace =
  | {
    readonly stage: "compute";
    /** Counted through x, then y, then z. */
    readonly workgroupIndex: number;
    /** `local_invocation_index`, from 0. */
    readonly laneIndex: number;
  }
  | { readonly stage: "fragment"; readonly x: number; readonly y: number };

/** One call of `printf`, or a failed `assert`. */
export interface PrintedCall {
  /** The text that it printed. */
  readonly text: string;
  /** The invocation that made it. */
  readonly place: PrintfPlace;
  /** The position of the `printf` in the author's text. */
  readonly position: Position;
  /** The dispatch or draw that made it. */
  readonly dispatch: PrintfDispatch;
  /** Whether it is a failed `assert`. */
  readonly isAssert: boolean;
}

/** A dispatch or draw, as far as it was bound by itself. */
export interface PrintfDispatch {
  /** The place of its `bind` among those since the last reading, from 0. */
  readonly index: number;
  /** The label that it was bound with; empty without one. */
  readonly label: string;
}

/** The contents of a ring, which are not trusted. */
export interface RingContent {
  /** In the order of the ring. */
  readonly records: RingRecords;
  /** Calls that found no room. */
  readonly lostCount: number;
  /** Words that are not records, for example because a shader wrote to the ring; they are left out. */
  readonly damagedWords: number;
}

/** A format prepared for reading, as a ring has many records of each. */
export interface RecordFormat {
  readonly position: Position;
  /** Words of a record, including its head. */
  readonly wordCount: number;
  readonly write: FormatWriter;
  readonly isAssert: boolean;
}

/** Words of a record before its arguments: call, dispatch and lane; workgroup. */
export const RECORD_HEAD_WORDS = 2;

const LINE_FEED = 10;

/** How the first word of a record is divided; `printf.wgsl` has the same. */
const CALL_SHIFT = 22;
const DISPATCH_SHIFT = 12;
/** Marks the record of a pixel. */
const FRAGMENT_MARK = 0x800;

/** The number of words of a record. */
export function recordWords({ pieces }: Pick<PrintfFormat, "pieces">): number {
  return RECORD_HEAD_WORDS + wordsOfPieces(pieces);
}

/** Prepares to read records of these formats. */
export function recordFormats(formats: readonly PrintfFormat[]): readonly RecordFormat[] {
  return formats.map((format) => ({
    position: format.position,
    wordCount: recordWords(format),
    write: formatWriter(format.pieces),
    isAssert: format.isAssert ?? false,
  }));
}

/**
 * Copies and reads the contents of a ring. Reading ends at the first invalid word; the rest is counted.
 *
 * @param known the name of the file, and what is known of dispatches
 */
export function readRing(
  ring: Uint32Array,
  formats: readonly RecordFormat[],
  known: Omit<RingMemory, "words" | "formats"> = {},
): RingContent {
  const [used = 0, lostCount = 0] = ring;
  const headWords = ringHeadWords(formats.length);
  const capacity = Math.max(0, ring.length - headWords);
  const words = ring.slice(headWords, headWords + Math.min(used, capacity));
  const starts = new Uint32Array(Math.ceil(words.length / RECORD_HEAD_WORDS));
  let count = 0;
  let at = 0;
  while (at < words.length) {
    const format = formats[(words[at]! >>> CALL_SHIFT) - 1];
    if (format === undefined || format.wordCount > words.length - at) break;
    starts[count++] = at;
    at += format.wordCount;
  }
  // The first record that did not fit leaves fewer words than its length, which are zero.
  const left = words.length - at;
  const longest = Math.max(...formats.map(({ wordCount }) => wordCount));
  const isRest = used > capacity && left < longest && words[at] === 0;
  const records = new RingRecords({ words, formats, ...known }, starts.subarray(0, count));
  return { records, lostCount, damagedWords: isRest ? 0 : left };
}

/** The words of a record's head, as bytes. */
const HEAD_BYTES = 8;

/** Records of a ring, and what is known of their formats. */
export interface RingMemory {
  readonly words: Uint32Array;
  readonly formats: readonly RecordFormat[];
  /** Names the text in what failed asserts print; `shader` when absent. */
  readonly file?: string;
  /** The label of the dispatch of a number. */
  readonly labels?: readonly string[];
  /** The place of a dispatch's number among the others; its own when absent. */
  readonly rankOf?: (number: number) => number;
}

/** The ordered records of a ring, whose texts are made on demand. */
export class RingRecords {
  readonly #memory: RingMemory;
  readonly #values: DataView;
  /** The word at which each record begins. */
  readonly #starts: Uint32Array;

  constructor(memory: RingMemory, starts: Uint32Array) {
    const { buffer, byteOffset, byteLength } = memory.words;
    this.#memory = memory;
    this.#values = new DataView(buffer, byteOffset, byteLength);
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Sorts the records; those of one invocation keep their order. */
  inOrder(order: PrintfOrder): RingRecords {
    if (order === "arrival") return this;
    const { words, rankOf = (number) => number } = this.#memory;
    // A stable sort by each digit, from the last to the first.
    const digits: ((start: number) => number)[] = [
      (start) => words[start]! & (FRAGMENT_MARK - 1),
      (start) => words[start + 1]! & 0xffff,
      (start) => words[start + 1]! >>> 16,
      (start) => words[start]! & FRAGMENT_MARK,
      (start) => rankOf((words[start]! >>> DISPATCH_SHIFT) & (DISPATCH_COUNT - 1)),
    ];
    const starts = digits.reduce(sortedBy, this.#starts);
    return new RingRecords(this.#memory, starts);
  }

  get file(): string {
    return this.#memory.file ?? "shader";
  }

  /** Adds the texts of all records; failed asserts begin their lines with their places. */
  addTo(writer: TextWriter): void {
    for (let at = 0; at < this.#starts.length; at++) {
      const start = this.#starts[at]!;
      if (this.#formatOf(start).isAssert) this.#beginFailure(writer, start);
      this.#add(writer, start);
    }
  }

  #beginFailure(writer: TextWriter, start: number): void {
    const isOpen = writer.length > 0 && writer.byteAt(writer.length - 1) !== LINE_FEED;
    if (isOpen) writer.addByte(LINE_FEED);
    const call = { ...this.#ownerOf(start), position: this.#formatOf(start).position };
    writer.add(new TextEncoder().encode(failureHead(this.file, call)));
  }

  *calls(): Generator<PrintedCall> {
    const writer = new TextWriter();
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for (const start of this.#starts) {
      writer.cut();
      const { position, isAssert } = this.#add(writer, start);
      const text = decoder.decode(writer.written);
      yield { text, position, isAssert, ...this.#ownerOf(start) };
    }
  }

  #formatOf(start: number): RecordFormat {
    const { words, formats } = this.#memory;
    return formats[(words[start]! >>> CALL_SHIFT) - 1]!;
  }

  #add(writer: TextWriter, start: number): RecordFormat {
    const format = this.#formatOf(start);
    format.write(writer, this.#values, start * 4 + HEAD_BYTES);
    return format;
  }

  #ownerOf(start: number): Pick<PrintedCall, "place" | "dispatch"> {
    const { words, labels = [] } = this.#memory;
    const [first, second] = [words[start]!, words[start + 1]!];
    const index = (first >>> DISPATCH_SHIFT) & (DISPATCH_COUNT - 1);
    const place: PrintfPlace = (first & FRAGMENT_MARK) === 0
      ? { stage: "compute", workgroupIndex: second, laneIndex: first & (FRAGMENT_MARK - 1) }
      : { stage: "fragment", x: second & 0xffff, y: second >>> 16 };
    return { place, dispatch: { index, label: labels[index] ?? "" } };
  }
}

/** Sorts by a digit of 16 bits in linear time; equal ones keep their order. */
function sortedBy(starts: Uint32Array, digitOf: (start: number) => number): Uint32Array {
  const { isSorted, largest } = scan(starts, digitOf);
  if (isSorted) return starts;
  const places = new Uint32Array(largest + 2);
  for (let at = 0; at < starts.length; at++) places[digitOf(starts[at]!) + 1]! += 1;
  for (let digit = 1; digit < places.length; digit++) places[digit]! += places[digit - 1]!;
  const sorted = new Uint32Array(starts.length);
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at]!;
    const digit = digitOf(start);
    sorted[places[digit]!] = start;
    places[digit]! += 1;
  }
  return sorted;
}

function scan(starts: Uint32Array, digitOf: (start: number) => number) {
  let isSorted = true;
  let last = 0;
  let largest = 0;
  for (let at = 0; at < starts.length; at++) {
    const digit = digitOf(starts[at]!);
    isSorted &&= digit >= last;
    last = digit;
    largest = Math.max(largest, digit);
  }
  return { isSorted, largest };
}

/**
 * The order of calls. `invocation` shows the dispatches and draws in their order, and of each all calls
 * of the first lane of the first workgroup, then those of the next lane, and so on; `arrival` shows them
 * as they came into the ring, which differs from run to run. Both keep the order of one invocation's
 * calls. Dispatches after one `bind` count as one.
 */
export type PrintfOrder = "invocation" | "arrival";

/** How calls are turned into text. */
export interface PrintedTextOptions {
  /** `invocation` when absent. */
  readonly order?: PrintfOrder;
  /**
   * Whether each line begins with its invocation, as `[2:31] ` for lane 31 of workgroup 2, behind the
   * label that its dispatch was bound with: `[blur 2:31] `.
   */
  readonly isLabelled?: boolean;
}

/** Names the invocation of a call, and its dispatch if that has a label. */
export function invocationName(
  { place, dispatch }: Pick<PrintedCall, "place" | "dispatch">,
): string {
  const invocation = place.stage === "compute"
    ? `${place.workgroupIndex}:${place.laneIndex}`
    : `pixel ${place.x},${place.y}`;
  return dispatch.label === "" ? invocation : `${dispatch.label} ${invocation}`;
}

/** What the line of a failed `assert` begins with: `blur.wgsl:12 [blur 2:31] `. */
export function failureHead(
  file: string,
  call: Pick<PrintedCall, "place" | "dispatch" | "position">,
): string {
  return `${file}:${call.position.line} [${invocationName(call)}] `;
}

/** Labels each line that a call begins; `isNew` says whether its text begins one. */
function labelled({ text }: PrintedCall, label: string, isNew: boolean): string {
  return (isNew && text !== "" ? label : "") + text.replaceAll(/\n(?=[^])/g, `\n${label}`);
}

/** Labels the lines of calls if that is wanted, and those of failed asserts always. */
export function* shownCalls(
  calls: Iterable<PrintedCall>,
  { file, isLabelled }: { readonly file: string; readonly isLabelled: boolean },
): Generator<PrintedCall> {
  let [line, owner] = ["", ""];
  for (const call of calls) {
    const isOpen = line !== "" && !line.endsWith("\n");
    // A line begun by another invocation needs a new label.
    const label = `[${invocationName(call)}] `;
    const text = call.isAssert
      ? (isOpen ? "\n" : "") + failureHead(file, call) + call.text
      : isLabelled
      ? labelled(call, label, !isOpen || owner !== label)
      : call.text;
    if (call.text !== "") [line, owner] = [call.text, label];
    yield { ...call, text };
  }
}

/** Options of {@linkcode PrintfRing.printed}. */
export interface PrintedOptions extends PrintedTextOptions {
  /** Called with each call. If it throws, reading ends and the remaining calls are lost. */
  readonly sink?: (text: string, call: PrintedCall) => void;
}

/** What was printed since the last read, without the text. */
export interface PrintfCounts {
  /** The number of calls in the text. */
  readonly callCount: number;
  /** Calls that found the ring full, and are left out as a whole. From 4026531840 on there may be more. */
  readonly lostCount: number;
  /** Words in the ring that are not records; 0 unless something else wrote to it. */
  readonly damagedWords: number;
  /** Sentences about what is missing in the text; empty if nothing is. */
  readonly warnings: readonly string[];
}

/** What was printed since the last read. */
export interface PrintfReport extends PrintfCounts {
  /** The text of all calls. */
  readonly text: string;
}

/** What was printed since the last read, as bytes. */
export interface PrintfBytes extends PrintfCounts {
  /** The text of all calls in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Turns the contents of a ring into a report, and passes each call to the sink. */
export function reportOf(
  content: RingContent,
  options: PrintedOptions,
  bytes: number,
): PrintfReport {
  const { sink, isLabelled = false } = options;
  const counts = countsOf(content, bytes);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (!sink && !isLabelled) return { text: decoder.decode(writtenOf(content)), ...counts };
  const { records } = content;
  const texts: string[] = [];
  for (const call of shownCalls(records.calls(), { file: records.file, isLabelled })) {
    sink?.(call.text, call);
    texts.push(call.text);
  }
  return { text: texts.join(""), ...counts };
}

/** Like {@linkcode reportOf}, without strings. */
export function bytesOf(content: RingContent, bytes: number): PrintfBytes {
  return { bytes: writtenOf(content).slice(), ...countsOf(content, bytes) };
}

function writtenOf({ records }: RingContent): Uint8Array<ArrayBuffer> {
  const writer = new TextWriter();
  records.addTo(writer);
  return writer.written;
}

function countsOf(content: RingContent, bytes: number): PrintfCounts {
  const { records: { count: callCount }, lostCount, damagedWords } = content;
  return { callCount, lostCount, damagedWords, warnings: warningsOf(content, bytes) };
}

function warningsOf({ lostCount, damagedWords }: RingContent, bytes: number): string[] {
  const warnings: string[] = [];
  if (lostCount > 0) {
    warnings.push(
      `${lostCount} calls of printf were lost as the ring of ${bytes} bytes was full: attach a larger one by the option bytes, read it more often, or set a filter`,
    );
  }
  if (damagedWords > 0) {
    warnings.push(
      `${damagedWords} words of the ring are no records: something else has written into its buffer`,
    );
  }
  return warnings;
}
