import { H5, hdf5Error } from "../hdf5_api.ts";
import type { Place } from "./wasm_groups.ts";
import type { PropertyList } from "./wasm_spaces.ts";
import {
  checkMemoryForm,
  type H5WasmMetadata,
  type Hdf5Numbers,
  isText,
  type WasmLibrary,
  type WasmType,
} from "./wasm_library.ts";
import { moveTexts } from "./wasm_texts.ts";

/** A regular pattern of blocks: in each dimension so many, each so long, and so far apart. */
interface Hyperslab {
  readonly start: readonly number[];
  readonly stride: readonly number[];
  readonly count: readonly number[];
  readonly block: readonly number[];
}

/** What a dataspace has, and what is selected of it: HDF5's own are not reached through h5wasm. */
export class DataSpace {
  /** By dimension; none of a single value. */
  readonly dims: readonly number[];
  /** The most that each may grow to. */
  readonly maximums: readonly bigint[];
  readonly isNull: boolean;
  /** Absent where nothing is selected. */
  #slab: Hyperslab | undefined;

  constructor(
    dims: readonly number[],
    { maximums = dims.map(BigInt), isNull = false }: {
      readonly maximums?: readonly bigint[];
      readonly isNull?: boolean;
    } = {},
  ) {
    this.dims = dims;
    this.maximums = maximums;
    this.isNull = isNull;
    this.selectAll();
  }

  get pointCount(): number {
    return this.isNull ? 0 : product(this.dims);
  }

  get selectedCount(): number {
    return this.isNull || !this.#slab ? 0 : product(packedDims(this.#slab));
  }

