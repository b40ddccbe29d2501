import { ErrnoError } from "../../../signature/mod.ts";
import type { HostFile } from "../../files/file_host.ts";
import { type NodeFiles, withErrno } from "./node_files.ts";

const EBADF = 9;
const EINVAL = 22;

/** In place of a descriptor that was given back: the system has given its number to others. */
export const CLOSED = -1;

/** A file that {@linkcode ConfinedFile} moves in. */
export interface OpenFile {
  readonly descriptor: number;
  readonly path: string;
  readonly isAppend: boolean;
}

/** An open file, with its place: `fs` moves none. */
export class ConfinedFile implements HostFile {
  /** Called when it is closed. */
  onClose = (): void => {};
  readonly #files: NodeFiles;
  readonly #path: string;
  readonly #isAppend: boolean;
  #descriptor: number;
  #place = 0;

  constructor(files: NodeFiles, { descriptor, path, isAppend }: OpenFile) {
    this.#files = files;
    this.#descriptor = descriptor;
    this.#path = path;
    this.#isAppend = isAppend;
  }

  read(target: Uint8Array): number {
    const read = (file: number) =>
      this.#files.readSync(file, target, 0, target.length, this.#place);
    const count = this.#do("read", read);
    this.#place += count;
    return count;
  }

  write(bytes: Uint8Array): number {
    const place = this.#isAppend ? null : this.#place;
    const write = (file: number) => this.#files.writeSync(file, bytes, 0, bytes.length, place);
    const count = this.#do("write", write);
    this.#place = this.#isAppend ? this.#size() : this.#place + count;
    return count;
  }

  seek(offsetBytes: bigint, whence: 0 | 1 | 2): bigint {
    const from = whence === 0 ? 0 : whence === 1 ? this.#place : this.#size();
    const place = from + Number(offsetBytes);
    if (!Number.isSafeInteger(place) || place < 0) {
      throw new ErrnoError(EINVAL, `seek in ${this.#path}`);
    }
    this.#place = place;
    return BigInt(place);
  }

  close(): void {
    this.onClose();
    this.#do("close", (file) => this.#files.closeSync(file));
    this.#descriptor = CLOSED;
  }

  #size(): number {
    return this.#do("look at", (file) => this.#files.fstatSync(file).size);
  }

  #do<Result>(action: string, work: (descriptor: number) => Result): Result {
    const descriptor = this.#descriptor;
    if (descriptor === CLOSED) throw new ErrnoError(EBADF, `${action} ${this.#path}`);
    return withErrno(`${action} ${this.#path}`, () => work(descriptor));
  }
}
