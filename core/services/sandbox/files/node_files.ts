import { Errno, ErrnoError } from "../../../signature/declare/errno.ts";
import { errnoOf } from "../../files/deno_files.ts";

const PATH_BYTES_MAX = 4096;
const LINKS_MAX = 40;
/** `a/`, `a/.` and the like. */
const FOLDER_END = /(^|\/)\.?\/*$/;

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
  /** Whether the path ends with a slash: what is there must be a folder. */
  #isFolder: boolean;

  /** @throws {ErrnoError} when the path is none: absolute, for example */
  constructor(files: NodeFiles, root: number, path: string) {
    this.#files = files;
    this.#folders = [root];
    this.#path = path;
    this.#parts = this.#partsOf(path);
    this.#isFolder = FOLDER_END.test(path);
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
      if (part === "..") this.#leave();
      else if (this.#parts.length > 0) this.#enter(place);
      else if (!this.#isFolder) return place;
      else {
        const depth = this.#folders.length;
        this.#enter(place);
        if (this.#folders.length === depth) continue; // along a link
        this.#leave();
        return place;
      }
    }
  }

  #enter(place: string): void {
    const { O_DIRECTORY, O_NOFOLLOW } = this.#files.constants;
    try {
      this.#folders.push(this.#files.openSync(place, O_DIRECTORY | O_NOFOLLOW));
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== Errno.ELOOP && errno !== Errno.ENOTDIR) throw error;
      this.#goAlong(place);
    }
  }

  #leave(): void {
    if (this.#folders.length === 1) this.#refuse(Errno.EACCES);
    this.#files.closeSync(this.#folders.pop()!);
  }

  #goAlong(place: string): void {
    if (++this.#linkCount > LINKS_MAX) this.#refuse(Errno.ELOOP);
    const link = this.#readLink(place);
    this.#isFolder ||= this.#parts.length === 0 && FOLDER_END.test(link);
    this.#parts.unshift(...this.#partsOf(link));
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
    return path.split("/").filter((part) => part !== "" && part !== ".");
  }

  #refuse(errno: number): never {
    throw new ErrnoError(errno, `go to ${this.#path}`);
  }
}

/** What is needed of Node's `fs`, which Deno has too: unlike Deno's own, it knows descriptors. */
export interface NodeFiles {
  openSync(path: string, flags: number): number;
  closeSync(descriptor: number): void;
  readSync(
    descriptor: number,
    target: Uint8Array,
    offset: number,
    length: number,
    place: number,
  ): number;
  writeSync(
    descriptor: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    place: number | null,
  ): number;
  fstatSync(descriptor: number): FileStatus;
  ftruncateSync(descriptor: number, sizeBytes: number): void;
  readlinkSync(path: string): string;
  unlinkSync(path: string): void;
  rmdirSync(path: string): void;
  renameSync(from: string, to: string): void;
  readonly constants: OpenFlags;
}

/** The flags of `open`, whose numbers differ between systems and processors. */
export interface OpenFlags {
  readonly O_WRONLY: number;
  readonly O_RDWR: number;
  readonly O_CREAT: number;
  readonly O_EXCL: number;
  readonly O_APPEND: number;
  readonly O_DIRECTORY: number;
  readonly O_NOFOLLOW: number;
  readonly O_NONBLOCK: number;
}

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
