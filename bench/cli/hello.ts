// Runs a WGSL kernel whose lanes print, on the machine's GPU adapter or on a software one.
import "../adapters/software_gpu.ts";
import { openGpu } from "../../core/gpu/run/gpu.ts";
import { exitStatusOf, write } from "./command_line.ts";
import { asksForHelp, usageText } from "./options/command_options.ts";
import source from "../../scenarios/gpu/kernels/hello.wgsl" with { type: "text" };

const USAGE = usageText({
  usage: ["deno task hello"],
  does: "Prints a line from each lane of a WGSL kernel.",
  options: {},
  ends:
    `It ends with 0, with 1 where there is no GPU adapter, and with 2 when the command line is wrong.`,
});

if (import.meta.main) Deno.exitCode = await exitStatusOf(() => main(Deno.args));

async function main(args: readonly string[]): Promise<number | void> {
  if (asksForHelp(args)) return write(Deno.stdout, USAGE);
  using gpu = await openGpu();
  await gpu.run(source, { waveCount: 2, laneCount: 4 });
}
