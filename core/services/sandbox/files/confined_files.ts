import { checkOptionNames } from "../../../text/nearest.ts";
import { Errno, ErrnoError } from "../../../signature/declare/errno.ts";
import {
  errnoOf,
  type FileHost,
  type HostFile,
  type OpenMode,
  withErrno,
} from "../../files/deno_files.ts";
import { FolderWalk, type NodeFiles, nodeFiles, type OpenFlags } from "./node_files.ts";

/** What the callers of confined files may do. */
export interface ConfineOptions {
  /** Nothing can be written, made, renamed or removed; true when absent. */
  readonly readOnly?: boolean;
  /** Standard input, output and error; when absent, there is nothing to read and no place to write. */
  readonly standard?: FileHost["standard"];
}

/** The files below one folder. Needs Linux; in Deno, a host with all permissions (for `/proc`). */
export class ConfinedFiles implements FileHost, Disposable {
  readonly standard: FileHost["standard"];
  readonly #files: NodeFiles = nodeFiles();
  #root: number;
  readonly #isReadOnly: boolean;
  readonly #open = new Set<ConfinedFile>();

  /** @internal For {@linkcode confinedFiles}. */
  constructor(root: string, options: ConfineOptions) {
    const { readOnly = true, standard = [NOTHING, NOTHING, NOTHING] } = options;
    this.standard = standard;
    this.#isReadOnly = readOnly;
    const { O_DIRECTORY } = this.#files.constants;
    const open = () => this.#files.openSync(root, O_DIRECTORY);
    this.#root = withErrno(`open the folder ${root}`, open);
    try {
      this.#files.readlinkSync(`/proc/self/fd/${this.#root}`);
    } catch {
      const what = "without /proc/self/fd, which needs Linux and all permissions";
      throw new ErrnoError(Errno.ENOSYS, `confine files to ${root} ${what}`);
    }
  }

