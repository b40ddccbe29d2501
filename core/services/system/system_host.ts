import { mayBlock, SharedWords } from "../../memory/words.ts";

/** What services of the system need of the machine; tests inject another. */
export interface SystemHost {
  /** Seconds since 1970, UTC. */
  timeSeconds(): number;
  /** Seconds of a clock that never goes back, from any start. */
  clockSeconds(): number;
  /** Sleeps. Blocks. */
  sleep(seconds: number): void;
  /** A variable of the environment, `undefined` where there is none or it may not be seen. */
  env(name: string): string | undefined;
  /** Fills an array with random bytes, good enough for keys. */
  random(target: Uint8Array): void;
}

/** `crypto.getRandomValues` takes no more at once. */
const RANDOM_BYTES_MAX = 65_536;

/** The part of Node's `process`, which Deno has too, that is needed here. */
interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The machine that this program runs on, by what every runtime has. */
export const webSystem: SystemHost = {
  timeSeconds: () => Date.now() / 1000,
  clockSeconds: () => performance.now() / 1000,
  sleep(seconds) {
    if (!mayBlock()) throw new TypeError("Cannot sleep as this thread may not block");
    // A word that nobody changes; made here, as pages that are not isolated have no such memory.
    new SharedWords(new SharedArrayBuffer(4)).wait(0, 0, seconds * 1000);
  },
  env(name) {
    const { process } = globalThis as { readonly process?: Process };
    try {
      return process?.env?.[name];
    } catch {
      return undefined; // without the permission to see it
    }
  },
  random(target) {
    for (let byte = 0; byte < target.length; byte += RANDOM_BYTES_MAX) {
      // A copy: memory that is shared is refused.
      const some = new Uint8Array(Math.min(RANDOM_BYTES_MAX, target.length - byte));
      target.set(crypto.getRandomValues(some), byte);
    }
  },
};
