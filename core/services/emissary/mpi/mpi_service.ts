/**
 * MPI as a module for `startServer`: give it the URL of this file.
 *
 * @module
 */
import type { Server } from "../../../toggle/server/server.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { serveMpi } from "./serve_mpi.ts";

/** Messages of this length can be sent. */
const LIMIT_BYTES = 1 << 26;

/** What `startServer` calls: serves MPI, by the library of the `mpiexec` that started the program. */
export function addServices(server: Server): void {
  const limits = { limitBytes: LIMIT_BYTES, timeoutSeconds: Infinity };
  serveMpi(new ApiServer(server, limits), { limitBytes: LIMIT_BYTES });
}
