import { Errno, ErrnoError } from "../../signature/declare/errno.ts";
import { CFile } from "../../services/files/c_file.ts";
import { denoFiles, type FileHost, openMode } from "../../services/files/deno_files.ts";
import { boundedFiles } from "../../services/files/deno_file_bound.ts";

/** How LLVM writes standard input, output and error in place of a pointer: 1, 2 and 3. */
const STANDARD_COUNT = 3n;
/** Files of the table have multiples of this, as pointers have: their low bits say which standard one there is. */
const HANDLE_STEP = 16n;

/**
 * The files that clients have open, by numbers that stand in the place of LLVM's pointers. A number that
 * was closed is not given again: who uses it then gets an error, and not another's file.
 */
export class FileTable {
  readonly #host: FileHost;
  readonly #standard: readonly CFile[];
  readonly #files = new Map<bigint, CFile>();
  #last = 0n;

  constructor(host: FileHost = denoFiles) {
    this.#host = boundedFiles(host);
    this.#standard = host.standard.map((file) => new CFile(file));
  }

  /** @throws {ErrnoError} `EBADF` for a number that stands for no file */
  file(handle: bigint): CFile {
    const found = handle >= 1n && handle <= STANDARD_COUNT
      ? this.#standard[Number(handle) - 1]
      : this.#files.get(handle);
    if (found === undefined) throw new ErrnoError(Errno.EBADF, `use ${handle} as a file`);
    return found;
  }

  /**
   * Opens a file for C's mode; returns its number.
   *
   * @throws {ErrnoError} as C's `fopen`; `EMFILE` where callers have as many open as leave descriptors to the process
   */
  open(path: string, mode: string): bigint {
    const how = openMode(mode);
    if (how === undefined) throw new ErrnoError(Errno.EINVAL, `open ${path} with mode ${mode}`);
    const file = new CFile(this.#host.open(path, how));
    this.#last += HANDLE_STEP;
    this.#files.set(this.#last, file);
    return this.#last;
  }

  /** @throws {ErrnoError} as {@linkcode file} */
  close(handle: bigint): void {
    this.file(handle).close();
    this.#files.delete(handle);
  }
}
