import { Errno, ErrnoError } from "../../signature/declare/errno.ts";
import { writtenErrno } from "../files/deno_files.ts";
import type { ProcessHost } from "./process_api.ts";

/** What C's `system` returns where there is no shell: as if it had ended with 127. */
const NO_SHELL = 127 << 8;
/** What a shell shows of a program that `abort` ended: 128 and the number of SIGABRT. */
const ABORTED = 134;
const SIGNAL_OFFSET = 128;

/**
 * The process that this program runs in, on Linux.
 *
 * From a worker, where `Deno.exit` would end only that worker, and its calls with an error, C's
 * `quick_exit` and `abort` end the whole process, which needs `--allow-ffi`. What C's streams keep is
 * written first; `Deno.stdout` keeps nothing.
 */
export const denoProcess: ProcessHost = {
  exit(code) {
    if (isMainThread()) Deno.exit(code & 0xff);
    const { fflush, quick_exit } = openC();
    fflush(null);
    quick_exit(code);
  },
  abort() {
    if (isMainThread()) Deno.exit(ABORTED);
    const { fflush, abort } = openC();
    fflush(null);
    abort();
  },
  run(command) {
    try {
      const shell = new Deno.Command("/bin/sh", { args: ["-c", command], ...STREAMS });
      const { code, signal } = shell.outputSync();
      return signal === null ? code << 8 : code - SIGNAL_OFFSET;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return NO_SHELL;
      if (error instanceof Deno.errors.NotCapable) {
        throw new ErrnoError(Errno.EACCES, `run ${command}`);
      }
      const errno = writtenErrno(error); // such as E2BIG
      throw errno === undefined ? error : new ErrnoError(errno, "run a command");
    }
  },
};

/** A command has the streams of this process, as in C. */
const STREAMS = { stdin: "inherit", stdout: "inherit", stderr: "inherit" } as const;

function isMainThread(): boolean {
  return typeof (globalThis as { readonly WorkerGlobalScope?: unknown }).WorkerGlobalScope ===
    "undefined";
}

function openC() {
  try {
    return Deno.dlopen("libc.so.6", {
      fflush: { parameters: ["pointer"], result: "i32" },
      quick_exit: { parameters: ["i32"], result: "void" },
      abort: { parameters: [], result: "void" },
    }).symbols;
  } catch (cause) {
    throw new Error(
      "Cannot end the process from a worker as C's quick_exit cannot be called: allow FFI, or give serveProcess a host",
      { cause },
    );
  }
}
