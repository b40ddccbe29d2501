import { alignUp } from "../memory/regions.ts";
import { Errno, ErrnoError } from "../signature/declare/errno.ts";
import {
  addressOf,
  checked,
  cText,
  errnoOf,
  type Libc,
  MAP_FIXED,
  MAP_SHARED,
  mapPages,
  memoryFile,
  openLibc,
  PROT_READ_WRITE,
} from "./libc.ts";

// Of Linux.
const O_RDWR = 2;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
/** A file without a name in a folder. */
const O_TMPFILE = Deno.build.arch === "aarch64" ? 0o20040000 : 0o20200000;
const O_CLOEXEC = 0o2000000;
const SEEK_END = 2;
const F_ADD_SEALS = 1033;
const SEALS_SIZE = 1 | 2 | 4; // no more seals, no shrinking, no growing
const AT_FDCWD = -100;
const AT_SYMLINK_FOLLOW = 0x400;
const AT_EMPTY_PATH = 0x1000;
const STATX_INO = 0x100;
/** Of what `statx` writes, on every processor. */
const STATX = { bytes: 256, inodeByte: 32, deviceMajorByte: 136, deviceMinorByte: 140 };
/** Nobody else may read or write: who can do either can do to a channel whatever its peers can. */
const MODE = 0o600;

/** Pages of a buffer, and those of a file that come in their place. */
export interface PagesOfFile {
  /** Where in the buffer; a multiple of a page. */
  readonly bufferByte: number;
  /** Where in the file; a multiple of a page. */
  readonly fileByte: number;
  readonly bytes: number;
}

/**
 * A file that several processes map over buffers of theirs, so that they share memory. A buffer keeps the
 * pages that were mapped when this object is disposed of.
 */
export class MappedFile implements Disposable {
  /** What other processes open: of a file without a name, its place below this process. */
  readonly path: string;
  readonly bytes: number;
  /** Whether the file is new. */
  readonly isNew: boolean;
  readonly #file: number;
  readonly #libc: Libc;
  readonly #stack: DisposableStack;
  #isNamed = true;

  private constructor(
    libc: Libc,
    stack: DisposableStack,
    file: { readonly file: number; readonly path: string; readonly isNew: boolean },
  ) {
    this.#libc = libc;
    this.#file = file.file;
    this.path = file.path;
    this.isNew = file.isNew;
    this.bytes = Number(libc.lseek(file.file, 0n, SEEK_END));
    this.#stack = stack;
  }

  /**
   * Makes a file of zeros with memory behind all of it, for this user alone.
   *
   * @param path a new file, which gets this name by {@linkcode publish}; absent: one without a name, whose size
   * nobody can change. Either is gone with the last process that has it
   * @throws {ErrnoError} `ENOSPC` where there is no room, and whatever else the system says
   */
  static create(bytes: number, path?: string): MappedFile {
    using stack = new DisposableStack();
    const libc = stack.adopt(openLibc(), (it) => it.close()).symbols;
    const { file, isNamed } = path === undefined
      ? { file: memoryFile(libc), isNamed: true }
      : newFile(libc, path);
    stack.defer(() => libc.close(file));
    try {
      allocate(libc, file, bytes);
    } catch (error) {
      if (path !== undefined && isNamed) libc.unlink(cText(path));
      throw error;
    }
    if (path === undefined) {
      checked(libc, "keep the size of memory", libc.fcntl(file, F_ADD_SEALS, BigInt(SEALS_SIZE)));
    }
    const place = path ?? `/proc/${Deno.pid}/fd/${file}`;
    const made = new MappedFile(libc, stack.move(), { file, path: place, isNew: true });
    made.#isNamed = isNamed;
    return made;
  }

