// Runs a WGSL kernel whose lanes print, on the machine's GPU adapter or on a software one.
import "../adapters/software_gpu.ts";
import { Channel } from "../../core/toggle/channel.ts";
import { requestGpuDevice } from "../../core/gpu/device/device.ts";
import { Epochs } from "../../core/gpu/epochs/epochs.ts";
import { Kernel } from "../../core/gpu/epochs/kernel.ts";
import { Server } from "../../core/toggle/server/server.ts";
import { register } from "../../core/services/register.ts";
import { asksForHelp, exitStatusOf, write } from "./command_line.ts";
import source from "../../scenarios/gpu/kernels/hello.wgsl" with { type: "text" };

const USAGE = `Usage: deno task hello

Prints a line from each lane of a WGSL kernel. It ends with 0, with 1 where there is no GPU adapter, and
with 2 when the command line is wrong.
`;

if (import.meta.main) Deno.exitCode = await exitStatusOf(() => main(Deno.args));

async function main(args: readonly string[]): Promise<number | void> {
  if (asksForHelp(args)) return write(Deno.stdout, USAGE);
  const channel = Channel.create({ portCount: 4, laneCount: 4 });
  const kernel = await Kernel.create(await requestGpuDevice(), { channel, source, waveCount: 2 });
  const epochs = await Epochs.create(kernel);
  const server = new Server(channel, { portWaiter: epochs.portWaiter });
  register(server);
  await epochs.run(server);
  epochs.destroy();
}
