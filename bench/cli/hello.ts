// Runs a WGSL kernel whose lanes print, on the machine's GPU adapter or on a software one.
import "../adapters/software_gpu.ts";
import { Channel } from "../../core/toggle/channel.ts";
import { requestGpuDevice } from "../../core/gpu/device/device.ts";
import { Epochs } from "../../core/gpu/epochs/epochs.ts";
import { Kernel } from "../../core/gpu/epochs/kernel.ts";
import { Server } from "../../core/toggle/server/server.ts";
import { register } from "../../core/services/register.ts";
import source from "../../scenarios/gpu/kernels/hello.wgsl" with { type: "text" };

const channel = Channel.create({ portCount: 4, laneCount: 4 });
const kernel = await Kernel.create(await requestGpuDevice(), { channel, source, waveCount: 2 });
const epochs = await Epochs.create(kernel);
const server = new Server(channel, { portWaiter: epochs.portWaiter });
register(server);
await epochs.run(server);
epochs.destroy();