  /**
   * Gives a file that was made with a path its name: nobody sees it before what is in it is there.
   *
   * @throws {ErrnoError} `EEXIST` where there is such a file already, and whatever else the system says
   */
  publish(): void {
    if (this.#isNamed) return;
    const own = cText(`/proc/self/fd/${this.#file}`);
    const name = cText(this.path);
    const linked = this.#libc.linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    checked(this.#libc, `make ${this.path}`, linked);
    this.#isNamed = true;
  }

  /**
   * Opens a file that is there.
   *
   * @throws {ErrnoError} `ENOENT` where there is none, and whatever else the system says
   */
  static open(path: string): MappedFile {
    using stack = new DisposableStack();
    const libc = stack.adopt(openLibc(), (it) => it.close()).symbols;
    const file = stack.adopt(open(libc, path, 0), (it) => libc.close(it));
    return new MappedFile(libc, stack.move(), { file, path, isNew: false });
  }

  /** Opens a file, or makes it where there is none, or only an empty one. */
  static openOrCreate(bytes: number, path: string): MappedFile {
    const found = openOrElse(() => MappedFile.open(path), () => {
      using stack = new DisposableStack();
      const file = stack.use(MappedFile.create(bytes, path));
      file.publish();
      stack.move();
      return file;
    });
    if (found.bytes > 0) return found;
    try {
      allocate(found.#libc, found.#file, bytes);
    } finally {
      found[Symbol.dispose]();
    }
    return MappedFile.open(path);
  }

  /**
   * The first bytes of the file, as they are now; fewer where it has no more.
   *
   * @throws {ErrnoError} when they cannot be read
   */
  head(bytes: number): Uint8Array<ArrayBuffer> {
    const head = new Uint8Array(bytes);
    const read = this.#libc.pread(this.#file, head, BigInt(bytes), 0n);
    return head.subarray(0, Number(checked(this.#libc, `read ${this.path}`, read)));
  }

  /**
   * Puts pages of the file in place of a buffer's own, whose content is lost. No other thread may use
   * them meanwhile.
   *
   * @throws {RangeError} when they are not within the buffer and the file, which only ends within a page
   * @throws {ErrnoError} when the system refuses
   */
  mapOver(buffer: SharedArrayBuffer, { bufferByte, fileByte, bytes }: PagesOfFile): void {
    const pageBytes = this.#libc.getpagesize();
    const own = addressOf(buffer);
    const whole = alignUp(bytes, pageBytes);
    const isPaged = [bufferByte, fileByte, Number(own % BigInt(pageBytes))]
      .every((byte) => byte % pageBytes === 0);
    if (!isPaged || bytes > this.bytes - fileByte || bufferByte + whole > buffer.byteLength) {
      throw new RangeError(
        `Cannot map ${bytes} bytes from byte ${fileByte} of ${this.path}, which has ${this.bytes}, over byte ${bufferByte} of a buffer of ${buffer.byteLength}: they must be within both, and begin with a page of ${pageBytes}`,
      );
    }
    mapPages(this.#libc, BigInt(whole), {
      protection: PROT_READ_WRITE,
      flags: MAP_SHARED | MAP_FIXED,
      address: own + BigInt(bufferByte),
      file: this.#file,
      fileByte,
    });
  }

  /**
   * Takes the file's name away, if it has one: it ends with the last process that maps it.
   *
   * @returns whether no other file has that name, which would keep it
   */
  unlink(): boolean {
    const named = identityOf(this.#libc, AT_FDCWD, this.path);
    if (named === undefined) return true; // it is gone
    if (named !== identityOf(this.#libc, this.#file, "")) return false;
    this.#libc.unlink(cText(this.path)); // which fails for a place below /proc
    return true;
  }

  /** Closes the file; what was mapped stays. */
  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}

/** Which file a path means, or a descriptor with no text as its path; nothing where there is none. */
function identityOf(libc: Libc, folder: number, path: string): string | undefined {
  const status = new Uint8Array(STATX.bytes);
  const flags = path === "" ? AT_EMPTY_PATH : 0;
  if (libc.statx(folder, cText(path), flags, STATX_INO, status) < 0) return undefined;
  const view = new DataView(status.buffer);
  const { inodeByte, deviceMajorByte, deviceMinorByte } = STATX;
  const device = [deviceMajorByte, deviceMinorByte].map((byte) => view.getUint32(byte, true));
  return [...device, view.getBigUint64(inodeByte, true)].join(":");
}

function open(libc: Libc, path: string, flags: number): number {
  const file = libc.open(cText(path), O_RDWR | O_CLOEXEC | flags, MODE);
  return checked(libc, `open ${path}`, file);
}

/** A file for a path, which has its name already on file systems that make none without. */
function newFile(libc: Libc, path: string): { readonly file: number; readonly isNamed: boolean } {
  const folder = path.slice(0, path.lastIndexOf("/") + 1) || ".";
  const file = libc.open(cText(folder), O_RDWR | O_CLOEXEC | O_TMPFILE, MODE);
  if (file < 0 && errnoOf(libc) === Errno.EOPNOTSUPP) {
    return { file: open(libc, path, O_CREAT | O_EXCL), isNamed: true };
  }
  return { file: checked(libc, `make ${path}`, file), isNamed: false };
}

/** Before anything is mapped: of a page without memory behind it a process dies by SIGBUS when it touches it. */
function allocate(libc: Libc, file: number, bytes: number): void {
  const errno = libc.posix_fallocate(file, 0n, BigInt(bytes));
  if (errno !== 0) throw new ErrnoError(errno, `get ${bytes} bytes of memory for a file`);
}

/** Opens a file, or makes it where there is none. One that another process makes meanwhile is opened. */
export function openOrElse<File>(open: () => File, create: () => File): File {
  const failed = (error: unknown) => error instanceof ErrnoError ? error.errno : undefined;
  try {
    return open();
  } catch (error) {
    if (failed(error) !== Errno.ENOENT) throw error;
  }
  try {
    return create();
  } catch (error) {
    if (failed(error) !== Errno.EEXIST) throw error;
  }
  return open();
}
