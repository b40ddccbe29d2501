import { Errno } from "../../signature/declare/errno.ts";
import { type ApiServer, ErrnoError, type HostApi, type ServedApi } from "../../signature/mod.ts";
import type {
  Bytes,
  Fns,
  HandleKind,
  Nullable,
  Variadic,
} from "../../signature/declaration_types.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import { failing } from "../../signature/declare/fns.ts";
import * as s from "../../signature/mod.ts";
import { printFormatted } from "../stdio/print_formatted.ts";
import { CFile } from "./c_file.ts";
import { denoFiles, type FileHost, openMode } from "./deno_files.ts";
import { boundedFiles } from "./deno_file_bound.ts";

const EOF = -1;

/** What the words in `FILE_LINES` stand for, beside scalars and texts. */
export type FileKinds = {
  /** A file that is open. */
  readonly FILE: HandleKind<"FILE">;
  /** For the call that closes it. */
  readonly endsFILE: HandleKind<"FILE">;
  readonly FILEOrNull: Nullable<HandleKind<"FILE">>;
  readonly in: Bytes<"in">;
  readonly out: Bytes<"out">;
  readonly values: Variadic;
};

const KINDS: FileKinds = {
  FILE: s.handle("FILE"),
  endsFILE: s.ends("FILE"),
  FILEOrNull: s.nullable(s.handle("FILE")),
  in: s.bytes("in"),
  out: s.bytes("out"),
  values: s.variadic,
};

/** The functions of {@linkcode filesApi}, as `fns` takes them. */
export const FILE_LINES = [
  "stdin stdout stderr: -> FILE",
  "fopen: string string -> FILEOrNull",
  "fclose: endsFILE -> i32",
  "fread: out FILE -> u32",
  "fwrite: in FILE -> u32",
  "fgets: out FILE -> u32",
  "fputs: string FILE -> i32",
  "puts: string -> i32",
  "fputc: i32 FILE -> i32",
  "putchar: i32 -> i32",
  "fgetc: FILE -> i32",
  "ungetc: i32 FILE -> i32",
  "fseek: FILE i64 i32 -> i32",
  "ftell: FILE -> i64",
  "feof ferror: FILE -> bool",
  "clearerr: FILE -> nothing",
  "fflush: FILEOrNull -> i32",
  "remove: string -> i32",
  "rename: string string -> i32",
  "printf: string values -> i32",
  "fprintf: FILE string values -> i32",
  "sprintf: string values -> string",
  "snprintf: out string values -> i32",
] as const;

/** The functions of {@linkcode filesApi}. */
export type FileFunctions = Fns<typeof FILE_LINES[number], FileKinds>;

const functions: FileFunctions = s.fns(KINDS, ...FILE_LINES);
const { fflush, snprintf } = functions; // cannot fail

/**
 * Files as C has them: LLVM libc's services and what they lack. A file is a handle; any client of
 * the server may use it. What is written is on its way to the system when the call returns.
 *
 * `fread`, `fwrite` and `fgets` take an array and say how many bytes there were. `fgets` puts a NUL behind
 * the line, which is not counted: it reads one byte less than there is room for, and returns 0 at the end
 * of the file. What fails behind some bytes of `fread` and `fwrite` is told by `ferror`, and by the next
 * call. `fgetc` is -1 at the end. `snprintf` fills an array, a NUL included, and returns how many bytes the
 * whole text has. An array keeps what C does not write: what is behind the line and its NUL, and all of it
 * where nothing came.
 * What a length asks for beyond the server's limit is refused.
 *
 * Source: llvm-project, `libc/shared/rpc_opcodes.h`.
 */
export const filesApi: HostApi<FileFunctions> = s.hostApi("files", {
  ...failing(functions),
  fflush,
  snprintf,
});

/** How files are served. */
export interface ServeFilesOptions {
  /** Where they are; the machine when absent. */
  readonly host?: FileHost;
  /**
   * How many callers may have open at once: then `fopen` fails with `EMFILE`. When absent, 8 that nobody else can
   * take, and half of what the callers of all servers of this thread share: a quarter of the descriptors that the
   * system allows this process, and 1024 at most.
   */
  readonly filesMax?: number;
}

/**
 * Serves files.
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../mod.ts";
 * import { ApiServer } from "../../signature/mod.ts";
 * import { serveFiles } from "./files_api.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * serveFiles(new ApiServer(server));
 * ```
 */
