import {
  type ApiServer,
  type Bytes,
  bytes,
  f64,
  fn,
  type FunctionSignature,
  type HostApi,
  hostApi,
  i32,
  nothing,
  type Nullable,
  nullable,
  type Scalar,
  type ServedApi,
  string,
  type Text,
  type Void,
} from "../../signature/mod.ts";
import { errnoText } from "../../signature/declare/errno.ts";
import { type SystemHost, webSystem } from "./system_host.ts";

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
export const systemApi: HostApi<SystemFunctions> = hostApi("system", {
  time: fn([], f64),
  clock: fn([], f64),
  sleep: fn([f64], nothing),
  getenv: fn([string], nullable(string)),
  random: fn([bytes("out")], nothing),
  strerror: fn([i32], string),
});

/**
 * Serves them.
 *
 * @param options `host`: the machine that this program runs on when absent; `env`: the variables that
 * callers may see, none when absent
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../mod.ts";
 * import { ApiServer } from "../../signature/mod.ts";
 * import { serveSystem } from "./system_api.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * serveSystem(new ApiServer(server), { env: ["LANG"] });
 * ```
 */
export function serveSystem(
  server: ApiServer,
  options: { readonly host?: SystemHost; readonly env?: readonly string[] } = {},
): ServedApi {
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
    strerror: errnoText,
  });
}
