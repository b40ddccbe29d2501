/**
 * Memory in which the arguments of callers lie, by addresses that count bytes: the heap of a kernel.
 * Callers write it as they like; nobody else does while a function is served.
 */
export interface CallerHeap {
  /**
   * Checks that so many bytes lie in the heap.
   *
   * @throws {RangeError} when they do not
   */
  check(address: number, lengthBytes: number): void;
  /** Bytes of it, for use at once; throws as {@linkcode check}. */
  read(address: number, lengthBytes: number): Uint8Array;
  /** The bytes in front of the next NUL, for use at once; throws as {@linkcode check}. */
  readText(address: number): Uint8Array;
  /** Writes before the callers go on; throws as {@linkcode check}. */
  write(address: number, bytes: Uint8Array): void;
  /** Gives out memory for a result; 0 where no room is. */
  malloc(lengthBytes: number): number;
}
