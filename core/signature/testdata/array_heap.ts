/** A heap in an array, and what a kernel does with one: put arguments there, and addresses into slots. */
import { laneMask } from "../../memory/lane_mask.ts";
import type { Client } from "../../toggle/client/client.ts";
import type { Parameter } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";
import type { HostVariadic } from "../declare/value.ts";
import type { CallerHeap } from "../wire/heap_request.ts";
import { functionOpcode } from "../server/function_table.ts";
import { ByteSlots, LaneSlots, SLOT_CODECS, type Slots } from "../wire/slot.ts";
import { writeStruct } from "../wire/struct_bytes.ts";
import { TAGS } from "../wire/variadic_bytes.ts";

/** Gives out memory from the low end on, and never takes it back. */
export class ArrayHeap implements CallerHeap {
  readonly bytes: Uint8Array;
  #end = 16;

  constructor(sizeBytes: number) {
    this.bytes = new Uint8Array(sizeBytes);
  }

  check(address: number, lengthBytes: number): void {
    const isInside = address >= 16 && address + lengthBytes <= this.bytes.length;
    if (lengthBytes === 0 || (lengthBytes > 0 && isInside)) return;
    throw new RangeError(`Cannot use ${lengthBytes} bytes at address ${address}`);
  }

  read(address: number, lengthBytes: number): Uint8Array {
    this.check(address, lengthBytes);
    return this.bytes.subarray(address, address + lengthBytes);
  }

  readText(address: number): Uint8Array {
    this.check(address, 1);
    const end = this.bytes.indexOf(0, address);
    this.check(address, end < 0 ? NaN : end - address);
    return this.bytes.subarray(address, end);
  }

  write(address: number, bytes: Uint8Array): void {
    this.check(address, bytes.length);
    this.bytes.set(bytes, address);
  }

  malloc(lengthBytes: number): number {
    const address = this.#end;
    this.#end += Math.ceil((lengthBytes + 1) / 16) * 16;
    return this.#end <= this.bytes.length ? address : 0;
  }

  /** The address of a copy. */
  place(bytes: Uint8Array): number {
    const address = this.malloc(bytes.length);
    this.write(address, bytes);
    return address;
  }

  placeText(text: string): number {
    return this.place(new TextEncoder().encode(`${text}\0`));
  }
}

/** Writes a call as a kernel does; returns the address of each argument that has one. */
export function placeCall(
  heap: ArrayHeap,
  slots: Slots,
  { target, values }: { readonly target: ApiFunction; readonly values: readonly unknown[] },
): number[] {
  slots.setUint32(0, target.hash);
  let slot = 1;
  return target.signature.parameters.map((parameter, index) => {
    if (parameter.kind === "constant") return 0;
    return placeArgument(heap, { slots, slot: slot++ }, { parameter, value: values[index] });
  });
}

interface Place {
  readonly slots: Slots;
  readonly slot: number;
}

function placeArgument(
  heap: ArrayHeap,
  { slots, slot }: Place,
  { parameter, value }: { readonly parameter: Parameter; readonly value: unknown },
): number {
  const put = (address: number, size = 0) => {
    slots.setUint32(2 * slot, address);
    slots.setUint32(2 * slot + 1, size);
    return address;
  };
  switch (parameter.kind) {
    case "scalar":
      SLOT_CODECS[parameter.type].write(slots, slot, value);
      return 0;
    case "handle":
      SLOT_CODECS.handle.write(slots, slot, value);
      return 0;
    case "nullable":
      if (value === null) return put(0);
      return placeArgument(heap, { slots, slot }, { parameter: parameter.of, value });
    case "bytes": {
      const { length } = value as Uint8Array;
      const isOut = parameter.direction === "out";
      const address = heap.place(isOut ? new Uint8Array(length).fill(9) : value as Uint8Array);
      // Where the other arguments say the length, nobody looks at this one.
      return put(address, parameter.length ? 99 : length);
    }
    case "string":
    case "callback":
      return put(heap.placeText(value as string));
    case "struct":
    case "reference": {
      const struct = parameter.kind === "struct" ? parameter : parameter.struct;
      const { sizeBytes } = structLayout(struct);
      const bytes = new Uint8Array(sizeBytes);
      const texts = {
        put: (text: unknown) => BigInt(heap.placeText(text as string)),
        get: () => "",
      };
      writeStruct(new DataView(bytes.buffer), 0, { struct, value, texts });
      return put(heap.place(bytes));
    }
    case "variadic":
      return put(placeList(heap, value as HostVariadic[]), (value as unknown[]).length);
    default:
      throw new Error(`no such kind: ${parameter.kind}`);
  }
}

/** The address of a list of variadic arguments. */
export function placeList(heap: ArrayHeap, values: readonly HostVariadic[]): number {
  const list = new ByteSlots(new Uint8Array(16 * values.length));
  for (const [index, { type, value }] of values.entries()) {
    list.setUint32(4 * index, TAGS.indexOf(type));
    if (type === "string") list.setUint32(4 * index + 2, heap.placeText(value as string));
    else SLOT_CODECS[type].write(list, 2 * index + 1, value);
  }
  return heap.place(list.bytes);
}

/** Calls a function as a lane of a kernel does; returns the words of its result, and where its arguments are. */
export function callByHeap(
  { client, heap }: { readonly client: Client; readonly heap: ArrayHeap },
  target: ApiFunction,
  values: readonly unknown[],
): { readonly words: readonly [number, number]; readonly addresses: readonly number[] } {
  const slots = new LaneSlots();
  let addresses: readonly number[] = [];
  let words: readonly [number, number] = [0, 0];
  client.call(functionOpcode(target.name), {
    fill(packet) {
      slots.aim(packet, 0);
      addresses = placeCall(heap, slots, { target, values });
    },
    use: (packet) => words = [packet.getUint32(0, 2), packet.getUint32(0, 3)],
  }, { mask: laneMask(0) });
  return { words, addresses };
}
