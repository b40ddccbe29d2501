import { hdf5Error } from "../hdf5_error.ts";
import type { TypeForm } from "./wasm_type.ts";

/** What h5wasm says of a dataset or an attribute. */
export interface H5WasmMetadata extends TypeForm {
  /** Null where there are no values at all. */
  readonly shape: number[] | null;
  /** The most that each dimension may grow to. */
  readonly maxshape: number[] | null;
  /** The dimensions of a chunk; null where it is one piece. */
  readonly chunks: number[] | null;
}

/** Counts, starts or strides of a pattern; null for all. */
export type Hdf5Numbers = bigint[] | null;

/**
 * What is used of the package h5wasm: `await (await import("h5wasm")).ready`. It is HDF5 compiled to
 * WebAssembly, with functions that take paths.
 */
export interface H5Wasm {
  /** The memory; another object after it has grown. */
  readonly HEAPU8: Uint8Array;
  /** The files that it sees, in memory. */
  readonly FS: {
    /** A file's bytes. */
    readFile(path: string): Uint8Array;
    /** Makes a file. */
    writeFile(path: string, bytes: Uint8Array): void;
    /** Takes a file away. */
    unlink(path: string): void;
    /** Opens a file. */
    // deno-lint-ignore no-explicit-any -- a stream of Emscripten, which nothing here looks into
    open(path: string, flags: string): any;
    /** Cuts a file. */
    truncate(path: string, length: number): void;
    /** Moves in a file. */
    // deno-lint-ignore no-explicit-any -- as above
    llseek(stream: any, offset: number, whence: number): any;
  };
  /** Takes memory; 0 where none is left. */
  _malloc(countBytes: number): number;
  /** Gives it back. */
  _free(pointer: number): void;
  /** Opens a file, or makes one. */
  open(path: string, mode: number, tracksOrder: boolean, low: number, high: number): bigint;
  /** Closes a file. */
  close_file(file: bigint): number;
  /** Writes what is held back. */
  flush(file: bigint): number;
  /** What is at a path; -1 for nothing. */
  get_type(file: bigint, path: string): number;
  /** What a group has. */
  get_names(file: bigint, path: string, isRecursive: boolean): string[];
  /** Makes a group. */
  create_group(file: bigint, path: string, tracksOrder: boolean): number;
  /** Makes a dataset, with its values. */
  // deno-lint-ignore no-explicit-any -- h5wasm's types lack members that its own code has
  create_dataset(file: bigint, path: string, pointer: bigint, metadata: any): number;
  /** Describes a dataset. */
  get_dataset_metadata(file: bigint, path: string): H5WasmMetadata;
  /** The filters of a dataset. */
  get_dataset_filters(file: bigint, path: string): { id: number; cd_values: number[] }[];
  /** Reads. */
  get_dataset_data(
    file: bigint,
    path: string,
    ...rest: [Hdf5Numbers, Hdf5Numbers, Hdf5Numbers, bigint]
  ): number;
  /** Writes. */
  set_dataset_data(
    file: bigint,
    path: string,
    ...rest: [Hdf5Numbers, Hdf5Numbers, Hdf5Numbers, bigint]
  ): number;
  /** Changes a dataset's dimensions. */
  resize_dataset(file: bigint, path: string, dims: bigint[]): number;
  /** Makes an attribute, with its values. */
  // deno-lint-ignore no-explicit-any -- as above
  create_attribute(file: bigint, path: string, ...rest: [string, bigint, any]): number;
  /** Takes an attribute away. */
  delete_attribute(file: bigint, path: string, name: string): number;
  /** The attributes of something. */
  get_attribute_names(file: bigint, path: string): string[];
  /** Describes an attribute. */
  get_attribute_metadata(file: bigint, path: string, name: string): H5WasmMetadata;
  /** Reads an attribute. */
  get_attribute_data(file: bigint, path: string, name: string, pointer: bigint): number;
}

const LOG_PATH = "/portlab_hdf5_errors";
const STDERR = 2;
const LINE = /^ +#\d+: \S+ line \d+ in (\w+)\(\): (.*)$/gm;

/**
 * HDF5 in h5wasm. Its error stack comes from what it prints: several of its functions give no sign of
 * a failure, and its errors that are thrown leave objects open.
 */
export class WasmLibrary {
  static readonly #libraries = new WeakMap<H5Wasm, WasmLibrary>();
  readonly #h5: H5Wasm;
  readonly #log: unknown;

  private constructor(h5: H5Wasm) {
    this.#h5 = h5;
    const { FS } = h5;
    // h5wasm's types lack `getStream`. The file that is opened next takes the number that is free.
    const streams = FS as unknown as {
      getStream(fd: number): unknown;
      close(stream: unknown): void;
    };
    streams.close(streams.getStream(STDERR));
    this.#log = FS.open(LOG_PATH, "w+");
  }

  /** The library of a module: one, however often it is served. */
  static of(h5: H5Wasm): WasmLibrary {
    const library = this.#libraries.get(h5) ?? new WasmLibrary(h5);
    this.#libraries.set(h5, library);
    return library;
  }

  /** The files that it sees. */
  get files(): H5Wasm["FS"] {
    return this.#h5.FS;
  }

  /** Asks for something; fails when h5wasm throws. */
  ask<R>(name: string, work: (h5: H5Wasm) => R): R {
    this.#takeErrors();
    try {
      return work(this.#h5);
    } catch (error) {
      const lines = this.#takeErrors();
      throw hdf5Error(name, lines.length > 0 ? lines : [(error as Error).message]);
    }
  }

  /** Changes something; fails when h5wasm throws, or HDF5 says that something failed. */
  act<R>(name: string, work: (h5: H5Wasm) => R): R {
    const result = this.ask(name, work);
    const lines = this.#takeErrors();
    if (lines.length > 0) throw hdf5Error(name, lines);
    return result;
  }

  /** Lets HDF5 have bytes while it works; what it wrote there is in them afterwards. */
  withBytes<R>(bytes: Uint8Array, work: (pointer: bigint) => R): R {
    const pointer = this.#h5._malloc(Math.max(bytes.length, 1));
    if (pointer === 0) throw new RangeError(`Cannot get ${bytes.length} bytes in h5wasm's memory`);
    try {
      this.#h5.HEAPU8.set(bytes, pointer);
      const result = work(BigInt(pointer));
      bytes.set(this.#h5.HEAPU8.subarray(pointer, pointer + bytes.length));
      return result;
    } finally {
      this.#h5._free(pointer);
    }
  }

  /** The first stack that was printed since: others follow from it. */
  #takeErrors(): readonly string[] {
    const { FS } = this.#h5;
    const text = new TextDecoder().decode(FS.readFile(LOG_PATH));
    if (text === "") return [];
    FS.truncate(LOG_PATH, 0);
    FS.llseek(this.#log, 0, 0);
    const [, first = ""] = text.split(/^HDF5-DIAG/m);
    return [...first.matchAll(LINE)].map(([, name, why]) => `${name}: ${why}`);
  }
}
