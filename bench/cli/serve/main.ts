/**
 * Serves a file of shared memory: `deno task serve`.
 *
 * @module
 */
import { resolve } from "@std/path";
import { startServer } from "../../../core/worker/start_server.ts";
import { LlvmFile } from "../../../core/process/llvm/llvm_file.ts";
import { SharedFile } from "../../../core/process/shared/shared_file.ts";
import { write } from "../command_line.ts";
import { runCommand } from "../options/command_options.ts";
import { COMMAND, optionsOf, type ServeOptions } from "./serve_options.ts";

const LLVM_SERVICES = new URL("./llvm_services.ts", import.meta.url);

/** As a shell tells of a program that SIGINT ended. */
const INTERRUPTED_EXIT = 130;

if (import.meta.main) Deno.exit(await runCommand(COMMAND, (read) => serve(optionsOf(read))));

async function serve(options: ServeOptions): Promise<void> {
  const { path, wire, portCount, laneCount } = options;
  const shape = { portCount, laneCount };
  using file = wire === "portlab"
    ? SharedFile.openOrCreate(path, shape)
    : new LlvmFile(path, { ...shape, wire });
  await serveUntilSignal(file, options);
}

async function serveUntilSignal(
  file: LlvmFile | SharedFile,
  { services, wire, path }: ServeOptions,
): Promise<void> {
  const { channel } = file;
  const llvm = new URL(LLVM_SERVICES);
  if (file.isNew) llvm.searchParams.set("made", resolve(path));
  const usual = wire === "portlab" ? [] : [llvm];
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
  let isEnding = false;
  const end = () => {
    // A service may wait, as for a line of its input: who asks again is not held up.
    if (isEnding) {
      file[Symbol.dispose]();
      Deno.exit(INTERRUPTED_EXIT);
    }
    isEnding = true;
    channel.shutDown();
  };
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
