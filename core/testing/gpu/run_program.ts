import { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { startServer } from "../../worker/start_server.ts";
import type { TwinBoot, TwinReply } from "./program_worker.ts";
import type { TwinName } from "./worker_programs.ts";

/** How many waves of how many lanes, through how many ports. */
export interface TwinShape extends ChannelShape {
  readonly waveCount: number;
}

/** A program by a client in a Worker, with a server in another. */
export async function runTwin(program: TwinName, shape: TwinShape): Promise<Int32Array> {
  const channel = Channel.create(shape);
  const server = await startServer(channel, {
    services: [new URL("./services.ts", import.meta.url)],
  });
  const worker = new Worker(new URL("./program_worker.ts", import.meta.url), { type: "module" });
  try {
    const reply = await new Promise<TwinReply>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<TwinReply>) => resolve(data);
      const boot: TwinBoot = { handle: channel.handle, program, waveCount: shape.waveCount };
      worker.postMessage(boot);
    });
    if (reply.kind === "failed") throw new Error(reply.message);
    return reply.results;
  } finally {
    worker.terminate();
    server.terminate();
  }
}
