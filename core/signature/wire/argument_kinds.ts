import { alignUp } from "../../memory/regions.ts";
import { fnv1a } from "../declare/fnv1a.ts";
import type { Bytes, HandleKind, Parameter, Result, Scalar, Struct } from "../declare/kind.ts";
import type { Length } from "../declare/length.ts";
import type { FunctionSignature } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";
import type { VariadicValue } from "../declare/value.ts";
import { slotCodec } from "./call_shape.ts";
import type { CallerHeap } from "./heap_request.ts";
import { ByteSlots, shown, SLOT_BYTES, type Slots } from "./slot.ts";
import { encodeStruct, readStruct, trailingBytes, TrailingTexts } from "./struct_bytes.ts";
import { decodeText, encodeText } from "./variadic_bytes.ts";
import { heapVariadic, readVariadic, writeVariadic } from "./variadic_bytes.ts";

/** In the low word of a slot that has a length: there is nothing, not even no bytes. */
export const NULL_LENGTH = 0xffffffff;
/** In front of the slots of a request: the hash of the signature, and a word that is 0. */
export const HEAD_SLOTS = 1;

/** What an argument becomes in a request. */
export interface RequestPart {
  /** The words of its slot; in front of a struct that may be null, whether it is there. */
  readonly low?: number;
  readonly high?: number;
  /** What lies in its slots. */
  readonly struct?: Uint8Array;
  /** What lies behind all slots. */
  readonly payload?: Uint8Array;
  /** What its slot has the length of, when the request is made: an array may be resized until then. */
  readonly counted?: Uint8Array;
}

/** A request while it is read, argument after argument. */
export interface RequestSource {
  readonly slots: ByteSlots;
  /** By parameter: what is in slots alone is there from the beginning, as lengths are made of it. */
  readonly values: readonly unknown[];
  /** Which argument is read. */
  readonly index: number;
  /** The next bytes behind all slots. */
  payload(lengthBytes: number): Uint8Array;
  /** Zeros, for what is given back. */
  room(lengthBytes: number): Uint8Array;
  refuse(problem: string): never;
}

/** A call of a kernel's while it is read. */
export interface HeapSource {
  readonly slots: Slots;
  readonly heap: CallerHeap;
  /** How long an array is by the other arguments. */
  lengthOf(length: Length): number;
}

/** What there is to know of a kind of argument. */
interface ArgumentKind<P> {
  /** How many slots it has in a request. */
  readonly slots: (kind: P) => number;
  /** The low word of its slot where it is null; 0 when absent. */
  readonly nullWord?: number;
  /** What a value becomes, or what is wrong with it. */
  readonly write: (kind: P, value: unknown) => RequestPart | string;
  /** What its slots say: its value, or how long it is. */
  readonly head: (kind: P, slots: ByteSlots, slot: number) => unknown;
  /** Its value, where that needs more than its slots. */
  readonly body?: (kind: P, source: RequestSource, slot: number) => unknown;
  /** What the slot of a kernel's call becomes. */
  readonly fetch: (kind: P, source: HeapSource, slot: number) => RequestPart;
}

/** Of an argument that has no slot, or whose slot is 0. */
const NO_PART: RequestPart = {};

function low(slots: Slots, slot: number): number {
  return slots.getUint32(2 * slot);
}

function high(slots: Slots, slot: number): number {
  return slots.getUint32(2 * slot + 1);
}

/** A length in the slot, and as many bytes behind all slots. */
function counted(bytes: Uint8Array): RequestPart {
  return { counted: bytes, payload: bytes };
}

/** Words of a slot, before they lie in a request. */
const word = new ByteSlots(new Uint8Array(SLOT_BYTES));

/** A kind with a word in its slot: a hash, or the length of a payload. */
function wordKind<P>(kind: Omit<ArgumentKind<P>, "slots" | "head">): ArgumentKind<P> {
  return { slots: () => 1, head: (_kind, slots, slot) => low(slots, slot), ...kind };
}

/** What is a slot, and nothing else. */
const SLOT: ArgumentKind<Scalar | HandleKind> = {
  slots: () => 1,
  write(kind, value) {
    const codec = slotCodec(kind)!;
    word.bytes.fill(0);
    if (codec.write(word, 0, value)) return { low: low(word, 0), high: high(word, 0) };
    return `must be ${codec.demand}: current value is ${shown(value)}`;
  },
  head: (kind, slots, slot) => slotCodec(kind)!.read(slots, slot),
  fetch: (_kind, { slots }, slot) => ({ low: low(slots, slot), high: high(slots, slot) }),
};

