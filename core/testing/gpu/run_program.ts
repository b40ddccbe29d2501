import { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { startServer } from "../../worker/start_server.ts";
import type { ProgramReply, ProgramStart } from "./program_worker.ts";
import type { ProgramName } from "./worker_programs.ts";

/** How many waves of how many lanes, through how many ports. */
export interface ProgramShape extends ChannelShape {
  readonly waveCount: number;
}

/** Runs a program by a client in a Worker, with a server in another; returns the lanes' results. */
export async function runProgram(program: ProgramName, shape: ProgramShape): Promise<Int32Array> {
  const channel = Channel.create(shape);
  const server = await startServer(channel, {
    services: [new URL("./services.ts", import.meta.url)],
  });
  const worker = new Worker(new URL("./program_worker.ts", import.meta.url), { type: "module" });
  try {
    const reply = await new Promise<ProgramReply>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<ProgramReply>) => resolve(data);
      const start: ProgramStart = { handle: channel.handle, program, waveCount: shape.waveCount };
      worker.postMessage(start);
    });
    if (reply.kind === "failed") throw new Error(reply.message);
    return reply.results;
  } finally {
    worker.terminate();
    server.terminate();
  }
}
