import type { ApiServer } from "../../../signature/mod.ts";
import { checkOptionNames } from "../../../text/nearest.ts";
import { ServedLibrary } from "../../library/serve_library.ts";
import { hdf5Api } from "./hdf5_api.ts";
import { hdf5Functions } from "./hdf5_functions.ts";
import { Hdf5Library } from "./hdf5_library.ts";

/** Where HDF5 is. */
export interface ServeHdf5Options {
  /** Files of HDF5's library, the first that can be opened is taken; usual names when absent. */
  readonly library?: readonly string[];
}

/** What HDF5's library is called on systems that have it. */
const LIBRARY_FILES = [
  "libhdf5_serial.so.103",
  "libhdf5.so.103",
  "libhdf5_serial.so.310",
  "libhdf5.so.310",
  "libhdf5.so",
  "libhdf5.dylib",
];

/**
 * Serves HDF5 by the system's library: needs Deno and `--allow-ffi`.
 *
 * Calls hold up their server until HDF5 is done, so give HDF5 a server, or a channel, of its own. The
 * library opens any file that the process may.
 *
 * An array of one call has as many bytes as the limit of the {@linkcode ApiServer}, 16 MiB when absent.
 * When what this returns is disposed of, everything that is open is closed.
 *
 * @throws {Error} when no library can be opened, with the package that has it
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../../mod.ts";
 * import { ApiServer } from "../../../signature/mod.ts";
 * import { serveHdf5 } from "./serve_hdf5.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * try {
 *   using _hdf5 = serveHdf5(new ApiServer(server));
 * } catch (error) {
 *   if (!`${error}`.includes("libhdf5-103")) throw error; // says what to install
 * }
 * ```
 */
export function serveHdf5(server: ApiServer, options: ServeHdf5Options = {}): ServedLibrary {
  checkOptionNames("serve HDF5", options, ["library"]);
  const library = new Hdf5Library(options.library ?? LIBRARY_FILES);
  const served = server.serve(hdf5Api, hdf5Functions(library, server));
  return new ServedLibrary(served, () => library[Symbol.dispose]());
}
