/** HDF5 in a server worker, for tests. */
import type { Server } from "../../../../toggle/server/server.ts";
import { ApiServer } from "../../../../signature/mod.ts";
import { serveHdf5 } from "../serve_hdf5.ts";

/** What `startServer` calls. */
export function addServices(server: Server): void {
  serveHdf5(new ApiServer(server));
}
