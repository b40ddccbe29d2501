import { Errno, ErrnoError } from "../../signature/declare/errno.ts";
import type { HostFile } from "./deno_files.ts";

const NEWLINE = 0x0a;
/** What is looked through for a newline at once, in bytes: what is behind it has to be put back. */
const AHEAD_BYTES = 4096;

/**
 * A stream of C over a file: what was put back, the marks for end and error. Nothing is kept back when
 * it is written, so that lanes, workers and the host's own output stay in order.
 */
export class CFile implements Disposable {
  readonly #file: HostFile;
  /** Bytes that were put back; the last one is read first. */
  readonly #back: number[] = [];
  isAtEnd = false;
  hasFailed = false;
  #isClosed = false;

  constructor(file: HostFile) {
    this.#file = file;
  }

  /**
   * Fills the array, up to the end of the file; returns how many bytes came. What fails behind some of
   * them is seen by the mark only, as in C.
   */
  read(target: Uint8Array): number {
    return counted(target.length, (count) => this.#readSome(target.subarray(count)));
  }

  /**
   * Reads up to a newline, which is kept, up to the end, or until the array is full.
   *
   * @returns how many bytes came; 0 at the end of the file
   */
  readLine(target: Uint8Array): number {
    let count = 0;
    while (count < target.length) {
      const room = target.subarray(count, count + AHEAD_BYTES);
      const some = room.subarray(0, this.#readSome(room));
      if (some.length === 0) break;
      count += some.length;
      const rest = some.subarray(some.indexOf(NEWLINE) + 1);
      if (rest.length === some.length) continue;
      this.#back.push(...rest.toReversed());
      return count - rest.length;
    }
    return count;
  }

  /** Writes the bytes; returns how many, and fails behind some of them as {@linkcode read} does. */
  write(bytes: Uint8Array): number {
    return counted(bytes.length, (count) => this.#writeSome(bytes.subarray(count)));
  }

  /** Writes all bytes, or fails. */
  writeAll(bytes: Uint8Array): void {
    for (let count = 0; count < bytes.length;) count += this.#writeSome(bytes.subarray(count));
  }

  /** Puts a byte back, to be read next. */
  unread(byte: number): void {
    this.#back.push(byte);
    this.isAtEnd = false;
  }

  /** Moves, and forgets what was put back; returns where it stands. */
  seek(offsetBytes: bigint, whence: number): bigint {
    if (whence !== 0 && whence !== 1 && whence !== 2) throw new ErrnoError(Errno.EINVAL, "seek");
    const ahead = whence === 1 ? BigInt(this.#back.length) : 0n;
    const place = this.#file.seek(offsetBytes - ahead, whence);
    this.#back.length = 0;
    this.isAtEnd = false;
    return place;
  }

  /** Where it stands; the bytes that were put back are still to come. */
  tell(): bigint {
    return this.#file.seek(0n, 1) - BigInt(this.#back.length);
  }

  /** Takes the marks away. */
  clear(): void {
    this.isAtEnd = false;
    this.hasFailed = false;
  }

  /** Gives the file back, once. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file.close();
  }

  /** As {@linkcode close}, where no caller got the file. */
  [Symbol.dispose](): void {
    this.close();
  }

  #readSome(target: Uint8Array): number {
    const ahead = Math.min(this.#back.length, target.length);
    for (let byte = 0; byte < ahead; byte++) target[byte] = this.#back.pop()!;
    if (ahead > 0) return ahead;
    if (this.isAtEnd) return 0; // until the mark is taken away, even if the file has grown
    const count = this.#do(() => this.#file.read(target));
    if (count === 0) this.isAtEnd = true;
    return count;
  }

  #writeSome(bytes: Uint8Array): number {
    return this.#do(() => {
      if (this.#back.length > 0) this.seek(0n, 1); // what was read ahead is still to be written over
      const count = this.#file.write(bytes);
      if (count > 0) return count;
      throw new ErrnoError(Errno.EBADF, "write to a file that takes nothing");
    });
  }

  #do<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}

/** Goes on until nothing more comes or goes; throws what fails before anything did. */
function counted(countMax: number, some: (count: number) => number): number {
  let count = 0;
  while (count < countMax) {
    try {
      const more = some(count);
      if (more === 0) break;
      count += more;
    } catch (error) {
      if (count === 0 || !(error instanceof ErrnoError)) throw error;
      break;
    }
  }
  return count;
}
