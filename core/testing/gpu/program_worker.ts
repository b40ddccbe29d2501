import { Channel } from "../../toggle/channel.ts";
import { type ChannelHandle } from "../../toggle/channel_handle.ts";
import { Client } from "../../toggle/client/client.ts";
import { type ProgramName, PROGRAMS } from "./worker_programs.ts";

/** What the worker is started with. */
export interface ProgramStart {
  readonly handle: ChannelHandle;
  readonly program: ProgramName;
  readonly waveCount: number;
}

/** What it answers: the results of all lanes, wave by wave. */
export type ProgramReply =
  | { readonly kind: "done"; readonly results: Int32Array }
  | { readonly kind: "failed"; readonly message: string };

const scope = self as unknown as {
  postMessage(reply: ProgramReply): void;
  onmessage: (event: MessageEvent<ProgramStart>) => void;
};

scope.onmessage = ({ data }) => {
  try {
    scope.postMessage({ kind: "done", results: runProgram(data) });
  } catch (error) {
    scope.postMessage({ kind: "failed", message: (error as Error).stack ?? String(error) });
  }
};

function runProgram({ handle, program, waveCount }: ProgramStart): Int32Array {
  const channel = Channel.attach(handle);
  const { laneCount } = channel.layout;
  const client = new Client(channel);
  const results = new Int32Array(waveCount * laneCount);
  for (let waveIndex = 0; waveIndex < waveCount; waveIndex++) {
    PROGRAMS[program]({ client, waveIndex, laneCount, results });
  }
  return results;
}
