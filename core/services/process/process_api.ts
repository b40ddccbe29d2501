import { Errno } from "../../signature/declare/errno.ts";
import { type ApiServer, ErrnoError, type HostApi, type ServedApi } from "../../signature/mod.ts";
import type {
  FunctionSignature,
  Nullable,
  Scalar,
  Text,
  Void,
} from "../../signature/declaration_types.ts";
import * as s from "../../signature/mod.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import { denoProcess } from "./deno_process.ts";

/** The functions of {@linkcode processApi}. */
export type ProcessFunctions = {
  readonly exit: FunctionSignature<readonly [Scalar<"i32">], Void>;
  readonly abort: FunctionSignature<readonly [], Void>;
  readonly system: FunctionSignature<readonly [Nullable<Text>], Scalar<"i32">>;
};

/**
 * The end of the program, and commands of its shell.
 *
 * `exit` and `abort` of several lanes: the host is told of each, in ascending order. The lowest one
 * decides where the host ends the program, as in LLVM libc; a host that returns may combine the codes.
 *
 * `system` returns C's wait status: the exit code times 256, or the number of the signal that ended the
 * command. Without a command, 1 where commands are allowed and 0 where not. What is not allowed fails
 * with `EPERM`. A command holds up the server until it ends.
 *
 * Source: llvm-project, `libc/shared/rpc_opcodes.h`.
 */
export const processApi: HostApi<ProcessFunctions> = s.hostApi("process", {
  exit: s.fn([s.i32], s.nothing),
  abort: s.fn([], s.nothing),
  system: s.fn([s.nullable(s.string)], s.i32, { failsWith: -1 }),
});

/** What services of the process need of the machine; tests inject another. */
export interface ProcessHost {
  /** Ends the program with a code, of which systems keep the low 8 bits. May return: then callers go on. */
  exit(code: number): void;
  /** Ends the program as one that found itself broken. May return, too. */
  abort(): void;
  /** Has the shell run a command, and waits for its end; returns C's wait status. Blocks. */
  run(command: string): number;
}

/** How the process is served. */
export interface ServeProcessOptions {
  /** What ends the program and runs commands; the process of this program when absent. */
  readonly host?: ProcessHost;
  /**
   * Which commands the shell may run: all, or those for which it returns true; none when absent. A
   * shell has all rights of this program's user, whatever Deno allows: compare whole commands, as
   * `;` and `$()` make several of one.
   */
  readonly allowCommands?: boolean | ((command: string) => boolean);
}

/**
 * Serves the end of the program and, as far as it is allowed, commands.
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../mod.ts";
 * import { ApiServer } from "../../signature/mod.ts";
 * import { serveProcess } from "./process_api.ts";
 * const codes: number[] = [];
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * serveProcess(new ApiServer(server), {
 *   host: { exit: (code) => codes.push(code), abort: () => {}, run: () => 0 },
 *   allowCommands: (command) => command === "date",
 * });
 * ```
 */
export function serveProcess(
  server: ApiServer,
  options: ServeProcessOptions = {},
): ServedApi {
  checkOptionNames("serve the process", options, ["host", "allowCommands"]);
  const { host = denoProcess, allowCommands = false } = options;
  const isAllowed = typeof allowCommands === "function" ? allowCommands : () => allowCommands;
  return server.serve(processApi, {
    exit: (code) => void host.exit(code),
    abort: () => void host.abort(),
    system(command) {
      if (command === null) return allowCommands === false ? 0 : 1;
      // Nothing else than true: a promise, for example, allows nothing.
      if (isAllowed(command) === true) return host.run(command);
      throw new ErrnoError(Errno.EPERM, `run ${JSON.stringify(command)}`);
    },
  });
}
