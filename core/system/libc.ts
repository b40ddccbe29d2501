import { ErrnoError } from "../signature/mod.ts";

const LIBC = {
  __errno_location: { parameters: [], result: "pointer" },
  close: { parameters: ["i32"], result: "i32" },
  fcntl: { parameters: ["i32", "i32", "i64"], result: "i32" },
  ftruncate: { parameters: ["i32", "i64"], result: "i32" },
  dup2: { parameters: ["i32", "i32"], result: "i32" },
  getpagesize: { parameters: [], result: "i32" },
  kill: { parameters: ["i32", "i32"], result: "i32" },
  getppid: { parameters: [], result: "i32" },
  linkat: { parameters: ["i32", "buffer", "i32", "buffer", "i32"], result: "i32" },
  lseek: { parameters: ["i32", "i64", "i32"], result: "i64" },
  memfd_create: { parameters: ["buffer", "u32"], result: "i32" },
  mkdir: { parameters: ["buffer", "u32"], result: "i32" },
  mmap: { parameters: ["u64", "u64", "i32", "i32", "i32", "i64"], result: "u64" },
  mprotect: { parameters: ["u64", "u64", "i32"], result: "i32" },
  mremap: { parameters: ["u64", "u64", "u64", "i32", "u64"], result: "u64" },
  munmap: { parameters: ["u64", "u64"], result: "i32" },
  open: { parameters: ["buffer", "i32", "u32"], result: "i32" },
  posix_fallocate: { parameters: ["i32", "i64", "i64"], result: "i32" },
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "i64" },
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "i64" },
  rmdir: { parameters: ["buffer"], result: "i32" },
  setrlimit: { parameters: ["i32", "buffer"], result: "i32" },
  setsid: { parameters: [], result: "i32" },
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
  syscall: { parameters: ["i64", "u64", "u64", "u64"], result: "i64" },
  unlink: { parameters: ["buffer"], result: "i32" },
  write: { parameters: ["i32", "buffer", "usize"], result: "i64" },
} as const;
/** What this library calls of C's library to map memory, to look after processes, and to limit them. */
export type Libc = Deno.DynamicLibrary<typeof LIBC>["symbols"];

// Of Linux, the same for all processors that Deno runs on.
export const PROT_NONE = 0;
export const PROT_READ = 1;
export const PROT_READ_WRITE = 3;
export const MAP_SHARED = 1;
export const MAP_PRIVATE_ANONYMOUS = 0x22;
export const MAP_FIXED = 0x10;
export const MREMAP_MAYMOVE_FIXED = 3;
const O_RDONLY_CLOEXEC = 0o2000000;
const MFD_CLOEXEC = 1;
const MFD_ALLOW_SEALING = 2;
/** What `mmap` and `mremap` return when they fail. */
export const MAP_FAILED = 2n ** 64n - 1n;
/** The name of files in memory, as `/proc/PID/maps` shows it. */
const MEMORY_NAME = "portlab";

/**
 * C's library, which the caller closes.
 *
 * @throws {DOMException} `NotSupportedError` where the system is not Linux
 */
export function openLibc(): Deno.DynamicLibrary<typeof LIBC> {
  if (Deno.build.os === "linux") return Deno.dlopen("libc.so.6", LIBC);
  throw new DOMException(
    `Cannot map memory as ${Deno.build.os} has no way to do so that this library knows`,
    "NotSupportedError",
  );
}

/** The number of what failed last in this thread. */
export function errnoOf(libc: Libc): number {
  return new Deno.UnsafePointerView(libc.__errno_location()!).getInt32();
}

/** Returns what a function of C returned, unless that says that it failed. */
export function checked<Result extends number | bigint>(
  libc: Libc,
  action: string,
  result: Result,
): Result {
  if (result === MAP_FAILED || result < 0) throw new ErrnoError(errnoOf(libc), action);
  return result;
}

/** What is mapped, and where. */
export interface Mapping {
  readonly protection: number;
  readonly flags: number;
  /** Where to; wherever there is room when absent. */
  readonly address?: bigint;
  /** What to show; nothing when absent. */
  readonly file?: number;
  /** From which byte of the file on; a multiple of a page. */
  readonly fileByte?: number;
}

/**
 * Maps pages; returns where they are.
 *
 * @throws {ErrnoError} when the system refuses
 */
export function mapPages(libc: Libc, bytes: bigint, mapping: Mapping): bigint {
  const { address = 0n, protection, flags, file = -1, fileByte = 0 } = mapping;
  const mapped = libc.mmap(address, bytes, protection, flags, file, BigInt(fileByte));
  return checked(libc, `map ${bytes} bytes`, mapped);
}

/** A new file without a name that is in memory only; its size is 0. */
export function memoryFile(libc: Libc): number {
  const flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  return checked(libc, "make a file in memory", libc.memfd_create(cText(MEMORY_NAME), flags));
}

/** Where the bytes of a buffer are. */
export function addressOf(buffer: SharedArrayBuffer): bigint {
  return Deno.UnsafePointer.value(Deno.UnsafePointer.of(new Uint8Array(buffer)));
}

/**
 * A text as C has it.
 *
 * @throws {TypeError} when it has a character 0, behind which C would see nothing
 */
export function cText(text: string): Uint8Array<ArrayBuffer> {
  if (text.includes("\0")) {
    throw new TypeError(
      `Cannot hand a text to the system as it has a character 0: current value is ${
        JSON.stringify(text)
      }`,
    );
  }
  return new TextEncoder().encode(`${text}\0`);
}

/** The beginning of a file of the system's, as one below `/proc`; no text where it cannot be read. */
export function readText(libc: Libc, path: string, bytesMax: number): string {
  const file = libc.open(cText(path), O_RDONLY_CLOEXEC, 0);
  if (file < 0) return "";
  const bytes = new Uint8Array(bytesMax);
  let count = 0;
  for (let more = 1; more > 0 && count < bytesMax; count += Math.max(more, 0)) { // it comes in pieces
    const rest = bytes.subarray(count);
    more = Number(libc.pread(file, rest, BigInt(rest.length), BigInt(count)));
  }
  libc.close(file);
  return new TextDecoder().decode(bytes.subarray(0, count));
}

/** The number of this process. */
export function ownPid(): number {
  return Deno.pid;
}

/** Calls a function now and then, which does not keep the program running; returns what ends that. */
export function watchTimer(look: () => void, milliseconds: number): () => void {
  const timer = setInterval(look, milliseconds);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}
