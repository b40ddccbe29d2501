import { ErrnoError } from "../../../signature/mod.ts";
import { writtenErrno } from "../../files/written_errno.ts";

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

/** What is known of an open file. */
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

const EIO = 5;

/** The number of what a function of Node's `fs` threw; `undefined` for what is no such error. */
export function errnoOf(error: unknown): number | undefined {
  const { errno } = error as { errno?: unknown };
  return typeof errno === "number" ? Math.abs(errno) : writtenErrno(error);
}

/** Does something with a file, and says with a number of C what failed. */
export function withErrno<Result>(action: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ErrnoError ? error : new ErrnoError(errnoOf(error) || EIO, action);
  }
}
