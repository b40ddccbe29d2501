import { Errno, ErrnoError } from "../../signature/declare/errno.ts";

/** A file that is open. What fails is thrown as an `ErrnoError`. */
export interface HostFile {
  /** Reads some bytes from where the file stands; returns how many, 0 at its end. May block. */
  read(target: Uint8Array): number;
  /** Writes some of the bytes; returns how many. May block. */
  write(bytes: Uint8Array): number;
  /** Moves so many bytes from the start (0), from here (1) or from the end (2); returns where it stands. */
  seek(offsetBytes: bigint, whence: 0 | 1 | 2): bigint;
  /** Gives the file back; nothing else is done with it then. */
  close(): void;
}

/** How a file is opened. */
export interface OpenMode {
  /** It may be read. */
  readonly read: boolean;
  /** It may be written. */
  readonly write: boolean;
  /** Every write goes to the end. */
  readonly append: boolean;
  /** What was there is dropped. */
  readonly truncate: boolean;
  /** It is made where there is none. */
  readonly create: boolean;
  /** It must not be there already. */
  readonly createNew: boolean;
  /** To be called where the host closes it by itself. */
  readonly onClose?: () => void;
}

/** What services of files need of the machine; tests inject another. */
export interface FileHost {
  /** Standard input, output and error. Closing one of them does nothing. */
  readonly standard: readonly [HostFile, HostFile, HostFile];
  /** Opens a file. */
  open(path: string, mode: OpenMode): HostFile;
  /** Takes a file or an empty folder away. */
  remove(path: string): void;
  /** Gives it another name, in place of what had that. */
  rename(from: string, to: string): void;
}

const MODE = /^([rwa])(?:b?\+?|\+b)(x?)$/;

/**
 * What a mode of C's `fopen` means: `r`, `w` or `a`, then `b` and `+` in any order, then `x`.
 *
 * @returns `undefined` for what is no mode
 */
export function openMode(mode: string): OpenMode | undefined {
  const [, letter, exclusive] = MODE.exec(mode) ?? [];
  if (letter === undefined || (exclusive === "x" && letter !== "w")) return undefined;
  const isBoth = mode.includes("+");
  return {
    read: letter === "r" || isBoth,
    write: letter !== "r" || isBoth,
    append: letter === "a",
    truncate: letter === "w",
    create: letter !== "r",
    createNew: exclusive === "x",
  };
}

/** Errors of Deno's file operations, by their names, with the numbers of Linux. */
const NUMBERS: Readonly<Record<string, number>> = {
  NotFound: 2,
  Interrupted: 4,
  BadResource: 9,
  WouldBlock: 11,
  PermissionDenied: 13,
  NotCapable: 13,
  Busy: 16,
  AlreadyExists: 17,
  NotADirectory: 20,
  IsADirectory: 21,
  BrokenPipe: 32,
  FilesystemLoop: 40,
};

/** Does something with a file, and says with a number of C what failed. */
export function withErrno<Result>(action: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ErrnoError) throw error;
    throw new ErrnoError(errnoOf(error) || NUMBERS[(error as Error).name] || Errno.EIO, action);
  }
}

/** The system's number of what a function of Deno or of Node's `fs` threw; `undefined` for any other error. */
export function errnoOf(error: unknown): number | undefined {
  const { errno } = error as { errno?: unknown };
  return typeof errno === "number" ? Math.abs(errno) : writtenErrno(error);
}

interface Stream {
  readSync?(target: Uint8Array): number | null;
  writeSync?(bytes: Uint8Array): number;
  seekSync?(offset: bigint, whence: number): number;
  close?(): void;
}

function hostFile(stream: Stream, name: string): HostFile {
  const { readSync, writeSync, seekSync } = stream;
  return {
    read: (target) => withErrno(`read ${name}`, () => readSync?.call(stream, target) ?? 0),
    write: (bytes) => withErrno(`write ${name}`, () => writeSync?.call(stream, bytes) ?? 0),
    seek(offset, whence) {
      if (!seekSync) throw new ErrnoError(Errno.ESPIPE, `seek in ${name}`);
      return BigInt(withErrno(`seek in ${name}`, () => seekSync.call(stream, offset, whence)));
    },
    close: () => stream.close?.(),
  };
}

function input(): HostFile {
  return hostFile({ readSync: (target) => Deno.stdin.readSync(target) }, "stdin");
}

/** The files of the machine that this program runs on, as far as its permissions go. */
export const denoFiles: FileHost = {
  standard: [
    input(),
    hostFile({ writeSync: (bytes) => Deno.stdout.writeSync(bytes) }, "stdout"),
    hostFile({ writeSync: (bytes) => Deno.stderr.writeSync(bytes) }, "stderr"),
  ],
  open: (path, mode) =>
    hostFile(withErrno(`open ${path}`, () => Deno.openSync(path, { ...mode })), path),
  remove: (path) => withErrno(`remove ${path}`, () => Deno.removeSync(path)),
  rename: (from, to) => withErrno(`rename ${from}`, () => Deno.renameSync(from, to)),
};

/**
 * The system's number of what failed, which Deno writes into the text of its errors: `(os error 2)`.
 * `undefined` where the text has none.
 */
export function writtenErrno(error: unknown): number | undefined {
  const [, written] = /\(os error (\d+)\)/.exec(String(error)) ?? [];
  return written === undefined ? undefined : Number(written);
}
