import { checkTextRoom, putTexts, textStarts } from "../text_bytes.ts";
import type { WasmLibrary } from "./wasm_library.ts";

/** Of a pointer in h5wasm's memory: what a text of any length is there. */
export const POINTER_BYTES = 4;

/** Lets HDF5 move pointers in place of the texts in an array. */
export function moveTexts(
  library: WasmLibrary,
  { count, isWrite, move }: {
    readonly count: number;
    readonly isWrite: boolean;
    /** Moves the pointers, 4 bytes each. */
    readonly move: (pointers: Uint8Array) => void;
  },
  array: Uint8Array,
): void {
  checkTextRoom(array, count);
  const pointers = new Uint32Array(count);
  const bytes = new Uint8Array(pointers.buffer);
  if (isWrite) {
    const starts = textStarts(array, count);
    library.withBytes(array, (first) => {
      pointers.set(starts.map((start) => Number(first) + start));
      move(bytes);
    });
    return;
  }
  try {
    move(bytes);
    putTexts(array, [...pointers].map((pointer) => library.textAt(pointer)));
  } finally {
    for (const pointer of pointers) library.free(pointer);
  }
}
