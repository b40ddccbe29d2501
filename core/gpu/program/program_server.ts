import { CFile } from "../../services/files/c_file.ts";
import { denoFiles } from "../../services/files/deno_files.ts";
import type { FileHost, HostFile } from "../../services/files/file_host.ts";
import { serveFiles } from "../../services/files/files_api.ts";
import type { HeapAllocator } from "../../services/memory/heap_allocator.ts";
import { serveMemory } from "../../services/memory/memory_api.ts";
import { denoProcess } from "../../services/process/deno_process.ts";
import { serveProcess } from "../../services/process/process_api.ts";
import { register } from "../../services/register.ts";
import { serveSystem } from "../../services/system/system_api.ts";
import { webSystem } from "../../services/system/system_host.ts";
import { ApiServer, type CallerHeap, ErrnoError, type HostApi } from "../../signature/mod.ts";
import { errnoText } from "../../signature/declare/errno.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import type { Server } from "../../toggle/server/server.ts";
import type { EpochServer } from "../epochs/epoch_server.ts";
import { programApi } from "./program_library.ts";

/** The host's side of a program. */
export interface ProgramHost {
  /** Its environment; empty when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its files and its standard streams are; the machine's when absent. */
  readonly files?: FileHost;
  /** Whether `system` runs commands, with all rights of this program's user; no when absent. */
  readonly commands?: boolean;
  /** What it may call beside; none when absent. */
  readonly libraries?: readonly ProgramLibrary[];
}

/** A library for programs, which call it by names such as `fortran_EndIoStatement`. */
export interface ProgramLibrary {
  /** What it has. */
  readonly api: HostApi;
  /** Serves it to a program that calls it, and has a way to end that, with a status. */
  readonly serve: (apis: ApiServer, exit: (status: number) => void) => Disposable;
}

/** The kernel's heap, and what gives it out. */
export interface ProgramHeap extends CallerHeap {
  readonly allocator: HeapAllocator;
}

/** The status that shells give who wrote to a pipe that nobody reads: 128 and SIGPIPE. */
const CLOSED_PIPE_STATUS = 141;
const EPIPE = 32;
/** The same of who called `abort`: 128 and SIGABRT. */
const ABORT_STATUS = 134;

/** Serves a program until it ends: what was called in the same epoch is served, and no more. */
export class ProgramServer implements EpochServer, Disposable {
  readonly #server: Server;
  readonly #libraries: readonly Disposable[];
  #exitStatus: number | undefined;
  #hasFailed = false;

  /**
   * Registers what programs call.
   *
   * @param server of which nothing else is asked
   * @param heap of the kernel
   */
  constructor(server: Server, heap: ProgramHeap, host: ProgramHost) {
    const { env = {}, files = denoFiles, commands = false, libraries = [] } = host;
    this.#server = server;
    const [stdin, stdout, stderr] = files.standard;
    const standard = [stdin, this.#endingAtClosedPipe(stdout), stderr] as const;
    const errors = new CFile(stderr);
    register(server, { writeStdout: (bytes) => standard[1].write(bytes) });
    const apis = new ApiServer(server, { heap, timeoutSeconds: Infinity });
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
      perror_of: (text, errno) => errors.writeAll(lineOf(`${text}: ${errnoText(errno)}`)),
    });
    this.#libraries = libraries.map(({ serve }) => serve(apis, (status) => this.#exit(status)));
  }

  /** What `exit` was called with first; `undefined` before. */
  get exitStatus(): number | undefined {
    return this.#exitStatus;
  }

  get hasAsync(): boolean {
    return this.#server.hasAsync;
  }

  get isBusy(): boolean {
    return this.#server.isBusy;
  }

  /** Whether it has called `exit`, or a call of it has failed: what it gets back means nothing then. */
  get hasEnded(): boolean {
    return this.#exitStatus !== undefined || this.#hasFailed;
  }

  /** Ends what its libraries serve. */
  [Symbol.dispose](): void {
    for (const library of this.#libraries) library[Symbol.dispose]();
  }

  /** Ends it as a call has failed. */
  fail(): void {
    this.#hasFailed = true;
  }

  tellFaults(listener?: (fault: FaultReport) => void): void {
    this.#server.tellFaults(listener);
  }

  pollPending(): number {
    return this.#server.pollPending();
  }

  serveOnce(): boolean {
    return this.#server.serveOnce();
  }

  serveAll(): number {
    return this.#server.serveAll();
  }

  /** The first call counts: others of the same epoch came later. */
  #exit(status: number): void {
    this.#exitStatus ??= status;
  }

  /** What a program of C does by the signal SIGPIPE. */
  #endingAtClosedPipe(file: HostFile): HostFile {
    return {
      read: (target) => file.read(target),
      seek: (offsetBytes, whence) => file.seek(offsetBytes, whence),
      close: () => file.close(),
      write: (bytes) => {
        try {
          return file.write(bytes);
        } catch (error) {
          if (!(error instanceof ErrnoError) || error.errno !== EPIPE) throw error;
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
