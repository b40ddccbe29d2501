import { putTexts, textStarts } from "./text_bytes.ts";
import type { Hid, NativeLibrary } from "./native_library.ts";

/** A call that moves texts of any length, which HDF5 has as pointers. */
export interface TextCall {
  readonly key: "H5Dwrite" | "H5Dread" | "H5Awrite" | "H5Aread";
  /** As C takes them, but for the array, which is the last. */
  readonly given: readonly unknown[];
  readonly type: Hid;
  /** Of the array. */
  readonly count: number;
}

/** Gives HDF5 pointers to the texts in an array, or puts those there to which it gives pointers. */
export function moveTexts(
  library: NativeLibrary,
  { key, given, type, count }: TextCall,
  array: Uint8Array<ArrayBuffer>,
): unknown {
  const pointers = new BigUint64Array(count);
  const bytes = new Uint8Array(pointers.buffer);
  if (key.endsWith("write")) {
    const first = Deno.UnsafePointer.value(Deno.UnsafePointer.of(array));
    pointers.set(textStarts(array, count).map((start) => first + BigInt(start)));
    return library.raw(key, ...given, bytes);
  }
  try {
    const answer = library.raw(key, ...given, bytes);
    putTexts(array, [...pointers].map(textAt));
    return answer;
  } finally {
    const space = library.raw("H5Screate_simple", 1, lengthBytes(count), null);
    library.raw("H5Dvlen_reclaim", type.id, space, 0n, bytes);
    library.raw("H5Sclose", space);
  }
}

function lengthBytes(count: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(count)).buffer);
}

/** One that was never written is empty. */
function textAt(address: bigint): string {
  const pointer = Deno.UnsafePointer.create(address);
  return pointer === null ? "" : new Deno.UnsafePointerView(pointer).getCString();
}
