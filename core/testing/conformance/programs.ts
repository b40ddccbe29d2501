import type { Client } from "../../toggle/client/client.ts";
import * as grid from "./grid_programs.ts";
import * as stress from "./stress_programs.ts";

/** What a client worker can run. Each throws when it sees anything that it should not. */
export const PROGRAMS = {
  countUp: grid.countUp,
  laneIds: grid.laneIds,
  walkInterface: grid.walkInterface,
  echoStrings: grid.echoStrings,
  echoDivergent: grid.echoDivergent,
  callAtRandom: grid.callAtRandom,
  ...stress,
} satisfies Record<string, (client: Client, place: grid.ClientPlace) => number>;
export type ProgramName = keyof typeof PROGRAMS;
