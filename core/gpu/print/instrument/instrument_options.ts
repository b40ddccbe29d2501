import { checkOptionNames } from "../../../text/nearest.ts";
import { filterWords, type PrintfFilter } from "../ring/printf_filter.ts";
import { checkRingBytes, GROWN_RING_BYTES, RING_BYTES } from "../ring/ring_buffer.ts";
import type { PrintedLine } from "./printed_lines.ts";

/** Options of {@linkcode instrument}. */
export interface InstrumentOptions {
  /** What to print; everything when absent. */
  readonly filter?: PrintfFilter;
  /** The most lines of one submit; 100 when absent. What is beyond is counted and told. */
  readonly linesMax?: number;
  /** Gets each line; `console.log` of its message when absent. */
  readonly write?: (line: PrintedLine) => void;
  /** Gets sentences about what is missing; `console.warn` when absent. */
  readonly warn?: (text: string) => void;
  /** Size of the ring of each shader, a multiple of 4 of at least 16; 256 KiB when absent. */
  readonly bytes?: number;
  /** How large a ring may become where lines were lost that would be shown; 16 MiB when absent. */
  readonly bytesMax?: number;
}

/**
 * Fills in what is absent.
 *
 * @throws {TypeError} when an option is no such thing
 * @throws {RangeError} when a number is out of bounds
 */
export function checkedOptions(
  options: InstrumentOptions,
  largest: number,
): Required<InstrumentOptions> {
  const known = ["linesMax", "filter", "write", "warn", "bytes", "bytesMax"];
  checkOptionNames("instrument", options, known);
  const { filter = {}, bytes = RING_BYTES, linesMax = 100 } = options;
  const { bytesMax = Math.max(bytes, Math.min(GROWN_RING_BYTES, largest)) } = options;
  filterWords(filter); // throws if it is none
  checkRingBytes("instrument", { bytes, bytesMax }, largest);
  if (typeof linesMax !== "number" || !(linesMax >= 0)) {
    throw new RangeError(
      `Cannot instrument as linesMax must be a number from 0: current value is ${linesMax}`,
    );
  }
  const {
    write = ({ message }: PrintedLine) => console.log(message),
    warn = (text: string) => console.warn(text),
  } = options;
  for (const [name, value] of Object.entries({ write, warn })) {
    if (typeof value === "function") continue;
    throw new TypeError(
      `Cannot instrument as ${name} must be a function: current value is ${value}`,
    );
  }
  return { filter, bytes, bytesMax, linesMax, write, warn };
}
