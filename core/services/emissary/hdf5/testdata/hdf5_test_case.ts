/** Tests that run against each host. */
import { assertThrows } from "@std/assert";
import { bytesOf, hasLibrary, type Hdf5, hosts, NEEDS_LIBRARY, TestFolder } from "./hdf5_hosts.ts";

/** Each function that was called, by host. */
export const called: ReadonlyMap<string, Set<string>> = new Map(
  hosts.map(({ name }) => [name, new Set<string>()]),
);

/** A test of each host; `isWhole` for one that has all functions. */
export function hdf5Test(
  name: string,
  run: (h5: Hdf5, folder: TestFolder, isWhole: boolean) => void,
): void {
  for (const host of hosts) {
    Deno.test(`${host.name}: ${name}`, async () => {
      using folder = new TestFolder();
      using served = await host.open();
      const watched = new Proxy(served.h5, {
        get(target, key: keyof Hdf5) {
          called.get(host.name)!.add(key);
          return target[key];
        },
      });
      run(watched, folder, host.name !== "h5wasm");
    });
  }
  if (!hasLibrary) Deno.test({ name: name + NEEDS_LIBRARY, ignore: true, fn() {} });
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
