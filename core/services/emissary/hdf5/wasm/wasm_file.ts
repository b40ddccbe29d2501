import type { FileHost, OpenMode } from "../../../files/deno_files.ts";
import { H5, hdf5Error } from "../hdf5_api.ts";
import type { WasmLibrary } from "./wasm_library.ts";

const MODE: OpenMode = {
  read: true,
  write: false,
  append: false,
  truncate: false,
  create: false,
  createNew: false,
};
const WRITING: OpenMode = { ...MODE, read: false, write: true };
/** Bytes that are read of a file at a time. */
const STEP_BYTES = 1 << 20;
const NO_BOUNDS = -1;

export interface FileChoice {
  /** Which function was called. */
  readonly name: "H5Fcreate" | "H5Fopen";
  readonly path: string;
  readonly flags: number;
  /** Whether what was opened in it ends with it; else it stays open until the last of that ends. */
  readonly isStrong: boolean;
}

interface Copy {
  readonly name: string;
  useCount: number;
}

/** The files that are open, as h5wasm has them: whole in its memory, until they are closed. */
export class WasmFiles {
  readonly #library: WasmLibrary;
  readonly #host: FileHost;
  /** By path, with the name in h5wasm; who opens one again has the same. */
  readonly #copies = new Map<string, Copy>();
  readonly #open = new Set<WasmFile>();
  static #count = 0;

  constructor(library: WasmLibrary, host: FileHost) {
    this.#library = library;
    this.#host = host;
  }

  open(choice: FileChoice): WasmFile {
    const { path, flags } = choice;
    const copy = this.#copies.get(path) ?? { name: this.#newName(choice), useCount: 0 };
    const id = this.#openCopy(choice, copy);
    copy.useCount++;
    this.#copies.set(path, copy);
    const isWritable = flags !== H5.H5F_ACC_RDONLY;
    const file = new WasmFile(id, choice, {
      flush: () => {
        this.#library.act("H5Fflush", (h5) => h5.flush(id));
        if (isWritable) this.#writeBack(path, copy.name);
      },
      close: () => {
        this.#open.delete(file);
        this.#close(id, { path, isWritable });
      },
    });
    this.#open.add(file);
    return file;
  }

  [Symbol.dispose](): void {
    for (const file of [...this.#open]) file.closeNow();
  }

  #openCopy({ name, flags }: FileChoice, copy: Copy): bigint {
    try {
      return this.#library.act(
        name,
        (h5) => h5.open(copy.name, flags, false, NO_BOUNDS, NO_BOUNDS),
      );
    } catch (error) {
      // What was read is of no use: of a file that is none, for example.
      if (name === "H5Fopen" && copy.useCount === 0) this.#library.files.unlink(copy.name);
      throw error;
    }
  }

  /** A name in h5wasm that no file had, with what is in the file. */
  #newName({ name, path, flags }: FileChoice): string {
    const copyName = `/portlab_${WasmFiles.#count++}.h5`;
    if (name === "H5Fopen") {
      const bytes = this.#read(path);
      // Says now that the file may not be written, and not when it is closed.
      if (flags !== H5.H5F_ACC_RDONLY) this.#host.open(path, { ...MODE, write: true }).close();
      this.#library.files.writeFile(copyName, bytes);
    } else {
      const isNew = flags === H5.H5F_ACC_EXCL;
      this.#host.open(path, { ...WRITING, create: true, createNew: isNew, truncate: !isNew })
        .close();
    }
    return copyName;
  }

  #read(path: string): Uint8Array {
    const file = this.#host.open(path, MODE);
    try {
      const size = Number(file.seek(0n, 2));
      file.seek(0n, 0);
      const bytes = new Uint8Array(size);
      for (let byte = 0; byte < size;) {
        const count = file.read(bytes.subarray(byte, byte + STEP_BYTES));
        if (count === 0) throw new RangeError(`Cannot read ${path} as it became shorter meanwhile`);
        byte += count;
      }
      return bytes;
    } finally {
      file.close();
    }
  }

  #writeBack(path: string, copyName: string): void {
    const bytes = this.#library.files.readFile(copyName);
    const file = this.#host.open(path, { ...WRITING, create: true, truncate: true });
    try {
      for (let byte = 0; byte < bytes.length;) {
        byte += file.write(bytes.subarray(byte, byte + STEP_BYTES));
      }
    } finally {
      file.close();
    }
  }

  #close(
    id: bigint,
    { path, isWritable }: { readonly path: string; readonly isWritable: boolean },
  ) {
    const copy = this.#copies.get(path)!;
    this.#library.act("H5Fclose", (h5) => h5.close_file(id));
    copy.useCount--;
    try {
      if (isWritable) this.#writeBack(path, copy.name);
    } finally {
      if (copy.useCount === 0) {
        this.#copies.delete(path);
        this.#library.files.unlink(copy.name);
      }
    }
  }
}

/** A file that is open, and whatever is open in it. */
export class WasmFile {
  /** Its number in HDF5. */
  readonly id: bigint;
  readonly #isStrong: boolean;
  readonly flush: () => void;
  readonly #close: () => void;
  /** How many handles it has, its own and those of what is in it. */
  #useCount = 1;
  #isClosed = false;

  constructor(id: bigint, { isStrong }: FileChoice, work: { flush(): void; close(): void }) {
    this.id = id;
    this.#isStrong = isStrong;
    this.flush = work.flush;
    this.#close = work.close;
  }

  /** Refuses what is done with something of a file that is closed. */
  check(name: string): void {
    if (this.#isClosed) throw hdf5Error(name, ["the file that it was in is closed"]);
  }

  hold(): void {
    this.#useCount++;
  }

  /** Something in it was closed, or it itself: the last of them closes it. */
  release(name: string): void {
    this.check(name);
    if (--this.#useCount === 0) this.closeNow();
  }

  /** Its own handle was closed. */
  closeHandle(): void {
    this.check("H5Fclose");
    if (this.#isStrong) this.closeNow();
    else this.release("H5Fclose");
  }

  /** Closes it, whatever is open in it. */
  closeNow(): void {
    this.#isClosed = true;
    this.#close();
  }
}
