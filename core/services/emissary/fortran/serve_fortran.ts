import type { ApiServer, ServedApi } from "../../../signature/mod.ts";
import type { LibrarySource } from "../../library/serve_library.ts";
import { fortranApi } from "./fortran_api.ts";
import { fortranFunctions } from "./fortran_functions.ts";
import { type FortranAfterStop, FortranHost, type FortranStopReport } from "./fortran_host.ts";
import { GfortranLibrary } from "./gfortran/gfortran_library.ts";

/** How Fortran's statements are served. */
export interface FortranOptions {
  /** Where libgfortran is; the names of version 5 when absent. */
  readonly library?: LibrarySource;
  /**
   * The path of a file by the name that an OPEN has; throws for one that may not be opened. Absent: no
   * file is opened but scratch ones.
   */
  readonly mapFile?: (name: string) => string;
  /**
   * Told of a STOP; what it throws fails the call. Nothing ends the server.
   */
  readonly onStop?: (report: FortranStopReport) => void;
  /**
   * What becomes of calls that the client makes later: `"refuse"` when absent, which drops what it has
   * under way; `"ignore"` answers them without doing anything, for a host that ends the client anyway.
   */
  readonly afterStop?: FortranAfterStop;
  /** Statements of one client that may be under way; 32 768 when absent. The oldest is dropped. */
  readonly statementsMax?: number;
  /** Values of one statement; 65 536 when absent. */
  readonly itemsMax?: number;
  /**
   * Bytes of the values, the format and the options of one statement; 1 MiB when absent. A format may
   * fill or pass over 64 times as many characters.
   */
  readonly bytesMax?: number;
}

/** Fortran's statements as a server has them. */
export class ServedFortran {
  readonly #served: ServedApi;
  readonly #host: FortranHost;
  readonly #library: GfortranLibrary;
  #isServed = true;

  /** @internal For {@linkcode serveFortran}. */
  constructor(served: ServedApi, host: FortranHost, library: GfortranLibrary) {
    this.#served = served;
    this.#host = host;
    this.#library = library;
  }

  /** How many statements have begun and not ended, of all clients. */
  get statementCount(): number {
    return this.#host.statementCount;
  }

  /**
   * Drops what a client that has gone left behind: statements, which are not performed, and that it
   * stopped.
   *
   * @param clientId the client's `id`
   * @returns how many statements that were
   */
  drop(clientId: number): number {
    return this.#host.drop(clientId);
  }

  /** Serves no longer, and closes what was opened, the library too. Once. */
  [Symbol.dispose](): void {
    if (!this.#isServed) return;
    this.#isServed = false;
    this.#served[Symbol.dispose]();
    this.#host[Symbol.dispose]();
    this.#library[Symbol.dispose]();
  }
}

/**
 * Serves Fortran's input and output by GCC's runtime library, libgfortran 5: what is written is byte for
 * byte what a program compiled by gfortran writes. Needs Deno, `--allow-ffi`, and a machine of 64 bits.
 *
 * Units are those of the process: 0, 5 and 6 for standard error, input and output, scratch files, and
 * what {@linkcode FortranOptions.mapFile} lets be opened. A READ of standard input holds up its server.
 *
 * @throws {Error} when the library is absent, or is laid out in another way than is known here
 * @throws {RangeError} when a limit is no positive integer, or the server has functions of these names
 *
 * @example
 * ```ts
 * import { Channel, Client, Server } from "../../../mod.ts";
 * import { ApiServer, connectApi } from "../../../signature/mod.ts";
 * import { fortranApi } from "./fortran_api.ts";
 * import { serveFortran } from "./serve_fortran.ts";
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const server = new Server(channel);
 * try {
 *   using _fortran = serveFortran(new ApiServer(server));
 *   const served = server.serveAsync();
 *   const f = connectApi(new Client(channel), fortranApi);
 *   const write = await f.BeginInternalFormattedOutput.async(12, "(I4,F8.3)", 1);
 *   await f.OutputInteger32.async(write, 42);
 *   await f.OutputReal64.async(write, 2.5);
 *   const text = new Uint8Array(12);
 *   await f.GetInternal.async(write, text);
 *   await f.EndIoStatement.async(write);
 *   if (new TextDecoder().decode(text) !== "  42   2.500") throw new Error("twelve characters");
 *   channel.shutDown();
 *   await served;
 * } catch (error) {
 *   if (!`${error}`.includes("libgfortran5")) throw error; // not installed
 * }
 * ```
 */
export function serveFortran(server: ApiServer, options: FortranOptions = {}): ServedFortran {
  const { mapFile, onStop = () => {}, afterStop = "refuse" } = options;
  const { statementsMax = 1 << 15, itemsMax = 1 << 16, bytesMax = 1 << 20 } = options;
  for (const [name, value] of Object.entries({ statementsMax, itemsMax, bytesMax })) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new RangeError(
      `Cannot serve Fortran as ${name} must be a positive integer: current value is ${value}`,
    );
  }
  const library = new GfortranLibrary(options.library);
  try {
    const limits = { statementsMax, itemsMax, bytesMax };
    const host = new FortranHost(server, library.symbols, {
      ...limits,
      mapFile,
      onStop,
      afterStop,
    });
    return new ServedFortran(server.serve(fortranApi, fortranFunctions(host)), host, library);
  } catch (error) {
    library[Symbol.dispose]();
    throw error;
  }
}
