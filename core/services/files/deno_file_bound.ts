import { Errno, ErrnoError } from "../../signature/declare/errno.ts";
import type { FileHost } from "./deno_files.ts";

/** How many files callers may share in this thread, and how much of what the system allows that is. */
const FILES_MAX = 1024;
const FILES_SHARE = 1 / 4;
/** How much of that one server's callers may have. */
const SERVER_SHARE = 1 / 2;
/** How many files each server's callers may have beside those, whatever others have. */
const FILES_OWN = 8;
/** Where the system does not tell what it allows: the least that one does by itself. */
const DESCRIPTORS_UNKNOWN = 256;

/**
 * How many files the callers of all servers of a thread may share: a quarter of the descriptors that this process may
 * have, and 1024 at most. Without a free one the runtime ends the process.
 *
 * @param limits what `/proc/self/limits` holds, where it can be read
 */
export function filesMaxOf(limits: string | undefined): number {
  const told = /^Max open files +(\d+)/m.exec(limits ?? "")?.[1];
  const descriptors = told === undefined ? DESCRIPTORS_UNKNOWN : Number(told);
  return Math.min(FILES_MAX, Math.floor(descriptors * FILES_SHARE));
}

function ownLimits(): string | undefined {
  try {
    return Deno.readTextFileSync("/proc/self/limits");
  } catch {
    return undefined;
  }
}

/** What callers have open in this thread: of files that are shared, and of those that each server has beside. */
const open = { shared: 0, own: 0 };
let filesMaxHere: number | undefined;

/**
 * How many files the callers of one server have open. They cannot have more than leave the process descriptors for
 * itself, nor take all that others could have: the first eight of each server are its own.
 */
export class FileBound implements Disposable {
  readonly #filesMax: number;
  /** For the callers of all servers. */
  readonly #allMax: number;
  readonly #count = { shared: 0, own: 0 };

  /**
   * @param filesMax how many; half of what all share when absent, and eight
   * @throws {RangeError} when it is no integer from 1
   */
  constructor(filesMax?: number) {
    filesMaxHere ??= filesMaxOf(ownLimits());
    const { ceil, max } = Math;
    this.#filesMax = filesMax ?? ceil(filesMaxHere * SERVER_SHARE) + FILES_OWN;
    this.#allMax = max(filesMaxHere, this.#filesMax);
    if (Number.isInteger(this.#filesMax) && this.#filesMax >= 1) return;
    throw new RangeError(
      `Cannot serve files as filesMax must be an integer from 1: current value is ${filesMax}`,
    );
  }

  /** Whether no file can be opened before another is closed. */
  get isFull(): boolean {
    return this.#next() === undefined;
  }

  /**
   * Counts a file that is to be opened.
   *
   * @param action what cannot be done, for the message
   * @throws {ErrnoError} `EMFILE` when it must not be
   */
  take(action: string): void {
    const next = this.#next();
    if (next === undefined) throw new ErrnoError(Errno.EMFILE, action);
    this.#change(next, 1);
  }

  /** Counts a file out that was closed, or not opened. */
  give(): void {
    this.#change(this.#count.shared > 0 ? "shared" : "own", -1);
  }

  /** Counts all out: they were closed together. */
  [Symbol.dispose](): void {
    while (this.#count.shared + this.#count.own > 0) this.give();
  }

  #next(): "shared" | "own" | undefined {
    const { shared, own } = this.#count;
    if (shared + own >= this.#filesMax) return undefined;
    if (own < FILES_OWN && open.own < this.#allMax) return "own";
    return open.shared < this.#allMax ? "shared" : undefined;
  }

  #change(which: "shared" | "own", by: number): void {
    this.#count[which] += by;
    open[which] += by;
  }
}

/** The same files, of which callers cannot have more open at once than a {@linkcode FileBound} says: it throws so. */
export function boundedFiles(host: FileHost, filesMax?: number): FileHost {
  const bound = new FileBound(filesMax);
  return {
    standard: host.standard,
    open(path, mode) {
      bound.take(`open ${path}`);
      let isOpen = true;
      const onClose = () => {
        if (isOpen) bound.give();
        isOpen = false;
      };
      try {
        const file = host.open(path, { ...mode, onClose });
        return {
          read: (target) => file.read(target),
          write: (bytes) => file.write(bytes),
          seek: (offsetBytes, whence) => file.seek(offsetBytes, whence),
          close() {
            onClose();
            file.close();
          },
        };
      } catch (error) {
        onClose();
        throw error;
      }
    },
    remove: (path) => host.remove(path),
    rename: (from, to) => host.rename(from, to),
  };
}
