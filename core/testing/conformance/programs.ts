import type { Client } from "../../toggle/client/client.ts";
import * as stress from "./stress_programs.ts";
import { type ProgramWave, WAVE_PROGRAMS } from "./wave_programs.ts";

/** Which of how many clients runs a program. */
export interface ClientPlace {
  readonly clientIndex: number;
  readonly clientCount: number;
}

/** On a channel of so many lanes. */
type Program = (client: Client, place: ClientPlace & { readonly laneCount: number }) => number;

/** So many waves, shared out among the clients; returns how many this one ran. */
function ofWaves(waveCount: number, run: (wave: ProgramWave) => void): Program {
  return (client, { clientIndex, clientCount, laneCount }) => {
    const results = new Int32Array(waveCount * laneCount);
    let ran = 0;
    for (let waveIndex = clientIndex; waveIndex < waveCount; waveIndex += clientCount, ran++) {
      run({ client, waveIndex, laneCount, results });
    }
    return ran;
  };
}

/** What a client worker can run. Each throws when it sees anything that it should not. */
export const PROGRAMS = {
  /** LLVM's grid: 2x2x2 blocks of 4x4x4 threads. */
  countUp: ofWaves(16, WAVE_PROGRAMS.countUp),
  laneIds: ofWaves(40, WAVE_PROGRAMS.laneIds),
  walkInterface: ofWaves(6, WAVE_PROGRAMS.walkInterface),
  echoStreams: ofWaves(32, WAVE_PROGRAMS.echoStreams),
  callAtRandom: ofWaves(4, WAVE_PROGRAMS.callAtRandom),
  ...stress,
} satisfies Record<string, Program>;
export type ProgramName = keyof typeof PROGRAMS;
