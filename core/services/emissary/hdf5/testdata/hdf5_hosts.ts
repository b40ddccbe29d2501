/** HDF5 for tests: a client and a server of one thread. */
import { oneThread } from "../../../../testing/fixtures/one_thread.ts";
import { ApiServer, connectApi, type HostStubs } from "../../../../signature/mod.ts";
import { hdf5Api, type Hdf5Functions } from "../hdf5_api.ts";
import { serveHdf5, type ServeHdf5Options } from "../serve_hdf5.ts";

/** One packet holds an array of 4 KB there and back. */
const SHAPE = { portCount: 2, laneCount: 64 };

/** The functions of HDF5, with what a caller sees of them. */
export type Hdf5 = HostStubs<Hdf5Functions>;

/** Whether the system has the library. */
export const hasLibrary: boolean = (() => {
  try {
    Deno.dlopen("libhdf5_serial.so.103", {}).close();
    return true;
  } catch {
    return false;
  }
})();

/** What a test's name says where it cannot run. */
export const NEEDS_LIBRARY: string = hasLibrary
  ? ""
  : " (skipped: install the Debian package libhdf5-103)";

/** A host that is served. */
export interface Hdf5Session extends Disposable {
  readonly h5: Hdf5;
  readonly api: ApiServer;
}

/** Serves HDF5 in this thread. */
export function session(options: ServeHdf5Options = {}): Hdf5Session {
  const { client, server } = oneThread(SHAPE);
  const api = new ApiServer(server);
  const served = serveHdf5(api, options);
  return {
    h5: connectApi(client, hdf5Api),
    api,
    [Symbol.dispose]: () => served[Symbol.dispose](),
  };
}

/** A folder that is gone after the test. */
export class TestFolder implements Disposable {
  readonly path: string = Deno.makeTempDirSync();

  /** A file in it. */
  file(name: string): string {
    return `${this.path}/${name}`;
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** The bytes of an array. */
export function bytesOf(array: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
