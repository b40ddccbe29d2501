/** HDF5 in a server worker, for tests: by the library, or by h5wasm where the URL ends in `?wasm`. */
import type { Server } from "../../../../toggle/server/server.ts";
import { ApiServer } from "../../../../signature/mod.ts";
import { serveHdf5 } from "../serve_hdf5.ts";

const isWasm = import.meta.url.endsWith("?wasm");
const wasm = isWasm ? await (await import("h5wasm")).ready : undefined;

/** What `startServer` calls. */
export function addServices(server: Server): void {
  serveHdf5(new ApiServer(server), wasm ? { wasm } : {});
}
