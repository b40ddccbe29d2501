import { Channel } from "../../toggle/channel.ts";
import { type ChannelHandle } from "../../toggle/channel_handle.ts";
import { Client } from "../../toggle/client/client.ts";
import { answerParent } from "../../worker/worker_scope.ts";
import { WAVE_PROGRAMS, type WaveProgramName } from "../conformance/wave_programs.ts";

/** What the worker is asked to run; it answers the results of all lanes, wave by wave. */
export interface ProgramStart {
  readonly handle: ChannelHandle;
  readonly program: WaveProgramName;
  readonly waveCount: number;
}

answerParent(runProgram);

function runProgram({ handle, program, waveCount }: ProgramStart): Int32Array {
  const channel = Channel.attach(handle);
  const { laneCount } = channel.layout;
  const client = new Client(channel);
  const results = new Int32Array(waveCount * laneCount);
  for (let waveIndex = 0; waveIndex < waveCount; waveIndex++) {
    WAVE_PROGRAMS[program]({ client, waveIndex, laneCount, results });
  }
  return results;
}
