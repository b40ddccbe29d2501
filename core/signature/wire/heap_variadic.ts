import { alignUp } from "../declare/struct_layout.ts";
import type { CallerHeap } from "../server/caller_heap.ts";
import { ByteSlots } from "./byte_slots.ts";
import { SLOT_BYTES } from "./slot.ts";
import { TEXT_TAG, VARIADIC_MAX } from "./variadic_bytes.ts";

/** Bytes of an argument in a list: its tag, a word that is 0, and its value. */
const ENTRY_BYTES = 2 * SLOT_BYTES;

/**
 * The variadic arguments of a kernel's call, as `writeVariadic` writes them. In the heap each takes 16
 * bytes, and a text is an address.
 *
 * @throws {RangeError} when there are too many, or one does not lie in the heap
 */
export function heapVariadic(heap: CallerHeap, address: number, count: number): Uint8Array {
  if (count > VARIADIC_MAX) {
    throw new RangeError(
      `Cannot take the variadic arguments as there are ${VARIADIC_MAX} at most: current value is ${count}`,
    );
  }
  const list = heap.read(address, count * ENTRY_BYTES).slice();
  const entries = Array.from({ length: count }, (_, index) => {
    const entry = new ByteSlots(list.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES));
    return entry.getUint32(0) === TEXT_TAG
      ? textEntry(heap.readText(entry.getUint32(2)))
      : entry.bytes;
  });
  return joined(entries);
}

function textEntry(text: Uint8Array): Uint8Array {
  const entry = new ByteSlots(new Uint8Array(SLOT_BYTES + alignUp(text.length, SLOT_BYTES)));
  entry.setUint32(0, TEXT_TAG);
  entry.setUint32(1, text.length);
  entry.bytes.set(text, SLOT_BYTES);
  return entry.bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let byte = 0;
  for (const part of parts) {
    whole.set(part, byte);
    byte += part.length;
  }
  return whole;
}
