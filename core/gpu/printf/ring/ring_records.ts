import { TextWriter } from "../../../text/text_writer.ts";
import type { PrintfOrder } from "./printed_text.ts";
import type { PrintedCall, PrintfPlace, RecordFormat } from "./read_ring.ts";

/** A lane with this bit is a pixel. */
const FRAGMENT_MARK = 0x8000;
/** The words of a record's head, as bytes. */
const HEAD_BYTES = 8;

/** Records of a ring, and what is known of their formats. */
export interface RingMemory {
  readonly words: Uint32Array;
  readonly formats: readonly RecordFormat[];
}

/** The records that were found in a ring, in an order; texts are made of them when they are wanted. */
export class RingRecords {
  readonly #memory: RingMemory;
  readonly #values: DataView;
  /** Where each begins, in words. */
  readonly #starts: Uint32Array;

  constructor(memory: RingMemory, starts: Uint32Array) {
    const { buffer, byteOffset, byteLength } = memory.words;
    this.#memory = memory;
    this.#values = new DataView(buffer, byteOffset, byteLength);
    this.#starts = starts;
  }

  /** How many records there are. */
  get count(): number {
    return this.#starts.length;
  }

  /** The records in another order; those of one invocation keep theirs. */
  inOrder(order: PrintfOrder): RingRecords {
    if (order === "arrival") return this;
    const { words } = this.#memory;
    // From the last digit to the first, each time without changing the order of equal ones.
    const digits: ((start: number) => number)[] = [
      (start) => words[start]! & (FRAGMENT_MARK - 1),
      (start) => words[start + 1]! & 0xffff,
      (start) => words[start + 1]! >>> 16,
      (start) => words[start]! & FRAGMENT_MARK,
    ];
    const starts = digits.reduce(sortedBy, this.#starts);
    return new RingRecords(this.#memory, starts);
  }

  /** Adds the texts of all records, one behind the other. */
  addTo(writer: TextWriter): void {
    for (let at = 0; at < this.#starts.length; at++) this.#add(writer, this.#starts[at]!);
  }

  /** Each record as a call of its own. */
  *calls(): Generator<PrintedCall> {
    const writer = new TextWriter();
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for (const start of this.#starts) {
      writer.cut();
      const { position } = this.#add(writer, start);
      yield { text: decoder.decode(writer.written), place: this.#placeOf(start), position };
    }
  }

  #add(writer: TextWriter, start: number): RecordFormat {
    const { words, formats } = this.#memory;
    const format = formats[(words[start]! >>> 16) - 1]!;
    format.write(writer, this.#values, start * 4 + HEAD_BYTES);
    return format;
  }

  #placeOf(start: number): PrintfPlace {
    const { words } = this.#memory;
    const lane = words[start]! & 0xffff;
    const second = words[start + 1]!;
    return (lane & FRAGMENT_MARK) === 0
      ? { stage: "compute", workgroupIndex: second, laneIndex: lane }
      : { stage: "fragment", x: lane & ~FRAGMENT_MARK, y: second };
  }
}

/** Sorts by a digit of 16 bits, in time that grows with the count only; equal ones keep their order. */
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
