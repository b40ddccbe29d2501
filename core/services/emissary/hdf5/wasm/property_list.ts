import { hdf5Error } from "../hdf5_error.ts";

const DEFLATE = 1;
const SHUFFLE = 2;
const LEVEL_MAX = 9;

/** A property list: what of it h5wasm can do. */
export class PropertyList {
  /** The dimensions of a chunk; absent where the dataset is one piece. */
  chunk: readonly number[] | undefined;
  /** By the numbers that HDF5 has for them. */
  readonly filters: { readonly id: number; readonly values: readonly number[] }[] = [];
  /** Whether groups on the way are made. */
  makesGroups = false;
  /** Whether what is open in a file ends with it. */
  isStrong = false;

  setChunk(dims: readonly number[]): void {
    if (dims.length === 0 || dims.includes(0)) {
      throw hdf5Error("H5Pset_chunk", ["all chunk dimensions must be positive"]);
    }
    this.chunk = dims;
  }

  setDeflate(level: number): void {
    if (level > LEVEL_MAX) throw hdf5Error("H5Pset_deflate", ["invalid deflate level"]);
    this.#addFilter({ id: DEFLATE, values: [level] });
  }

  setShuffle(): void {
    this.#addFilter({ id: SHUFFLE, values: [] });
  }

  /** What h5wasm takes for a new dataset. */
  forDataset(): object {
    const [filter, second] = this.filters;
    if (second) throw new TypeError("Cannot use more than one filter with h5wasm");
    if (filter && !this.chunk) {
      throw hdf5Error("H5Dcreate2", ["filters can only be used with chunked layout"]);
    }
    return {
      chunks: this.chunk?.map(BigInt) ?? null,
      ...(filter && { compression: filter.id, compression_opts: filter.values }),
    };
  }

  #addFilter(filter: { readonly id: number; readonly values: readonly number[] }): void {
    this.filters.push(filter);
  }
}