  /** Whether what is selected lies within. */
  get isValid(): boolean {
    if (!this.#slab || this.selectedCount === 0) return true;
    const { start, stride, count, block } = this.#slab;
    return this.dims.every((dim, d) => start[d]! + (count[d]! - 1) * stride[d]! + block[d]! <= dim);
  }

  /** Whether the other has the same dimensions. */
  hasDimsOf(other: DataSpace): boolean {
    return this.isNull === other.isNull && this.dims.length === other.dims.length &&
      this.dims.every((dim, d) => dim === other.dims[d]);
  }

  /** The same with a selection of its own. */
  copy(): DataSpace {
    const copied = new DataSpace(this.dims, this);
    copied.#slab = this.#slab;
    return copied;
  }

  selectAll(): void {
    const ones = this.dims.map(() => 1);
    const start = this.dims.map(() => 0);
    this.#slab = { start, stride: ones, count: this.dims, block: ones };
  }

  selectNone(): void {
    this.#slab = undefined;
  }

  /**
   * Selects a pattern in place of what was selected.
   *
   * @throws {RangeError} when a stride is 0, or blocks overlap
   */
  selectHyperslab(
    { start, count, ...rest }: {
      readonly start: readonly number[];
      readonly count: readonly number[];
      readonly stride: readonly number[] | undefined;
      readonly block: readonly number[] | undefined;
    },
  ): void {
    const { stride = start.map(() => 1), block = start.map(() => 1) } = rest;
    if (this.dims.length === 0) throw new RangeError("Cannot select as there are no dimensions");
    if (stride.includes(0)) throw new RangeError("Cannot select as a stride is 0");
    if (stride.some((step, d) => count[d]! > 1 && step < block[d]!)) {
      throw new RangeError("Cannot select as the blocks of a hyperslab overlap");
    }
    this.#slab = { start, stride, count, block };
  }

  /** Where the selected values are among all, in the order of rows. */
  offsets(): number[] {
    if (this.selectedCount === 0) return [];
    const { start, stride, count, block } = this.#slab!;
    const coordinates = this.dims.map((_, d) =>
      range(count[d]! * block[d]!).map((index) =>
        start[d]! + Math.floor(index / block[d]!) * stride[d]! + index % block[d]!
      )
    );
    return offsetsOf(coordinates, this.dims);
  }

  /**
   * The selection in patterns of single values, which is what h5wasm takes: one for each place in a
   * block. Where blocks touch, they are one.
   */
  pieces(): readonly Piece[] {
    if (this.selectedCount === 0) return [];
    const slab = joined(this.#slab!);
    const { start, stride, count, block } = slab;
    const packed = packedDims(slab);
    return combinations(block.map(range)).map((within) => ({
      start: start.map((first, d) => first + within[d]!),
      stride,
      count,
      places: offsetsOf(
        count.map((many, d) => range(many).map((index) => index * block[d]! + within[d]!)),
        packed,
      ),
    }));
  }
}

export interface Piece {
  readonly start: readonly number[];
  readonly stride: readonly number[];
  readonly count: readonly number[];
  /** Which of the selected values its values are, in order. */
  readonly places: readonly number[];
}

export function numbersIn(bytes: Uint8Array): number[] {
  const values = new BigUint64Array(bytes.slice().buffer);
  return [...values].map((value) => {
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
    throw new RangeError(`Cannot use ${value} as h5wasm has numbers up to 2 ** 53`);
  });
}

/** As {@linkcode numbersIn}, for dimensions that may have no end. */
export function maximumsIn(bytes: Uint8Array): bigint[] {
  return [...new BigUint64Array(bytes.slice().buffer)];
}

/** Refuses an array that has not as many bytes as the call needs. */
export function checkBytes(array: Uint8Array, countBytes: number): void {
  if (array.length === countBytes) return;
  throw new RangeError(
    `Cannot use the array as it must have ${countBytes} bytes: current value is ${array.length}`,
  );
}

export function maximumOf(value: number): bigint {
  return value >= 2 ** 64 ? H5.H5S_UNLIMITED : BigInt(value);
}

function joined({ start, stride, count, block }: Hyperslab): Hyperslab {
  const isOne = start.map((_, d) => count[d] === 1 || stride[d] === block[d]);
  return {
    start,
    stride: stride.map((step, d) => isOne[d] ? 1 : step),
    count: count.map((many, d) => isOne[d] ? many * block[d]! : many),
    block: block.map((long, d) => isOne[d] ? 1 : long),
  };
}

function packedDims({ count, block }: Hyperslab): number[] {
  return count.map((many, d) => many * block[d]!);
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((result, one) => result * one, 1);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Each choice of one number from each list, the last list changing fastest. */
function combinations(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>(
    (chosen, list) => chosen.flatMap((front) => list.map((one) => [...front, one])),
    [[]],
  );
}

/** Where the combinations of coordinates are in an array of these dimensions. */
function offsetsOf(
  coordinates: readonly (readonly number[])[],
  dims: readonly number[],
): number[] {
  return coordinates.reduce<number[]>(
    (offsets, list, d) => offsets.flatMap((offset) => list.map((one) => offset * dims[d]! + one)),
    [0],
  );
}

/** The arguments of `H5Dwrite` and `H5Dread`. */
export type Transfer = readonly [
  place: Place,
  type: WasmType,
  memory: DataSpace | null,
  file: DataSpace | null,
  list: PropertyList | null,
  array: Uint8Array,
];

interface Moved {
  readonly key: "H5Dwrite" | "H5Dread";
  readonly metadata: H5WasmMetadata;
  /** The dataset's own dataspace. */
  readonly own: DataSpace;
}

/** Moves what is selected between a dataset and an array. */
export function moveValues(library: WasmLibrary, moved: Moved, transfer: Transfer): void {
  const [place, { form }, memorySpace, fileSpace, , array] = transfer;
  const file = fileSpace ?? moved.own;
  const memory = memorySpace ?? file;
  checkMemoryForm(form, moved.metadata);
  checkSpaces(moved, { memory, file });
  const move = (values: Uint8Array) =>
    moveSelected(
      values,
      { memory, file, ...moved },
      (piece, bytes) => movePiece(library, { moved, place }, { piece, bytes }),
    );
  const isWrite = moved.key === "H5Dwrite";
  if (isText(form)) {
    return moveTexts(library, { count: memory.pointCount, isWrite, move }, array);
  }
  checkBytes(array, memory.pointCount * form.size);
  move(array);
}

function moveSelected(
  array: Uint8Array,
  { key, metadata: { size }, memory, file }: Moved & {
    readonly memory: DataSpace;
    readonly file: DataSpace;
  },
  move: (piece: Piece, bytes: Uint8Array) => void,
): void {
  const offsets = memory.offsets();
  for (const piece of file.pieces()) {
    // The values of the piece, one behind the other, and where they are in the array.
    const bytes = new Uint8Array(piece.places.length * size);
    const each = (copy: (value: Uint8Array, inArray: Uint8Array) => void) =>
      piece.places.forEach((index, nth) => {
        const place = offsets[index]! * size;
        copy(bytes.subarray(nth * size, (nth + 1) * size), array.subarray(place, place + size));
      });
    if (key === "H5Dwrite") each((value, inArray) => value.set(inArray));
    move(piece, bytes);
    if (key === "H5Dread") each((value, inArray) => inArray.set(value));
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
