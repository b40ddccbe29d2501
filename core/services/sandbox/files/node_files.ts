import { Errno, ErrnoError } from "../../../signature/declare/errno.ts";
import { errnoOf } from "../../files/deno_files.ts";

const PATH_BYTES_MAX = 4096;
const LINKS_MAX = 40;
/** Behind the last part of a path that ends with a slash: it must be a folder. */
const FOLDER = ".";

/**
 * The way from a folder to a path below it, one part at a time, as Linux's `openat2` goes it with
 * `RESOLVE_BENEATH`. Each folder on the way is open while the next part is looked for in it, and no
 * link is followed by the system: so whoever exchanges a folder for a link meanwhile changes nothing.
 * A link is read and gone along here; `..` goes back to the folder that one came from.
 */
export class FolderWalk {
  readonly #files: NodeFiles;
  /** Descriptors, the root first. */
  readonly #folders: number[];
  readonly #path: string;
  /** The parts that are still to go. */
  #parts: string[];
  #linkCount = 0;

  /** @throws {ErrnoError} when the path is none: absolute, for example */
  constructor(files: NodeFiles, root: number, path: string) {
    this.#files = files;
    this.#folders = [root];
    this.#path = path;
    this.#parts = this.#partsOf(path);
  }

  /**
   * Does something where the path ends. The place is a path that needs no more looking: the folder is
   * open, and only the last part is looked for. When that is a link which `work` does not follow
   * (`ELOOP`), the walk goes on along it.
   */
  run<Result>(work: (place: string) => Result): Result {
    try {
      for (;;) {
        const place = this.#lastPlace();
        try {
          return work(place);
        } catch (error) {
          if (errnoOf(error) !== Errno.ELOOP) throw error;
          this.#goAlong(place);
        }
      }
    } finally {
      while (this.#folders.length > 1) this.#leave();
    }
  }

  #lastPlace(): string {
    for (;;) {
      const part = this.#parts.shift();
      if (part === undefined) this.#refuse(Errno.EISDIR);
      const place = `/proc/self/fd/${this.#folders.at(-1)}/${part}`;
      if (part === FOLDER) continue;
      if (part === "..") this.#leave();
      else if (this.#parts.length === 0) return place;
      else if (this.#enter(place) && this.#parts[0] === FOLDER) {
        this.#leave();
        return place;
      }
    }
  }

  /** Returns whether it is a folder; a link is gone along. */
  #enter(place: string): boolean {
    const { O_DIRECTORY, O_NOFOLLOW } = this.#files.constants;
    try {
      this.#folders.push(this.#files.openSync(place, O_DIRECTORY | O_NOFOLLOW));
      return true;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== Errno.ELOOP && errno !== Errno.ENOTDIR) throw error;
      this.#goAlong(place);
      return false;
    }
  }

  #leave(): void {
    if (this.#folders.length === 1) this.#refuse(Errno.EACCES);
    this.#files.closeSync(this.#folders.pop()!);
  }

  #goAlong(place: string): void {
    if (++this.#linkCount > LINKS_MAX) this.#refuse(Errno.ELOOP);
    this.#parts.unshift(...this.#partsOf(this.#readLink(place)));
  }

  #readLink(place: string): string {
    try {
      return this.#files.readlinkSync(place);
    } catch (error) {
      if (errnoOf(error) === Errno.EINVAL) this.#refuse(Errno.ENOTDIR); // it is no link
      throw error;
    }
  }

  #partsOf(path: string): string[] {
    if (path.startsWith("/")) this.#refuse(Errno.EACCES);
    if (path.includes("\0")) this.#refuse(Errno.EINVAL);
    if (!path.isWellFormed()) this.#refuse(Errno.EILSEQ);
    if (new TextEncoder().encode(path).length > PATH_BYTES_MAX) this.#refuse(Errno.ENAMETOOLONG);
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    return /\/\.?$/.test(path) ? [...parts, FOLDER] : parts;
  }

  #refuse(errno: number): never {
    throw new ErrnoError(errno, `go to ${this.#path}`);
  }
}

/** What is needed of Node's `fs`, which Deno has too: unlike Deno's own, it knows descriptors. */
export interface NodeFiles {
  openSync(path: string, flags: number): number;
  closeSync(file: number): void;
  readSync(file: number, to: Uint8Array, first: number, length: number, place: number): number;
  writeSync(file: number, bytes: Uint8Array, from: number, length: number, at?: number): number;
  fstatSync(file: number): FileStatus;
  ftruncateSync(file: number, sizeBytes: number): void;
  readlinkSync(path: string): string;
  unlinkSync(path: string): void;
  rmdirSync(path: string): void;
  renameSync(from: string, to: string): void;
  readonly constants: OpenFlags;
}

type FlagName = "WRONLY" | "RDWR" | "CREAT" | "EXCL" | "APPEND" | "DIRECTORY" | "NOFOLLOW";
/** The flags of `open`, whose numbers differ between systems and processors. */
export type OpenFlags = Readonly<Record<`O_${FlagName | "NONBLOCK"}`, number>>;

export interface FileStatus {
  readonly nlink: number;
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/**
 * Node's `fs`, asked for at run time, as it cannot be imported where there is none.
 *
 * @throws {TypeError} where there is none: in browsers
 */
export function nodeFiles(): NodeFiles {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const files = process?.getBuiltinModule?.("node:fs");
  if (files) return files as NodeFiles;
  throw new TypeError("Cannot confine files as this runtime has no node:fs");
}
