/** Tests of HDF5, skipped where there is none. */
import { assertThrows } from "@std/assert";
import {
  bytesOf,
  hasLibrary,
  type Hdf5,
  NEEDS_LIBRARY,
  session,
  TestFolder,
} from "./hdf5_hosts.ts";

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
        get(target, key: keyof Hdf5) {
          called.add(key);
          return target[key];
        },
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

/** The numbers of `hsize_t` that a function writes. */
export function numbersOf(rank: number, write: (target: Uint8Array) => unknown): bigint[] {
  const target = new BigUint64Array(rank);
  write(bytesOf(target));
  return [...target];
}
