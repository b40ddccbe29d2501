import type { Reference, Struct } from "../declare/kind.ts";
import type { Length } from "../declare/length.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { argumentKind, HEAD_SLOTS, type HeapSource, type RequestPart } from "./argument_kinds.ts";
import { joinParts } from "./request_encoder.ts";
import { SLOT_CODECS, type Slots } from "./slot.ts";
import { readStruct } from "./struct_bytes.ts";

/**
 * Memory in which the arguments of callers lie, by addresses that count bytes: the heap of a kernel.
 * Callers write it as they like. While a function is served, those of a kernel that runs by epochs are
 * saved; others may go on writing where a kernel runs live, whose heap hands out copies.
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

/** A call whose pointers are addresses, as the bytes that a caller without a heap sends. */
export interface HeapRequest {
  readonly bytes: Uint8Array;
  /** Where each argument lies, by parameter; 0 for those that lie in slots. */
  readonly addresses: readonly number[];
  /** Where a struct goes that is the result. */
  readonly resultAddress: number;
}

/**
 * Slots of a call from a kernel: the hash, one for each argument that is not constant, and one for the
 * address of a struct that is the result.
 */
export function heapSlots({ signature: { parameters, result } }: ApiFunction): number {
  const count = parameters.filter(({ kind }) => kind !== "constant").length;
  return HEAD_SLOTS + count + (result.kind === "struct" ? 1 : 0);
}

/**
 * Fetches what the addresses of a call point at. Lengths come from the arguments, and nothing that does
 * not lie in the heap is read, or would be written.
 *
 * @throws {RangeError} when it does not, or is more than the limit
 */
export function heapRequest(
  target: ApiFunction,
  slots: Slots,
  { heap, limitBytes }: { readonly heap: CallerHeap; readonly limitBytes: number },
): HeapRequest {
  return new HeapReader(target, slots, { heap, limitBytes }).read();
}

class HeapReader implements HeapSource {
  readonly slots: Slots;
  readonly heap: CallerHeap;
  readonly #target: ApiFunction;
  readonly #limitBytes: number;
  /** In which slot each argument is; 0 for constants, whose slot is none. */
  readonly #places: readonly number[];

  constructor(
    target: ApiFunction,
    slots: Slots,
    { heap, limitBytes }: { readonly heap: CallerHeap; readonly limitBytes: number },
  ) {
    this.slots = slots;
    this.heap = heap;
    this.#target = target;
    this.#limitBytes = limitBytes;
    let slot = HEAD_SLOTS;
    const { parameters } = target.signature;
    this.#places = parameters.map(({ kind }) => kind === "constant" ? 0 : slot++);
  }

  read(): HeapRequest {
    const { parameters, result } = this.#target.signature;
    const given = parameters.map((parameter, index) =>
      argumentKind(parameter).fetch(parameter, this, this.#places[index]!)
    );
    const resultAddress = result.kind === "struct" ? this.#word(heapSlots(this.#target) - 1) : 0;
    if (result.kind === "struct") this.heap.check(resultAddress, structLayout(result).sizeBytes);
    const addresses = this.#places.map((place) => this.#word(place));
    return { bytes: this.#joined(given), addresses, resultAddress };
  }

  /** Of scalars and of fields in the heap: those are read again, and a length that changed is refused. */
  lengthOf(length: Length): number {
    const values: unknown[] = [];
    for (const { index } of length.sources) values[index] = this.#counting(index);
    const problem = length.problem(values);
    if (problem) throw new RangeError(`Cannot serve ${this.#target.name} as ${problem}`);
    const countBytes = length.of(values);
    if (Number.isSafeInteger(countBytes)) return countBytes;
    throw this.#beyond(length.textOf(values)); // the heap would tell a number that is rounded
  }

  /** An argument that is a length, or has one in it. */
  #counting(index: number): unknown {
    const parameter = this.#target.signature.parameters[index]!;
    if (parameter.kind === "constant") return parameter.value;
    const place = this.#places[index]!;
    if (parameter.kind === "scalar") return SLOT_CODECS[parameter.type].read(this.slots, place);
    const of = parameter as Struct | Reference;
    const struct = of.kind === "struct" ? of : of.struct;
    const bytes = this.heap.read(this.#word(place), structLayout(struct).sizeBytes).slice();
    return readStruct(new DataView(bytes.buffer), 0, { struct });
  }

  #word(slot: number): number {
    return this.slots.getUint32(2 * slot);
  }

  #beyond(countBytes: number | string): RangeError {
    return new RangeError(
      `Cannot serve ${this.#target.name} as its arguments go beyond the limit of ${this.#limitBytes} bytes: they have ${countBytes}`,
    );
  }

  #joined(given: readonly RequestPart[]): Uint8Array {
    const givenBytes = given.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
    if (givenBytes <= this.#limitBytes) return joinParts(this.#target, this.#word(0), given);
    throw this.#beyond(givenBytes);
  }
}
