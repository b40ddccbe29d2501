// Runs a WGSL kernel whose lanes print, on the machine's GPU adapter or on a software one.
import "../adapters/software_gpu.ts";
import { openGpu } from "../../core/gpu/run/gpu.ts";
import { write } from "./command_line.ts";
import { type Command, runCommand } from "./options/command_options.ts";
import source from "../../scenarios/gpu/kernels/hello.wgsl" with { type: "text" };

const COMMAND: Command = {
  usage: ["deno task hello"],
  does: "Prints a line from each lane of a WGSL kernel.",
  options: {},
  ends:
    `It ends with 0, with 1 where there is no GPU adapter, and with 2 when the command line is wrong.`,
};

if (import.meta.main) Deno.exitCode = await runCommand(COMMAND, main);

async function main(): Promise<void> {
  using gpu = await openGpu();
  await gpu.run(source, { waveCount: 2, laneCount: 4 });
  write(Deno.stderr, "Next: deno task run scenarios/kernels/hello.wgsl, a program with main\n");
}
