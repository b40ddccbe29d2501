import type { ApiServer } from "../../../signature/mod.ts";
import { denoFiles, type FileHost } from "../../files/deno_files.ts";
import { ServedLibrary } from "../../library/serve_library.ts";
import { hdf5Api } from "./hdf5_api.ts";
import { nativeHdf5 } from "./native/native_hdf5.ts";
import { NativeLibrary } from "./native/native_library.ts";
import { WasmFiles } from "./wasm/wasm_file.ts";
import { wasmHdf5 } from "./wasm/wasm_hdf5.ts";
import { type H5Wasm, WasmLibrary } from "./wasm/wasm_library.ts";

/** Where HDF5 is. */
export interface ServeHdf5Options {
  /** Files of HDF5's library, the first that can be opened is taken; usual names when absent. */
  readonly library?: readonly string[];
  /** h5wasm instead of a library: `await (await import("h5wasm")).ready`. */
  readonly wasm?: H5Wasm;
  /** Where h5wasm's files come from and go to; the machine's when absent. */
  readonly host?: FileHost;
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
 * Serves HDF5: by the system's library, which needs Deno and `--allow-ffi`, or by h5wasm, which needs
 * nothing but the package. Both have the same functions; what h5wasm lacks it refuses by name.
 *
 * Calls hold up their server until HDF5 is done, so give HDF5 a server, or a channel, of its own. The
 * library opens any file that the process may; h5wasm only those of `host`, whole, in memory.
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
  const { library = LIBRARY_FILES, wasm, host = denoFiles } = options;
  if (wasm) {
    const h5 = WasmLibrary.of(wasm);
    const files = new WasmFiles(h5, host);
    const served = server.serve(hdf5Api, wasmHdf5(h5, files));
    return new ServedLibrary(served, () => files[Symbol.dispose]());
  }
  const native = new NativeLibrary(library);
  const served = server.serve(hdf5Api, nativeHdf5(native));
  return new ServedLibrary(served, () => native[Symbol.dispose]());
}
