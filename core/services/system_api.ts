import type { ApiServer, HostApi, ServedApi } from "../signature/mod.ts";
import type {
  Bytes,
  FunctionSignature,
  Nullable,
  Scalar,
  Text,
  Void,
} from "../signature/declaration_types.ts";
import * as s from "../signature/mod.ts";
import { errnoMeaning } from "../signature/declare/errno.ts";
import { checkOptionNames } from "../text/nearest.ts";
import { mayBlock, SharedWords } from "../memory/words.ts";

/** The longest sleep that a caller may ask for, in seconds: it holds up the server. */
const SLEEP_SECONDS_MAX = 60;

/** The functions of {@linkcode systemApi}. */
export type SystemFunctions = {
  readonly time: FunctionSignature<readonly [], Scalar<"f64">>;
  readonly clock: FunctionSignature<readonly [], Scalar<"f64">>;
  readonly sleep: FunctionSignature<readonly [Scalar<"f64">], Void>;
  readonly getenv: FunctionSignature<readonly [Text], Nullable<Text>>;
  readonly random: FunctionSignature<readonly [Bytes<"out">], Void>;
  readonly strerror: FunctionSignature<readonly [Scalar<"i32">], Text>;
};

/**
 * Clock, environment and random numbers: what LLVM libc's services lack.
 *
 * `time`: seconds since 1970. `clock`: seconds of a clock that never goes back. `sleep` holds up the
 * server, 60 seconds at most. `random` fills an array. `strerror` has the text of an error number of
 * Linux.
 */
export const systemApi: HostApi<SystemFunctions> = s.hostApi("system", {
  time: s.fn([], s.f64),
  clock: s.fn([], s.f64),
  sleep: s.fn([s.f64], s.nothing),
  getenv: s.fn([s.string], s.nullable(s.string)),
  random: s.fn([s.bytes("out")], s.nothing),
  strerror: s.fn([s.i32], s.string),
});

/**
 * Serves them.
 *
 * @param options `host`: the machine that this program runs on when absent; `env`: the variables that
 * callers may see, none when absent
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../mod.ts";
 * import { ApiServer } from "../signature/mod.ts";
 * import { serveSystem } from "./system_api.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * serveSystem(new ApiServer(server), { env: ["LANG"] });
 * ```
 */
export function serveSystem(
  server: ApiServer,
  options: { readonly host?: SystemHost; readonly env?: readonly string[] } = {},
): ServedApi {
  checkOptionNames("serve the system", options, ["host", "env"]);
  const { host = webSystem, env = [] } = options;
  const visible = new Set(env);
  return server.serve(systemApi, {
    time: () => host.timeSeconds(),
    clock: () => host.clockSeconds(),
    sleep(seconds) {
      if (seconds >= 0 && seconds <= SLEEP_SECONDS_MAX) return host.sleep(seconds);
      throw new RangeError(
        `Cannot sleep as the time must be 0 to ${SLEEP_SECONDS_MAX} seconds: current value is ${seconds}`,
      );
    },
    getenv: (name) => visible.has(name) ? host.env(name) ?? null : null,
    random: (target) => host.random(target),
    strerror: (errno) => errnoMeaning(errno).text,
  });
}

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
    // Node's, which Deno has too.
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
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
