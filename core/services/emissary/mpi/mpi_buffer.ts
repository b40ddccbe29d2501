import type { MpiValue } from "./mpi_library.ts";

/** A communicator. */
export interface MpiComm {
  readonly value: MpiValue;
}

/** What elements of a message are. */
export interface MpiDatatype extends MpiComm {
  readonly name: string;
  /** From one element to the next, in memory. */
  readonly extentBytes: number;
}

/** Elements of a message: a buffer, and what the caller says about it. */
export interface MpiBuffer {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly datatype: MpiDatatype;
  /** How many times so many elements; 1 when absent. */
  readonly times?: number;
}

/**
 * Checks that a buffer is as long as its count and datatype say.
 *
 * @throws {RangeError} when it is not: the library would go beyond it
 */
export function checkBuffer(
  action: string,
  { bytes, count, datatype, times = 1 }: MpiBuffer,
): void {
  const { name, extentBytes } = datatype;
  if (count >= 0 && bytes.length === count * extentBytes * times) return;
  const due = times === 1 ? "" : `${times} times `;
  throw new RangeError(
    `Cannot call mpi.${action} as a buffer must have ${due}${count} of ${name}, ${extentBytes} bytes each: its length is ${bytes.length}`,
  );
}
