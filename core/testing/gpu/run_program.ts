import { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { startServer } from "../../worker/start_server.ts";
import { WorkerLink } from "../../worker/worker_link.ts";
import type { ProgramStart } from "./program_worker.ts";
import type { WaveProgramName } from "../conformance/wave_programs.ts";

/** How many waves of how many lanes, through how many ports. */
export interface ProgramShape extends ChannelShape {
  readonly waveCount: number;
}

/** Runs a program by a client in a Worker, with a server in another; returns the lanes' results. */
export async function runProgram(
  program: WaveProgramName,
  shape: ProgramShape,
): Promise<Int32Array> {
  const channel = Channel.create(shape);
  await using _server = await startServer(channel, {
    services: [new URL("./services.ts", import.meta.url)],
  });
  const link = new WorkerLink<ProgramStart>(new URL("./program_worker.ts", import.meta.url));
  try {
    const { waveCount } = shape;
    return await link.ask<Int32Array>({ handle: channel.handle, program, waveCount });
  } finally {
    await link.terminate();
  }
}
