import { fnv1a } from "../declare/fnv1a.ts";
import type { Parameter, Pointer, Reference, Struct } from "../declare/kind.ts";
import type { Length } from "../declare/length.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { ByteSlots, SLOT_BYTES, SLOT_CODECS, type Slots } from "./slot.ts";
import {
  counted,
  HEAD_SLOTS,
  joinParts,
  NO_PART,
  nullPart,
  type RequestPart,
} from "./request_parts.ts";
import { decodeText, heapVariadic } from "./variadic_bytes.ts";
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
 *
 * ```text
 * scalar, handle    its value
 * bytes             u32 address, and u32 length where the other arguments do not say it
 * string, callback  u32 address of a text that ends with NUL; of a callback, its name
 * struct, pointer   u32 address; a text in it is one, too, in the low word of its 8 bytes
 * nullable          the same, 0 for null
 * variadic          u32 address of a list, and u32 count: see `heapVariadic`
 * ```
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

class HeapReader {
  readonly #target: ApiFunction;
  readonly #slots: Slots;
  readonly #heap: CallerHeap;
  readonly #limitBytes: number;
  /** In which slot each argument is; 0 for constants, whose slot is none. */
  readonly #places: readonly number[];
  readonly #values: readonly unknown[];

  constructor(
    target: ApiFunction,
    slots: Slots,
    { heap, limitBytes }: { readonly heap: CallerHeap; readonly limitBytes: number },
  ) {
    this.#target = target;
    this.#slots = slots;
    this.#heap = heap;
    this.#limitBytes = limitBytes;
    let slot = HEAD_SLOTS;
    const { parameters } = target.signature;
    this.#places = parameters.map(({ kind }) => kind === "constant" ? 0 : slot++);
    this.#values = parameters.map((parameter, index) => this.#number(parameter, index));
  }

  read(): HeapRequest {
    const { parameters, result } = this.#target.signature;
    const given = parameters.map((parameter, index) => this.#argument(parameter, index));
    const resultAddress = result.kind === "struct" ? this.#word(heapSlots(this.#target) - 1) : 0;
    if (result.kind === "struct") this.#heap.check(resultAddress, structLayout(result).sizeBytes);
    const addresses = this.#places.map((place) => this.#word(place));
    return { bytes: this.#joined(given), addresses, resultAddress };
  }

  #number(parameter: Parameter, index: number): unknown {
    if (parameter.kind === "constant") return parameter.value;
    if (parameter.kind !== "scalar") return undefined;
    return SLOT_CODECS[parameter.type].read(this.#slots, this.#places[index]!);
  }

  #word(slot: number): number {
    return this.#slots.getUint32(2 * slot);
  }

  #argument(parameter: Parameter, index: number): RequestPart {
    const slot = this.#places[index]!;
    switch (parameter.kind) {
      case "constant":
        return NO_PART;
      case "scalar":
        return this.#copied(slot);
      case "struct":
        return this.#structArgument(parameter, this.#word(slot));
      case "nullable":
        return this.#nullable(parameter.of, index);
      case "variadic":
        return counted(heapVariadic(this.#heap, this.#word(slot), this.#high(slot)));
      default:
        return this.#pointer(parameter, index);
    }
  }

  #high(slot: number): number {
    return this.#slots.getUint32(2 * slot + 1);
  }

  #copied(slot: number): RequestPart {
    return { low: this.#word(slot), high: this.#high(slot) };
  }

  #nullable(of: Pointer, index: number): RequestPart {
    if (this.#word(this.#places[index]!) === 0 && of.kind !== "handle") return nullPart(of);
    const part = this.#pointer(of, index);
    return of.kind === "reference" ? { ...part, low: 1 } : part;
  }

  #pointer(kind: Pointer, index: number): RequestPart {
    const slot = this.#places[index]!;
    const address = this.#word(slot);
    switch (kind.kind) {
      case "handle":
        return this.#copied(slot);
      case "callback":
        return { low: fnv1a(decodeText(this.#heap.readText(address))) };
      case "reference":
        if (kind.direction !== "out") return this.#structArgument(kind.struct, address);
        this.#heap.check(address, structLayout(kind.struct).sizeBytes);
        return NO_PART;
      case "string":
        return counted(this.#heap.readText(address));
      case "bytes": {
        const length = kind.length ? this.#lengthOf(kind.length) : this.#high(slot);
        this.#heap.check(address, length);
        if (kind.direction === "out") return { low: length };
        return counted(this.#heap.read(address, length));
      }
    }
  }

  /** Of scalars and of fields in the heap: those are read again, and a length that changed is refused. */
  #lengthOf(length: Length): number {
    const { parameters } = this.#target.signature;
    const values = [...this.#values];
    for (const { index, path } of length.sources) {
      if (path.length === 0) continue;
      const parameter = parameters[index] as Struct | Reference;
      const struct = parameter.kind === "struct" ? parameter : parameter.struct;
      const { buffer, byteOffset } = this.#struct(struct, this.#word(this.#places[index]!)).slice();
      values[index] = readStruct(new DataView(buffer, byteOffset), 0, { struct });
    }
    const problem = length.problem(values);
    if (problem) throw new RangeError(`Cannot serve ${this.#target.name} as ${problem}`);
    return length.of(values);
  }

  /** A struct whose texts are addresses: with their lengths in place of these, and the texts behind. */
  #structArgument(struct: Struct, address: number): RequestPart {
    const { texts } = structLayout(struct);
    const bytes = this.#struct(struct, address);
    if (texts.length === 0) return { struct: bytes };
    const head = new ByteSlots(bytes.slice());
    const all = texts.flatMap(({ offsetByte }) => {
      const slot = offsetByte / SLOT_BYTES;
      const textAddress = head.getUint32(2 * slot);
      const text = textAddress === 0 ? undefined : this.#heap.readText(textAddress).slice();
      head.setUint32(2 * slot, text ? text.length + 1 : 0);
      head.setUint32(2 * slot + 1, 0);
      return text ? [...text] : [];
    });
    return { struct: head.bytes, payload: Uint8Array.from(all) };
  }

  #struct(struct: Struct, address: number): Uint8Array {
    return this.#heap.read(address, structLayout(struct).sizeBytes);
  }

  #joined(given: readonly RequestPart[]): Uint8Array {
    const givenBytes = given.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
    if (givenBytes <= this.#limitBytes) return joinParts(this.#target, this.#word(0), given);
    throw new RangeError(
      `Cannot serve ${this.#target.name} as its arguments go beyond the limit of ${this.#limitBytes} bytes: they have ${givenBytes}`,
    );
  }
}
