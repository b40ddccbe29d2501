import { Channel, type ChannelHandle } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { type TwinName, TWINS } from "./worker_programs.ts";

/** What the worker is started with. */
export interface TwinBoot {
  readonly handle: ChannelHandle;
  readonly program: TwinName;
  readonly waveCount: number;
}

/** What it answers: the lanes' results, wave by wave. */
export type TwinReply =
  | { readonly kind: "done"; readonly results: Int32Array }
  | { readonly kind: "failed"; readonly message: string };

const scope = self as unknown as {
  postMessage(reply: TwinReply): void;
  onmessage: (event: MessageEvent<TwinBoot>) => void;
};

scope.onmessage = ({ data }) => {
  try {
    scope.postMessage({ kind: "done", results: runTwin(data) });
  } catch (error) {
    scope.postMessage({ kind: "failed", message: (error as Error).stack ?? String(error) });
  }
};

function runTwin({ handle, program, waveCount }: TwinBoot): Int32Array {
  const channel = Channel.attach(handle);
  const { laneCount } = channel.layout;
  const client = new Client(channel);
  const results = new Int32Array(waveCount * laneCount);
  for (let waveIndex = 0; waveIndex < waveCount; waveIndex++) {
    TWINS[program]({ client, waveIndex, laneCount, results });
  }
  return results;
}