function structSlots(struct: Struct): number {
  return Math.ceil(structLayout(struct).sizeBytes / SLOT_BYTES);
}

/** A struct in slots, and its texts behind all slots. */
function structPart(struct: Struct, value: unknown): RequestPart | string {
  const bytes = encodeStruct({ struct, value });
  if (typeof bytes === "string") return `is wrong: ${bytes}`;
  const { sizeBytes } = structLayout(struct);
  if (bytes.length === sizeBytes) return { struct: bytes };
  return { struct: bytes.subarray(0, sizeBytes), payload: bytes.subarray(sizeBytes) };
}

function structHead(struct: Struct, { view }: ByteSlots, slot: number): object {
  return readStruct(view, slot * SLOT_BYTES, { struct });
}

/** With its texts, which only now are known to be there. */
function structBody(struct: Struct, source: RequestSource, slot: number): unknown {
  const fields = structLayout(struct).texts;
  if (fields.length === 0) return source.values[source.index];
  const { view } = source.slots;
  const byte = slot * SLOT_BYTES;
  const texts = new TrailingTexts(source.payload(trailingBytes(view, byte, struct)));
  for (const { offsetByte, path, isNullable } of fields) {
    if (isNullable || view.getBigUint64(byte + offsetByte, true) !== 0n) continue;
    source.refuse(`argument ${source.index} has no text ${path.join(".")}`);
  }
  return readStruct(view, byte, { struct, texts });
}

/** A struct whose texts are addresses: with their lengths in place of these, and the texts behind. */
function structAt(struct: Struct, heap: CallerHeap, address: number): RequestPart {
  const { texts, sizeBytes } = structLayout(struct);
  const bytes = heap.read(address, sizeBytes);
  if (texts.length === 0) return { struct: bytes };
  const head = new ByteSlots(bytes.slice());
  const all = texts.flatMap(({ offsetByte }) => {
    const slot = offsetByte / SLOT_BYTES;
    const textAddress = low(head, slot);
    const text = textAddress === 0 ? undefined : heap.readText(textAddress).slice();
    head.setUint32(2 * slot, text ? text.length + 1 : 0);
    head.setUint32(2 * slot + 1, 0);
    return text ? [...text] : [];
  });
  return { struct: head.bytes, payload: Uint8Array.from(all) };
}

