import { ErrnoError } from "../../signature/mod.ts";
import type { FileHost, HostFile } from "./file_host.ts";
import { writtenErrno } from "./written_errno.ts";

const EIO = 5;
const ESPIPE = 29;

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
function withErrno<Result>(action: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const number = writtenErrno(error) ?? NUMBERS[(error as Error).name] ?? EIO;
    throw new ErrnoError(number, action);
  }
}

/** What `Deno.FsFile` and the standard streams have. */
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
      if (!seekSync) throw new ErrnoError(ESPIPE, `seek in ${name}`);
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
