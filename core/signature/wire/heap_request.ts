import { fnv1a } from "../declare/fnv1a.ts";
import type { Parameter, Pointer, Struct } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { alignUp, structLayout } from "../declare/struct_layout.ts";
import type { CallerHeap } from "../server/caller_heap.ts";
import { ByteSlots } from "./byte_slots.ts";
import { requestSlots } from "./call_shape.ts";
import { HEAD_SLOTS, NULL_LENGTH } from "./request_encoder.ts";
import { SLOT_BYTES, SLOT_CODECS, type Slots } from "./slot.ts";
import { heapVariadic } from "./heap_variadic.ts";
import { decodeText } from "./variadic_bytes.ts";

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
 * struct, pointer   u32 address
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

/** What an argument becomes in a request: slots, and what lies behind all of them. */
interface Argument {
  readonly slots: Uint8Array;
  readonly payload?: Uint8Array;
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

  #argument(parameter: Parameter, index: number): Argument {
    const slot = this.#places[index]!;
    switch (parameter.kind) {
      case "constant":
        return { slots: new Uint8Array() };
      case "scalar":
        return this.#copied(slot);
      case "struct":
        return { slots: this.#struct(parameter, this.#word(slot)) };
      case "nullable":
        return this.#nullable(parameter.of, index);
      case "variadic":
        return counted(
          heapVariadic(this.#heap, this.#word(slot), this.#slots.getUint32(2 * slot + 1)),
        );
      default:
        return this.#pointer(parameter, index);
    }
  }

  #copied(slot: number): Argument {
    const copy = new ByteSlots(new Uint8Array(SLOT_BYTES));
    copy.setUint32(0, this.#word(slot));
    copy.setUint32(1, this.#slots.getUint32(2 * slot + 1));
    return { slots: copy.bytes };
  }

  #nullable(of: Pointer, index: number): Argument {
    const isNull = this.#word(this.#places[index]!) === 0;
    const { slots, payload } = isNull && of.kind !== "handle"
      ? { slots: new Uint8Array(requestSlots(of) * SLOT_BYTES) }
      : this.#pointer(of, index);
    if (of.kind === "reference") {
      return { slots: Uint8Array.from([...word(isNull ? 0 : 1), ...slots]) };
    }
    if (isNull && (of.kind === "bytes" || of.kind === "string")) {
      return { slots: word(NULL_LENGTH) };
    }
    return { slots, ...payload && { payload } };
  }

  #pointer(kind: Pointer, index: number): Argument {
    const slot = this.#places[index]!;
    const address = this.#word(slot);
    switch (kind.kind) {
      case "handle":
        return this.#copied(slot);
      case "callback":
        return { slots: word(fnv1a(decodeText(this.#heap.readText(address)))) };
      case "reference":
        if (kind.direction !== "out") return { slots: this.#struct(kind.struct, address) };
        this.#heap.check(address, structLayout(kind.struct).sizeBytes);
        return { slots: new Uint8Array() };
      case "string":
        return counted(this.#heap.readText(address));
      case "bytes": {
        const length = kind.length?.of(this.#values) ?? this.#slots.getUint32(2 * slot + 1);
        this.#heap.check(address, length);
        if (kind.direction === "out") return { slots: word(length) };
        return counted(this.#heap.read(address, length));
      }
    }
  }

  #struct(struct: Struct, address: number): Uint8Array {
    const { sizeBytes } = structLayout(struct);
    const slots = new Uint8Array(alignUp(sizeBytes, SLOT_BYTES));
    slots.set(this.#heap.read(address, sizeBytes));
    return slots;
  }

  #joined(given: readonly Argument[]): Uint8Array {
    const sum = (sizeOf: (one: Argument) => number) =>
      given.reduce((total, one) => total + sizeOf(one), 0);
    const payloadBytes = sum(({ payload }) => payload?.length ?? 0);
    if (payloadBytes > this.#limitBytes) {
      throw new RangeError(
        `Cannot serve ${this.#target.name} as its arguments go beyond the limit of ${this.#limitBytes} bytes: they have ${payloadBytes}`,
      );
    }
    let slotByte = HEAD_SLOTS * SLOT_BYTES;
    let byte = slotByte + sum(({ slots }) => slots.length);
    const paddedBytes = sum(({ payload }) => alignUp(payload?.length ?? 0, SLOT_BYTES));
    const bytes = new Uint8Array(byte + paddedBytes);
    bytes.set(word(this.#word(0)));
    for (const { slots, payload } of given) {
      bytes.set(slots, slotByte);
      slotByte += slots.length;
      if (!payload) continue;
      bytes.set(payload, byte);
      byte += alignUp(payload.length, SLOT_BYTES);
    }
    return bytes;
  }
}

/** A slot with one word. */
function word(value: number): Uint8Array {
  const slots = new ByteSlots(new Uint8Array(SLOT_BYTES));
  slots.setUint32(0, value);
  return slots.bytes;
}

function counted(payload: Uint8Array): Argument {
  return { slots: word(payload.length), payload };
}