export function serveFiles(
  server: ApiServer,
  options: ServeFilesOptions = {},
): ServedApi {
  checkOptionNames("serve files", options, ["host", "filesMax"]);
  const { host: unbounded = denoFiles, filesMax } = options;
  const host = boundedFiles(unbounded, filesMax);
  const [stdin, stdout, stderr] = host.standard.map((file) => new CFile(file)) as [
    CFile,
    CFile,
    CFile,
  ];
  const write = (file: CFile, text: Uint8Array) => (file.writeAll(text), text.length);
  const utf8 = (text: string) => new TextEncoder().encode(text);
  return server.serve(filesApi, {
    stdin: () => stdin,
    stdout: () => stdout,
    stderr: () => stderr,
    fopen: (path, mode) => openFile(host, path, mode),
    fclose: (file: CFile) => (file.close(), 0),
    fread: (target, file: CFile) => readInto(target, () => file.read(target)),
    fwrite: (bytes, file: CFile) => file.write(bytes),
    fgets: (target, file: CFile) => getLine(target, file),
    fputs: (text, file: CFile) => write(file, utf8(text)),
    puts: (text) => write(stdout, utf8(`${text}\n`)),
    fputc: (byte, file: CFile) => putByte(file, byte),
    putchar: (byte) => putByte(stdout, byte),
    fgetc(file: CFile) {
      const byte = new Uint8Array(1);
      return file.read(byte) === 1 ? byte[0]! : EOF;
    },
    // As in C: what `fgetc` says at the end can be put back, and is nothing.
    ungetc: (byte, file: CFile) => byte === EOF ? EOF : (file.unread(byte & 0xff), byte & 0xff),
    fseek: (file: CFile, offset, whence) => (file.seek(offset, whence), 0),
    ftell: (file: CFile) => file.tell(),
    feof: (file: CFile) => file.isAtEnd,
    ferror: (file: CFile) => file.hasFailed,
    clearerr: (file: CFile) => file.clear(),
    fflush: () => 0,
    remove: (path) => (host.remove(path), 0),
    rename: (from, to) => (host.rename(from, to), 0),
    printf: (format, values) => write(stdout, printFormatted(format, values)),
    fprintf: (file: CFile, format, values) => write(file, printFormatted(format, values)),
    sprintf: (format, values) => textOf(printFormatted(format, values)),
    snprintf: (target, format, values) => putText(target, printFormatted(format, values)),
  });
}

function putByte(file: CFile, byte: number): number {
  file.writeAll(Uint8Array.of(byte));
  return byte & 0xff;
}

/** Reads to the start of an array; what nothing came for stays as the caller has it, also by an error. */
function readInto(target: Uint8Array, read: () => number): number {
  s.wroteBytes(target, 0);
  const count = read();
  s.wroteBytes(target, count);
  return count;
}

/** As in C there is a NUL behind the line, and nothing is written at the end of the file. */
function getLine(target: Uint8Array, file: CFile): number {
  const room = target.subarray(0, Math.max(0, target.length - 1));
  const count = readInto(target, () => file.readLine(room));
  if (count > 0 || target.length === 1) endText(target, count);
  return count;
}

/** Puts a NUL behind so many bytes of an array, if it has room for any. */
function endText(target: Uint8Array, count: number): void {
  if (target.length === 0) return;
  target[count] = 0;
  s.wroteBytes(target, count + 1);
}

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A result is a text; `%c` and a precision can make bytes that are none. */
function textOf(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new TypeError(
      "Cannot print to a text as the bytes are no UTF-8: print by snprintf or fprintf, which give bytes",
    );
  }
}

/** As much as there is room for, and a NUL; returns how much there would have been. */
function putText(target: Uint8Array, text: Uint8Array): number {
  const some = text.subarray(0, Math.max(0, target.length - 1));
  target.set(some);
  endText(target, some.length);
  return text.length;
}

function openFile(host: FileHost, path: string, mode: string): CFile {
  const meaning = openMode(mode);
  if (!meaning) {
    throw new ErrnoError(Errno.EINVAL, `open ${path} with mode ${JSON.stringify(mode)}`);
  }
  const file = new CFile(host.open(path, meaning));
  if (meaning.append && !meaning.read) goToEnd(file);
  return file;
}

/** So that `ftell` says how long it is before anything is written; a pipe has no places. */
function goToEnd(file: CFile): void {
  try {
    file.seek(0n, 2);
  } catch (error) {
    if (!(error instanceof ErrnoError)) throw error;
  }
}