  open(path: string, mode: OpenMode): HostFile {
    this.#checkWritable(path, mode.write || mode.append || mode.truncate || mode.create);
    const flags = flagsOf(mode, this.#files.constants);
    const descriptor = this.#at(path, (place) => this.#files.openSync(place, flags));
    try {
      withErrno(`open ${path}`, () => this.#check(descriptor, path, mode));
    } catch (error) {
      this.#files.closeSync(descriptor);
      throw error;
    }
    const file = new ConfinedFile(this.#files, { descriptor, path, isAppend: mode.append });
    file.onClose = () => {
      this.#open.delete(file);
      mode.onClose?.();
    };
    this.#open.add(file);
    return file;
  }

  remove(path: string): void {
    this.#checkWritable(path, true);
    this.#at(path, (place) => {
      try {
        this.#files.unlinkSync(place);
      } catch (error) {
        const errno = errnoOf(error);
        if (errno !== Errno.EISDIR && errno !== Errno.EPERM) throw error;
        this.#files.rmdirSync(place);
      }
    });
  }

  rename(from: string, to: string): void {
    this.#checkWritable(from, true);
    this.#at(from, (source) => {
      this.#at(to, (target) => this.#files.renameSync(source, target));
    });
  }

  /** Closes the folder and every file of it that is open. */
  [Symbol.dispose](): void {
    for (const file of this.#open) file.close();
    if (this.#root !== CLOSED) this.#files.closeSync(this.#root);
    this.#root = CLOSED;
  }

  #at<Result>(path: string, work: (place: string) => Result): Result {
    if (this.#root === CLOSED) throw new ErrnoError(Errno.EBADF, `reach ${path}`);
    const walk = () => new FolderWalk(this.#files, this.#root, path).run(work);
    return withErrno(`reach ${path}`, walk);
  }

  #checkWritable(path: string, writes: boolean): void {
    if (writes && this.#isReadOnly) throw new ErrnoError(Errno.EROFS, `change ${path}`);
  }

  /** A device or a pipe is more than bytes; a file with a second name may be one of outside. */
  #check(descriptor: number, path: string, { truncate }: OpenMode): void {
    const status = this.#files.fstatSync(descriptor);
    if (!status.isFile() || status.nlink !== 1) {
      const other = status.isFile() ? Errno.EMLINK : Errno.EACCES;
      throw new ErrnoError(status.isDirectory() ? Errno.EISDIR : other, `open ${path}`);
    }
    if (truncate) this.#files.ftruncateSync(descriptor, 0);
  }
}

/**
 * The files below one folder: paths are relative to it, and nothing outside can be reached, by `..`,
 * by links, or by a folder that somebody exchanges meanwhile. Links that stay below it are followed.
 * Absolute paths, devices, pipes and files with a second name (hard links) are refused.
 *
 * Whoever may write below the folder from outside decides what is in it; whoever holds it (a mount
 * over it, for example) decides what it is.
 *
 * @throws {ErrnoError} when the folder cannot be opened, or the system is none that can do it
 * @throws {TypeError} where there is no Node API: in browsers
 *
 * @example
 * ```ts
 * import { openMode } from "../../files/deno_files.ts";
 * import { confinedFiles } from "./confined_files.ts";
 * const folder = Deno.makeTempDirSync();
 * Deno.writeTextFileSync(`${folder}/rules.txt`, "width 80");
 * using files = confinedFiles(folder);
 * const bytes = new Uint8Array(5);
 * files.open("rules.txt", openMode("r")!).read(bytes);
 * let refusal = "";
 * try {
 *   files.open("../other.txt", openMode("r")!);
 * } catch (error) {
 *   refusal = String(error);
 * }
 * if (new TextDecoder().decode(bytes) !== "width" || !refusal.includes("EACCES")) throw new Error(refusal);
 * ```
 */
export function confinedFiles(root: string, options: ConfineOptions = {}): ConfinedFiles {
  checkOptionNames("confine files", options, ["readOnly", "standard"]);
  return new ConfinedFiles(root, options);
}

function flagsOf(
  { read, write, append, create, createNew }: OpenMode,
  { O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK }: OpenFlags,
): number {
  const access = !write && !append ? 0 : read ? O_RDWR : O_WRONLY;
  const made = (append ? O_APPEND : 0) | (create ? O_CREAT : 0) | (createNew ? O_EXCL : 0);
  // Truncated when it is known what it is; a pipe must not hold up the server.
  return access | made | O_NOFOLLOW | O_NONBLOCK;
}

/** A stream that has nothing and takes nothing. */
const NOTHING: HostFile = {
  read: () => 0,
  write: () => 0,
  seek() {
    throw new ErrnoError(Errno.ESPIPE, "seek in a stream");
  },
  close() {},
};

/** In place of a descriptor that was given back: the system has given its number to others. */
const CLOSED = -1;

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
  readonly #open: OpenFile;
  #descriptor: number;
  #place = 0;

  constructor(files: NodeFiles, open: OpenFile) {
    this.#files = files;
    this.#open = open;
    this.#descriptor = open.descriptor;
  }

  read(target: Uint8Array): number {
    const count = this.#do(
      "read",
      (file) => this.#files.readSync(file, target, 0, target.length, this.#place),
    );
    this.#place += count;
    return count;
  }

  write(bytes: Uint8Array): number {
    const { isAppend } = this.#open;
    const at = isAppend ? undefined : this.#place;
    const count = this.#do(
      "write",
      (file) => this.#files.writeSync(file, bytes, 0, bytes.length, at),
    );
    this.#place = isAppend ? this.#size() : this.#place + count;
    return count;
  }

  seek(offsetBytes: bigint, whence: 0 | 1 | 2): bigint {
    const from = whence === 0 ? 0 : whence === 1 ? this.#place : this.#size();
    const place = from + Number(offsetBytes);
    if (!Number.isSafeInteger(place) || place < 0) {
      throw new ErrnoError(Errno.EINVAL, `seek in ${this.#open.path}`);
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
    const what = `${action} ${this.#open.path}`;
    const descriptor = this.#descriptor;
    if (descriptor === CLOSED) throw new ErrnoError(Errno.EBADF, what);
    return withErrno(what, () => work(descriptor));
  }
}
