/**
 * Serves a file of shared memory: `deno task serve`.
 *
 * @module
 */
import type { Channel } from "../../../core/toggle/channel.ts";
import { startServer } from "../../../core/worker/start_server.ts";
import { LlvmFile } from "../../../core/process/llvm/llvm_file.ts";
import { SharedFile } from "../../../core/process/shared/shared_file.ts";
import { exitStatusOf, write } from "../command_line.ts";
import { parseServeOptions, SERVE_USAGE, type ServeOptions } from "./serve_options.ts";

const LLVM_SERVICES = new URL("../../../core/process/llvm/serve_llvm.ts", import.meta.url);

if (import.meta.main) Deno.exit(await exitStatusOf(() => main(Deno.args)));

async function main(args: readonly string[]): Promise<void> {
  const options = parseServeOptions(args);
  if (options === undefined) return write(Deno.stdout, SERVE_USAGE);
  const { path, wire, portCount, laneCount } = options;
  const shape = { portCount, laneCount };
  using file = wire === "portlab"
    ? SharedFile.openOrCreate(path, shape)
    : new LlvmFile(path, { ...shape, wire });
  await serveUntilSignal(file.channel, options);
}

async function serveUntilSignal(channel: Channel, { services, wire }: ServeOptions): Promise<void> {
  const usual = wire === "portlab" ? [] : [LLVM_SERVICES];
  const told = new Set<string>();
  const server = await startServer(channel, {
    services: services.length > 0 ? services : usual,
    onFault: ({ status, opcode, portIndex, cause }) => {
      // Once: a pipe that nobody reads would hold up everybody at the second thousand.
      if (told.has(`${opcode} ${status}`)) return;
      told.add(`${opcode} ${status}`);
      const why = cause === undefined ? "" : `: ${cause}`;
      write(Deno.stderr, `Opcode ${opcode} on port ${portIndex}: status ${status}${why}\n`);
    },
  });
  const end = () => channel.shutDown();
  Deno.addSignalListener("SIGINT", end);
  Deno.addSignalListener("SIGTERM", end);
  write(Deno.stdout, "ready\n");
  try {
    await server.done;
  } finally {
    Deno.removeSignalListener("SIGINT", end);
    Deno.removeSignalListener("SIGTERM", end);
  }
}
