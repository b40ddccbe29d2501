// A program whose worker runs a kernel that never ends, and which notices it. Its argument is the way
// of reading back. It ends with status 0 when the guard has rejected.
import { Channel } from "../../../toggle/channel.ts";
import { Server } from "../../../toggle/server/server.ts";
import { WorkerLink } from "../../../worker/worker_link.ts";
import { answerParent } from "../../../worker/worker_scope.ts";
import { Kernel } from "../../epochs/kernel.ts";
import { requestGpuDevice } from "../device.ts";
import { DeviceWatch } from "../device_watch.ts";
import type { ReadbackName } from "../readback.ts";

interface Request {
  readonly memory: SharedArrayBuffer;
  readonly readback: ReadbackName;
}

/** The side effect keeps compilers from leaving the loop out. */
const ENDLESS = /* wgsl */ `
@group(1) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;
fn step_0() { loop { if atomicAdd(&counts[0], 1u) > 5u && atomicLoad(&counts[1]) == 7u { break; } } }`;

async function runEndless({ memory, readback }: Request): Promise<void> {
  const gpu = await requestGpuDevice({ watch: new DeviceWatch(memory) });
  const buffer = gpu.device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE });
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const shape = { channel, waveCount: 1, source: ENDLESS, buffers: [{ buffer }] };
  const kernel = await Kernel.create(gpu, { ...shape, readback });
  const limits = { epochsMax: 1, signal: AbortSignal.timeout(100) };
  await kernel.runAsync(new Server(channel), limits);
}

async function notice(readback: ReadbackName): Promise<void> {
  const watch = new DeviceWatch();
  // Its thread never ends, so the program must not wait for that.
  const link = new WorkerLink<Request>(import.meta.url, { keepsAlive: false });
  const running = link.ask({ memory: watch.memory, readback });
  try {
    await watch.guard(running, { secondsMax: 0.5 });
    throw new Error("The kernel has ended");
  } catch (error) {
    if ((error as Error).name !== "TimeoutError") throw error;
  } finally {
    link.terminate();
  }
}

const isWorker = "postMessage" in globalThis;
if (!isWorker) await notice(Deno.args[0] as ReadbackName);
else answerParent<Request>(runEndless);
