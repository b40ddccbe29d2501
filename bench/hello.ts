// A WGSL kernel whose lanes print. The machine's adapter is used, or a software one is brought in.
import "./software_gpu.ts";
import { Channel } from "../core/channel.ts";
import { requestGpuDevice } from "../core/gpu/device.ts";
import { Epochs } from "../core/gpu/epoch.ts";
import { Kernel } from "../core/gpu/kernel.ts";
import { Server } from "../core/server.ts";
import { register } from "../core/services/register.ts";
import source from "../scenarios/kernels/hello.wgsl" with { type: "text" };

const channel = Channel.create({ portCount: 4, laneCount: 4 });
const kernel = await Kernel.create(await requestGpuDevice(), { channel, source, waveCount: 2 });
const epochs = await Epochs.create(kernel);
const server = new Server(channel, { portWaiter: epochs.portWaiter });
register(server);
await epochs.run(server);
epochs.destroy();
