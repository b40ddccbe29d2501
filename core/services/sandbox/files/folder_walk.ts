import { ErrnoError } from "../../../signature/mod.ts";
import { errnoOf, type NodeFiles } from "./node_files.ts";

const EACCES = 13;
const ENOTDIR = 20;
const EISDIR = 21;
const EINVAL = 22;
const ENAMETOOLONG = 36;
const ELOOP = 40;
const EILSEQ = 84;
const PATH_BYTES_MAX = 4096;
const LINKS_MAX = 40;

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
          if (errnoOf(error) !== ELOOP) throw error;
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
      if (part === undefined) this.#refuse(EISDIR);
      const place = `/proc/self/fd/${this.#folders.at(-1)}/${part}`;
      if (part === "..") this.#leave();
      else if (this.#parts.length === 0) return place;
      else this.#enter(place);
    }
  }

  #enter(place: string): void {
    const { O_DIRECTORY, O_NOFOLLOW } = this.#files.constants;
    try {
      this.#folders.push(this.#files.openSync(place, O_DIRECTORY | O_NOFOLLOW));
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== ELOOP && errno !== ENOTDIR) throw error;
      this.#goAlong(place);
    }
  }

  #leave(): void {
    if (this.#folders.length === 1) this.#refuse(EACCES);
    this.#files.closeSync(this.#folders.pop()!);
  }

  #goAlong(place: string): void {
    if (++this.#linkCount > LINKS_MAX) this.#refuse(ELOOP);
    this.#parts.unshift(...this.#partsOf(this.#readLink(place)));
  }

  #readLink(place: string): string {
    try {
      return this.#files.readlinkSync(place);
    } catch (error) {
      if (errnoOf(error) === EINVAL) this.#refuse(ENOTDIR); // it is no link
      throw error;
    }
  }

  #partsOf(path: string): string[] {
    if (path.startsWith("/")) this.#refuse(EACCES);
    if (path.includes("\0")) this.#refuse(EINVAL);
    if (!path.isWellFormed()) this.#refuse(EILSEQ);
    if (new TextEncoder().encode(path).length > PATH_BYTES_MAX) this.#refuse(ENAMETOOLONG);
    return path.split("/").filter((part) => part !== "" && part !== ".");
  }

  #refuse(errno: number): never {
    throw new ErrnoError(errno, `go to ${this.#path}`);
  }
}
