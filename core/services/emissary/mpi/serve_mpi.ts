import type { ApiServer, ServedApi } from "../../../signature/mod.ts";
import { checkOptionNames } from "../../../text/nearest.ts";
import { limitOf } from "../../../call/limit.ts";
import { collectiveFunctions } from "./collectives.ts";
import { communicatorFunctions } from "./communicators.ts";
import { mpiApi } from "./mpi_api.ts";
import { MpiLibrary, type MpiLibraryName } from "./mpi_library.ts";
import { MpiSession } from "./mpi_session.ts";
import { cartFunctions, typeFunctions } from "./topologies.ts";
import { MpiRequests, transferFunctions } from "./transfers.ts";

/** How MPI is served. */
export interface MpiOptions {
  /**
   * Which library; when absent, that of the `mpiexec` that started this program, which needs
   * `--allow-env`, and without one the first that can be opened.
   */
  readonly library?: MpiLibraryName;
  /** Files of the library, the first that can be opened is taken; those of Debian when absent. */
  readonly files?: readonly string[];
  /** The most bytes that receives hold for callers that have not waited for them; a mebibyte when absent. */
  readonly limitBytes?: number;
}

/**
 * Serves MPI to the callers of a server, by MPICH or Open MPI: needs `--allow-ffi`, and Linux. The server's
 * thread is the only one that touches the library; calls that wait (`Recv`, `Wait`, `Barrier`) keep their
 * ports and let the others go on, so that any number of workers and waves of one process may wait.
 *
 * A receive that waits is none of the library's: a caller that leaves it takes no message that comes
 * later. What it sends is delivered, and a collective goes on: others take part in it.
 *
 * @throws {Error} when no library can be opened, with the package that brings it
 *
 * @example
 * ```ts ignore
 * // A module for startServer, in a program that `mpiexec -n 2 deno run -A` starts
 * import type { Server } from "../../../mod.ts";
 * import { ApiServer } from "../../../signature/mod.ts";
 * import { serveMpi } from "./serve_mpi.ts";
 * export function addServices(server: Server): void {
 *   serveMpi(new ApiServer(server, { limitBytes: 1 << 26, timeoutSeconds: Infinity }));
 * }
 * ```
 */
export function serveMpi(server: ApiServer, options: MpiOptions = {}): ServedApi {
  checkOptionNames("serve MPI", options, ["library", "files", "limitBytes"]);
  const { library = launcherName(), files, ...limits } = options;
  const session = new MpiSession(library ? new MpiLibrary(library, files) : anyLibrary());
  return server.serve(mpiApi, {
    ...communicatorFunctions(session, server),
    ...transferFunctions(session),
    ...new MpiRequests(session, server, limitOf(limits)).functions,
    ...collectiveFunctions(session),
    ...typeFunctions(session, server),
    ...cartFunctions(session),
  });
}

/** Whose `mpiexec` has started this process; a process on its own has none. */
function launcherName(): MpiLibraryName | undefined {
  if (hasVariable("OMPI_COMM_WORLD_SIZE")) return "openmpi";
  return hasVariable("PMI_SIZE") ? "mpich" : undefined;
}

function hasVariable(name: string): boolean {
  try {
    return Deno.env.get(name) !== undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}

function anyLibrary(): MpiLibrary {
  try {
    return new MpiLibrary("mpich");
  } catch (first) {
    try {
      return new MpiLibrary("openmpi");
    } catch (second) {
      throw new Error(`${(first as Error).message}; ${(second as Error).message}`);
    }
  }
}