/**
 * Each kind of argument. In a request it has slots, and payloads behind all slots; in a call of a kernel's,
 * whose pointers are addresses in its heap, one slot:
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
const KINDS: { readonly [P in Parameter as P["kind"]]: ArgumentKind<P> } = {
  scalar: SLOT,
  handle: SLOT,
  constant: {
    slots: () => 0,
    write: () => NO_PART,
    head: ({ value }) => value,
    fetch: () => NO_PART,
  },
  callback: wordKind({
    write: (_kind, value) =>
      typeof value === "string"
        ? { low: fnv1a(value) }
        : `must be the name of a callback: current value is ${shown(value)}`,
    fetch: (_kind, { slots, heap }, slot) => ({
      low: fnv1a(decodeText(heap.readText(low(slots, slot)))),
    }),
  }),
  bytes: wordKind<Bytes>({
    nullWord: NULL_LENGTH,
    write: ({ direction }, value) =>
      direction === "out" ? { counted: value as Uint8Array } : counted(value as Uint8Array),
    body({ direction, length }, source, slot) {
      const lengthBytes = low(source.slots, slot);
      const due = length?.of(source.values) ?? lengthBytes;
      if (due !== lengthBytes) {
        source.refuse(
          length?.problem(source.values) ??
            `argument ${source.index} has ${lengthBytes} bytes and the others say ${
              length?.textOf(source.values)
            }`,
        );
      }
      return direction === "out" ? source.room(lengthBytes) : source.payload(lengthBytes);
    },
    fetch({ direction, length }, source, slot) {
      const address = low(source.slots, slot);
      const lengthBytes = length ? source.lengthOf(length) : high(source.slots, slot);
      source.heap.check(address, lengthBytes);
      return direction === "out"
        ? { low: lengthBytes }
        : counted(source.heap.read(address, lengthBytes));
    },
  }),
  string: wordKind({
    nullWord: NULL_LENGTH,
    write(_kind, value) {
      const text = encodeText(value);
      return typeof text === "string" ? text : counted(text);
    },
    body: (_kind, source, slot) => decodeText(source.payload(low(source.slots, slot))),
    fetch: (_kind, { slots, heap }, slot) => counted(heap.readText(low(slots, slot))),
  }),
  variadic: wordKind({
    write(_kind, value) {
      const bytes = writeVariadic(value as readonly VariadicValue[]);
      return typeof bytes === "string" ? `is wrong: ${bytes}` : counted(bytes);
    },
    body: (_kind, source, slot) => readVariadic(source.payload(low(source.slots, slot))),
    fetch: (_kind, { slots, heap }, slot) =>
      counted(heapVariadic(heap, low(slots, slot), high(slots, slot))),
  }),
  struct: {
    slots: structSlots,
    write: structPart,
    head: structHead,
    body: structBody,
    fetch: (struct, { slots, heap }, slot) => structAt(struct, heap, low(slots, slot)),
  },
  reference: {
    slots: ({ direction, struct }) => direction === "out" ? 0 : structSlots(struct),
    write({ direction, struct }, value) {
      if (direction !== "out") return structPart(struct, value);
      return typeof value === "object" && value ? NO_PART : "must be an object to be filled";
    },
    head({ direction, struct }, slots, slot) {
      if (direction !== "out") return structHead(struct, slots, slot);
      return structHead(struct, new ByteSlots(new Uint8Array(structLayout(struct).sizeBytes)), 0);
    },
    body: ({ direction, struct }, source, slot) =>
      direction === "out" ? source.values[source.index] : structBody(struct, source, slot),
    fetch({ direction, struct }, { slots, heap }, slot) {
      const address = low(slots, slot);
      if (direction !== "out") return structAt(struct, heap, address);
      heap.check(address, structLayout(struct).sizeBytes);
      return NO_PART;
    },
  },
  // A word says whether a struct is there; of what has a slot itself, that does.
  nullable: {
    slots: ({ of }) => of.kind === "reference" ? 1 + requestSlots(of) : 1,
    write({ of }, value) {
      const { nullWord, write } = argumentKind(of);
      if (value === null) return { low: nullWord ?? 0 };
      const part = write(of, value);
      return of.kind === "reference" && typeof part !== "string" ? { ...part, low: 1 } : part;
    },
    head({ of }, slots, slot) {
      const { nullWord = 0, head } = argumentKind(of);
      if (of.kind === "reference") {
        return low(slots, slot) === 0 ? null : head(of, slots, slot + 1);
      }
      const value = head(of, slots, slot);
      return value === nullWord ? null : value;
    },
    body({ of }, source, slot) {
      if (source.values[source.index] === null) return null;
      return argumentBody(of, source, of.kind === "reference" ? slot + 1 : slot);
    },
    fetch({ of }, source, slot) {
      const { nullWord = 0, fetch } = argumentKind(of);
      if (of.kind !== "handle" && low(source.slots, slot) === 0) return { low: nullWord };
      const part = fetch(of, source, slot);
      return of.kind === "reference" ? { ...part, low: 1 } : part;
    },
  },
};

/** Puts a part into its slots; its payload lies elsewhere. */
export function putPart(
  slots: ByteSlots,
  { slot, count }: { readonly slot: number; readonly count: number },
  { low = 0, high = 0, struct, counted }: RequestPart,
): void {
  if (count === 0) return;
  slots.setUint32(2 * slot, counted?.length ?? low);
  slots.setUint32(2 * slot + 1, high);
  if (!struct) return;
  // A flag goes before a struct that may be null.
  slots.bytes.set(struct, (slot + count) * SLOT_BYTES - alignUp(struct.length, SLOT_BYTES));
}

/** What there is to know of a kind; of a result, too, where it is no `nothing`. */
export function argumentKind(parameter: Parameter): ArgumentKind<Parameter> {
  return KINDS[parameter.kind] as ArgumentKind<never> as ArgumentKind<Parameter>;
}

/** The value of an argument whose slots have been read. */
export function argumentBody(parameter: Parameter, source: RequestSource, slot: number): unknown {
  const { body } = argumentKind(parameter);
  return body ? body(parameter, source, slot) : source.values[source.index];
}

/** Slots of an argument in a request of bytes; its payload, if any, lies behind all slots. */
export function requestSlots(parameter: Parameter): number {
  return argumentKind(parameter).slots(parameter);
}

/** Slots of a result in a reply of bytes. */
export function resultSlots(result: Result): number {
  if (result.kind === "void") return 0;
  return result.kind === "struct" ? structSlots(result) : 1;
}

/** The most bytes of a request whose payloads have at most so many. */
export function requestLimitBytes({ parameters }: FunctionSignature, payloadBytes: number): number {
  // Each payload is filled up to a multiple of 8.
  const slotCount = parameters.reduce((sum, one) => sum + requestSlots(one) + 1, 1);
  return slotCount * SLOT_BYTES + payloadBytes;
}
