import { denoFiles } from "../../services/files/deno_files.ts";
import type { FileHost, HostFile } from "../../services/files/file_host.ts";
import { serveFiles } from "../../services/files/files_api.ts";
import { register } from "../../services/register.ts";
import { serveSystem } from "../../services/system/system_api.ts";
import { webSystem } from "../../services/system/system_host.ts";
import { ApiServer, ErrnoError } from "../../signature/mod.ts";
import type { Server } from "../../toggle/server/server.ts";
import type { EpochServer } from "../epochs/epochs.ts";
import { programApi } from "./program_library.ts";

/** The host's side of a program. */
export interface ProgramHost {
  /** Its environment; empty when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its files and its standard streams are; the machine's when absent. */
  readonly files?: FileHost;
}

/** The status that shells give who wrote to a pipe that nobody reads: 128 and SIGPIPE. */
const CLOSED_PIPE_STATUS = 141;
const EPIPE = 32;

/** Serves a program, until it calls `exit`: what was called in the same epoch is served, and no more. */
export class ProgramServer implements EpochServer {
  readonly #server: Server;
  #exitStatus: number | undefined;

  /** @param server of which nothing else is asked; its services are registered here */
  constructor(server: Server, { env = {}, files = denoFiles }: ProgramHost) {
    this.#server = server;
    const [stdin, stdout, stderr] = files.standard;
    const standard = [stdin, this.#endingAtClosedPipe(stdout), stderr] as const;
    register(server, { writeStdout: (bytes) => standard[1].write(bytes) });
    const apis = new ApiServer(server);
    serveFiles(apis, { host: { ...files, standard } });
    serveSystem(apis, {
      host: { ...webSystem, env: (name) => env[name] },
      env: Object.keys(env),
    });
    apis.serve(programApi, { exit: (status) => this.#exit(status) });
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

  /** Whether it has called `exit`. */
  get hasEnded(): boolean {
    return this.#exitStatus !== undefined;
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
      ...file,
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
