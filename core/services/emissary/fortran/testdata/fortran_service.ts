/** Fortran's statements in a server worker, for tests: a module for `startServer`, with `--allow-ffi`. */
import { ApiServer } from "../../../../signature/mod.ts";
import type { Server } from "../../../../toggle/server/server.ts";
import { serveFortran } from "../serve_fortran.ts";

/** What `startServer` calls. */
export function addServices(server: Server): void {
  serveFortran(new ApiServer(server), { mapFile: (name) => name });
}
