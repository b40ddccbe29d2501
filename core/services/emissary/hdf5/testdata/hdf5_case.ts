/** Tests of HDF5, skipped where there is none: a client and a server of one thread, and what h5dump reads. */
import { assertStringIncludes, assertThrows } from "@std/assert";
import { ApiServer, connectApi, type HostStubs } from "../../../../signature/mod.ts";
import { oneThread } from "../../../../testing/fixtures/one_thread.ts";
import { hdf5Api, type Hdf5Functions } from "../hdf5_api.ts";
import { serveHdf5, type ServeHdf5Options } from "../serve_hdf5.ts";

/** One packet holds an array of 4 KB there and back. */
const SHAPE = { portCount: 2, laneCount: 64 };

/** The functions of HDF5, with what a caller sees of them. */
export type Hdf5 = HostStubs<Hdf5Functions>;

/** Serves HDF5 in this thread. */
export function session(options: ServeHdf5Options = {}): Disposable & { readonly h5: Hdf5 } {
  const { client, server } = oneThread(SHAPE);
  const served = serveHdf5(new ApiServer(server), options);
  const h5 = connectApi(client, hdf5Api);
  return { h5, [Symbol.dispose]: () => served[Symbol.dispose]() };
}

/** Whether the system has the library. */
export const hasLibrary: boolean = (() => {
  try {
    session()[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
})();

/** What a test's name says where it cannot run. */
export const NEEDS_LIBRARY: string = hasLibrary
  ? ""
  : " (skipped: install the Debian package libhdf5-103)";

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

/** Each function that was called. */
export const called = new Set<string>();

/** A test with HDF5 and a folder. */
export function hdf5Test(name: string, run: (h5: Hdf5, folder: TestFolder) => void): void {
  Deno.test({
    name: `HDF5: ${name}${NEEDS_LIBRARY}`,
    ignore: !hasLibrary,
    fn() {
      using folder = new TestFolder();
      using served = session();
      const watched = new Proxy(served.h5, {
        get: (target, key: keyof Hdf5) => (called.add(key), target[key]),
      });
      run(watched, folder);
    },
  });
}

/** The text of the error behind a call. */
export function refusal(call: () => unknown): string {
  const error = assertThrows(call, Error);
  return ((error.cause ?? error) as Error).message;
}

/** That a call fails, and its error says this. */
export function refused(call: () => unknown, text: string): void {
  assertStringIncludes(refusal(call), text);
}

/** The bytes of an array. */
export function bytesOf(array: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The numbers of `hsize_t` that a function writes. */
export function numbersOf(rank: number, write: (target: Uint8Array) => unknown): bigint[] {
  const target = new BigUint64Array(rank);
  write(bytesOf(target));
  return [...target];
}

/** What h5dump writes of a file; `undefined` where it is not installed. */
export async function dumped(path: string, ...options: string[]): Promise<string | undefined> {
  try {
    const args = ["-m", "%.17g", ...options, path];
    const { stdout } = await new Deno.Command("h5dump", { args, stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The numbers between the braces of `DATA`, without their places. */
export function valuesIn(dump: string): number[] {
  const [, data = ""] = /DATA \{([^}]*)\}/.exec(dump) ?? [];
  return data.replace(/\([\d,]+\):/g, "").split(",").map(Number);
}
