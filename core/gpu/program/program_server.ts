import { CFile } from "../../services/files/c_file.ts";
import { denoFiles, type FileHost, type HostFile } from "../../services/files/deno_files.ts";
import { serveFiles } from "../../services/files/files_api.ts";
import { type HeapAllocator, serveMemory } from "../../services/memory_api.ts";
import { denoProcess } from "../../services/process/deno_process.ts";
import { serveProcess } from "../../services/process/process_api.ts";
import { serveHost } from "../../services/serve_host.ts";
import { serveSystem, webSystem } from "../../services/system_api.ts";
import { ApiServer, ErrnoError, type HostApi } from "../../signature/mod.ts";
import type { CallerHeap } from "../../signature/declaration_types.ts";
import { Errno, errnoMeaning } from "../../signature/declare/errno.ts";
import type { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import type { EpochServer } from "../epochs/kernel.ts";
import { programApi } from "./program_library.ts";

/** What the host offers a program. */
export interface ProgramHost {
  /** The program's environment; empty when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** The files and standard streams it uses; the machine's when absent. */
  readonly files?: FileHost;
  /** Whether `system` runs commands, with all rights of the user; false when absent. */
  readonly commands?: boolean;
  /** Further libraries it may call; none when absent. */
  readonly libraries?: readonly ProgramLibrary[];
}

/** A library for programs, which call it by names such as `fortran_EndIoStatement`. */
export interface ProgramLibrary {
  /** The functions of the API. */
  readonly api: HostApi;
  /** Adds the API to a server; `exit` ends the program with a status. */
  readonly serve: (apis: ApiServer, exit: (status: number) => void) => Disposable;
}

/** The kernel's heap, with its allocator. */
export interface ProgramHeap extends CallerHeap {
  readonly allocator: HeapAllocator;
}

/** The status that shells report for writing to a pipe that nobody reads: 128 + SIGPIPE. */
const CLOSED_PIPE_STATUS = 141;
/** The status that shells report after `abort`: 128 + SIGABRT. */
const ABORT_STATUS = 134;

/** Serves a program until the end of the epoch in which it ends. */
export class ProgramServer extends Server implements EpochServer, Disposable {
  readonly #libraries: readonly Disposable[];
  #exitStatus: number | undefined;
  #hasFailed = false;
  #end: (() => void) | undefined;

  /** @param heap of the kernel */
  constructor(
    channel: Channel,
    heap: ProgramHeap,
    options: ProgramHost,
  ) {
    super(channel, { ...options, onFault: () => this.#fail() });
    const { env = {}, files = denoFiles, commands = false, libraries = [] } = options;
    const [stdin, stdout, stderr] = files.standard;
    const standard = [stdin, this.#endingAtClosedPipe(stdout), stderr] as const;
    const errors = new CFile(stderr);
    serveHost(this, { writeStdout: (bytes) => standard[1].write(bytes) });
    const apis = new ApiServer(this, { heap, timeoutSeconds: Infinity });
    serveFiles(apis, {
      host: {
        standard,
        open: (path, mode) => files.open(path, mode),
        remove: (path) => files.remove(path),
        rename: (from, to) => files.rename(from, to),
      },
    });
    serveSystem(apis, {
      host: { ...webSystem, env: (name) => env[name] },
      env: Object.keys(env),
    });
    serveMemory(apis, heap.allocator);
    serveProcess(apis, {
      host: {
        ...denoProcess,
        exit: (status) => this.#exit(status),
        abort: () => this.#exit(ABORT_STATUS),
      },
      allowCommands: commands,
    });
    apis.serve(programApi, {
      perror_of: (text, errno) => errors.writeAll(lineOf(`${text}: ${errnoMeaning(errno).text}`)),
    });
    this.#libraries = libraries.map(({ serve }) => serve(apis, (status) => this.#exit(status)));
  }

  /** The status of the first call of `exit`; `undefined` before. */
  get exitStatus(): number | undefined {
    return this.#exitStatus;
  }

  /** Whether the program has called `exit`, or one of its calls has failed. */
  get hasEnded(): boolean {
    return this.#exitStatus !== undefined || this.#hasFailed;
  }

  tellEnd(listener?: () => void): void {
    this.#end = listener;
  }

  /** Disposes of what its libraries serve. */
  [Symbol.dispose](): void {
    for (const library of this.#libraries) library[Symbol.dispose]();
  }

  /** Keeps the first status: other calls of the same epoch came later. */
  #exit(status: number): void {
    this.#exitStatus ??= status;
    this.#end?.();
  }

  #fail(): void {
    this.#hasFailed = true;
    this.#end?.();
  }

  /** Ends the program on a closed pipe, as SIGPIPE ends a C program. */
  #endingAtClosedPipe(file: HostFile): HostFile {
    return {
      read: (target) => file.read(target),
      seek: (offsetBytes, whence) => file.seek(offsetBytes, whence),
      close: () => file.close(),
      write: (bytes) => {
        try {
          return file.write(bytes);
        } catch (error) {
          if (!(error instanceof ErrnoError) || error.errno !== Errno.EPIPE) throw error;
          this.#exit(CLOSED_PIPE_STATUS);
          return bytes.length;
        }
      },
    };
  }
}

function lineOf(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\n`);
}
