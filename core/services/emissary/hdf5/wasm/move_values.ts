import { hdf5Error } from "../hdf5_error.ts";
import type { DataSpace, Piece } from "./data_space.ts";
import type { Place } from "./place.ts";
import type { PropertyList } from "./property_list.ts";
import type { H5WasmMetadata, Hdf5Numbers, WasmLibrary } from "./wasm_library.ts";
import { checkBytes } from "./wasm_spaces.ts";
import { checkMemoryForm, type WasmType } from "./wasm_type.ts";

/** The arguments of `H5Dwrite` and `H5Dread`. */
export type Transfer = readonly [
  place: Place,
  type: WasmType,
  memory: DataSpace | null,
  file: DataSpace | null,
  list: PropertyList | null,
  array: Uint8Array,
];

/** What is moved to or from. */
interface Moved {
  readonly key: "H5Dwrite" | "H5Dread";
  readonly metadata: H5WasmMetadata;
  /** The dataset's own dataspace. */
  readonly own: DataSpace;
}

/** Moves what is selected between a dataset and an array. */
export function moveValues(library: WasmLibrary, moved: Moved, transfer: Transfer): void {
  const [, type, memorySpace, fileSpace, , array] = transfer;
  const file = fileSpace ?? moved.own;
  const memory = memorySpace ?? file;
  const sizeBytes = type.form.size;
  checkMemoryForm(type.form, moved.metadata);
  checkSpaces(moved, { memory, file });
  checkBytes(array, memory.pointCount * sizeBytes);
  const offsets = memory.offsets();
  for (const piece of file.pieces()) {
    const values = new ArrayPart(array, { piece, offsets, sizeBytes });
    if (moved.key === "H5Dwrite") values.take();
    movePiece(library, { moved, place: transfer[0] }, { piece, bytes: values.bytes });
    if (moved.key === "H5Dread") values.giveBack();
  }
}

function checkSpaces(
  { key, own }: Moved,
  { memory, file }: { readonly memory: DataSpace; readonly file: DataSpace },
): void {
  if (!file.hasDimsOf(own)) {
    throw new RangeError(
      "Cannot use the file's dataspace as it must have the dimensions of the dataset",
    );
  }
  if (!file.isValid || !memory.isValid) {
    throw new RangeError("Cannot use a selection as it lies outside of its dataspace");
  }
  if (file.selectedCount === memory.selectedCount) return;
  throw hdf5Error(key, [
    `src and dest dataspaces have different number of elements selected: ${file.selectedCount} and ${memory.selectedCount}`,
  ]);
}

function movePiece(
  library: WasmLibrary,
  { moved: { key, own }, place: { file, path } }: { readonly moved: Moved; readonly place: Place },
  { piece, bytes }: { readonly piece: Piece; readonly bytes: Uint8Array },
): void {
  // A dataset of a single value has no patterns.
  const lists = own.dims.length === 0 ? [] : [piece.count, piece.start, piece.stride];
  const [counts = null, starts = null, strides = null]: Hdf5Numbers[] = lists
    .map((list) => list.map(BigInt));
  const work = key === "H5Dwrite" ? "set_dataset_data" : "get_dataset_data";
  library.withBytes(
    bytes,
    (pointer) =>
      library.act(key, (h5) => h5[work](file.id, path, counts, starts, strides, pointer)),
  );
}

/** The values of a piece, one behind the other, and where they are in an array. */
class ArrayPart {
  readonly bytes: Uint8Array;
  readonly #array: Uint8Array;
  /** Where each is, in bytes. */
  readonly #places: readonly number[];
  readonly #sizeBytes: number;

  constructor(
    array: Uint8Array,
    { piece: { places }, offsets, sizeBytes }: {
      readonly piece: Piece;
      readonly offsets: readonly number[];
      readonly sizeBytes: number;
    },
  ) {
    this.#array = array;
    this.#places = places.map((index) => offsets[index]! * sizeBytes);
    this.#sizeBytes = sizeBytes;
    this.bytes = new Uint8Array(places.length * sizeBytes);
  }

  take(): void {
    this.#places.forEach((place, nth) =>
      this.bytes.set(
        this.#array.subarray(place, place + this.#sizeBytes),
        nth * this.#sizeBytes,
      )
    );
  }

  giveBack(): void {
    this.#places.forEach((place, nth) => {
      const at = nth * this.#sizeBytes;
      this.#array.set(this.bytes.subarray(at, at + this.#sizeBytes), place);
    });
  }
}
