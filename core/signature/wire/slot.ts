import type { ScalarName } from "../declare/kind.ts";
import type { Packet } from "../../memory/packet.ts";

/** Bytes of a slot: each argument that is no payload has one. */
export const SLOT_BYTES = 8;

/** What slots lie in: a lane of a packet, or bytes. Words and doubles are counted from the start. */
export interface Slots {
  getUint32(word: number): number;
  setUint32(word: number, value: number): void;
  getFloat64(double: number): number;
  setFloat64(double: number, value: number): void;
  getBigUint64(double: number): bigint;
  setBigUint64(double: number, value: bigint): void;
}

/** How a slot holds the values of a kind. */
export interface SlotCodec {
  /** What a value must be, for messages. */
  readonly demand: string;
  /** Writes a value, or says no when it is none of this kind: nothing is cut, floats are rounded. */
  write(slots: Slots, slot: number, value: unknown): boolean;
  /** Reads what the other side wrote: whatever is there becomes a value of the kind. */
  read(slots: Slots, slot: number): number | bigint | boolean;
}

/** A value in a message: also one that has no text, and not all of one that holds much. */
export function shown(value: unknown): string {
  const isObject = typeof value === "object" || typeof value === "function";
  return isObject && value !== null ? Object.prototype.toString.call(value) : String(value);
}

/** A handle is `generation * HANDLE_INDEXES + index`, below 2 to the 52. */
export const HANDLE_INDEXES = 1 << 20;

/** The first number that is no handle. */
const HANDLE_END = 2 ** 32 * HANDLE_INDEXES;

const floats = new Float32Array(1);
const floatBits = new Uint32Array(floats.buffer);

const F64: SlotCodec = {
  demand: "a number",
  write(slots, slot, value) {
    if (typeof value !== "number") return false;
    slots.setFloat64(slot, value);
    return true;
  },
  read: (slots, slot) => slots.getFloat64(slot),
};

const F32: SlotCodec = {
  demand: "a number",
  write(slots, slot, value) {
    if (typeof value !== "number") return false;
    floats[0] = value;
    slots.setUint32(2 * slot, floatBits[0]!);
    return true;
  },
  read(slots, slot) {
    floatBits[0] = slots.getUint32(2 * slot);
    return floats[0]!;
  },
};

const BOOL: SlotCodec = {
  demand: "a boolean",
  write(slots, slot, value) {
    if (typeof value !== "boolean") return false;
    slots.setUint32(2 * slot, value ? 1 : 0);
    return true;
  },
  read: (slots, slot) => slots.getUint32(2 * slot) !== 0,
};

/** Whether a value can be a handle, or 0, which is none. */
export function isHandle(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < HANDLE_END;
}

/** Index and generation, see `HandleTable`; 0 is none. */
const HANDLE: SlotCodec = {
  demand: "a handle",
  write(slots, slot, value) {
    if (!isHandle(value)) return false;
    slots.setUint32(2 * slot, value % HANDLE_INDEXES);
    slots.setUint32(2 * slot + 1, Math.floor(value / HANDLE_INDEXES));
    return true;
  },
  read: (slots, slot) =>
    slots.getUint32(2 * slot + 1) * HANDLE_INDEXES + slots.getUint32(2 * slot) % HANDLE_INDEXES,
};

const NOTHING: SlotCodec = { demand: "nothing", write: () => true, read: () => 0 };

/** An integer of at most 32 bits. */
function integer(demand: string, narrow: (value: number) => number): SlotCodec {
  return {
    demand: `an integer ${demand}`,
    write(slots, slot, value) {
      if (typeof value !== "number" || narrow(value) !== value) return false;
      slots.setUint32(2 * slot, value);
      return true;
    },
    read: (slots, slot) => narrow(slots.getUint32(2 * slot)),
  };
}

function bigInteger(demand: string, narrow: (bits: 64, value: bigint) => bigint): SlotCodec {
  return {
    demand: `a bigint ${demand}`,
    write(slots, slot, value) {
      if (typeof value !== "bigint" || narrow(64, value) !== value) return false;
      slots.setBigUint64(slot, BigInt.asUintN(64, value));
      return true;
    },
    read: (slots, slot) => narrow(64, slots.getBigUint64(slot)),
  };
}

const I64 = bigInteger("from -2 ** 63 to 2 ** 63 - 1", BigInt.asIntN);
const U64 = bigInteger("from 0 to 2 ** 64 - 1", BigInt.asUintN);

/** How each kind that is one slot lies in it, little-endian. Wire format. */
export const SLOT_CODECS: Record<ScalarName | "handle" | "nothing", SlotCodec> = {
  bool: BOOL,
  i8: integer("from -128 to 127", (value) => value << 24 >> 24),
  u8: integer("from 0 to 255", (value) => value & 0xff),
  i16: integer("from -32768 to 32767", (value) => value << 16 >> 16),
  u16: integer("from 0 to 65535", (value) => value & 0xffff),
  i32: integer("from -2147483648 to 2147483647", (value) => value | 0),
  u32: integer("from 0 to 4294967295", (value) => value >>> 0),
  f32: F32,
  i64: I64,
  u64: U64,
  isize: I64,
  usize: U64,
  f64: F64,
  handle: HANDLE,
  nothing: NOTHING,
};

/** The slots of one lane of a packet; pointed at one lane after another. */
export class LaneSlots implements Slots {
  #packet!: Packet;
  #lane = 0;

  /** Takes another lane. */
  aim(packet: Packet, lane: number): void {
    this.#packet = packet;
    this.#lane = lane;
  }

  getUint32(word: number): number {
    return this.#packet.getUint32(this.#lane, word);
  }

  setUint32(word: number, value: number): void {
    this.#packet.setUint32(this.#lane, word, value);
  }

  getFloat64(double: number): number {
    return this.#packet.getFloat64(this.#lane, double);
  }

  setFloat64(double: number, value: number): void {
    this.#packet.setFloat64(this.#lane, double, value);
  }

  getBigUint64(double: number): bigint {
    return this.#packet.getBigUint64(this.#lane, double);
  }

  setBigUint64(double: number, value: bigint): void {
    this.#packet.setBigUint64(this.#lane, double, value);
  }
}

/** Slots in plain bytes, little-endian as all that this library shares. */
export class ByteSlots implements Slots {
  /** All bytes; slot 0 begins at the first. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The bytes again, for values that are no slots. */
  get view(): DataView {
    return this.#view;
  }

  getUint32(word: number): number {
    return this.#view.getUint32(4 * word, true);
  }

  setUint32(word: number, value: number): void {
    this.#view.setUint32(4 * word, value, true);
  }

  getFloat64(double: number): number {
    return this.#view.getFloat64(SLOT_BYTES * double, true);
  }

  setFloat64(double: number, value: number): void {
    this.#view.setFloat64(SLOT_BYTES * double, value, true);
  }

  getBigUint64(double: number): bigint {
    return this.#view.getBigUint64(SLOT_BYTES * double, true);
  }

  setBigUint64(double: number, value: bigint): void {
    this.#view.setBigUint64(SLOT_BYTES * double, value, true);
  }
}
