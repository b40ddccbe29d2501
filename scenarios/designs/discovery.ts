import { DESIGN_AXES } from "../../core/internal.ts";
import { PipelinedCaller } from "../calls/increment.ts";
import { prepareCalls } from "../calls/increment_server.ts";
import type { Scenario } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";

const axes = {
  discovery: DESIGN_AXES.discovery,
  portCount: [64, 1024],
  /** Of the ports, one at least: how many calls of the one client are under way at once. */
  busyPercent: [1, 100],
} as const;

/** Words of one bit a port are what a bitmap is made of; the others have their default. */
const BITS = { mailboxWidth: "bit", mailboxUpdate: "fetch-xor" } as const;

/** Calls that are under way on few ports and on all of them, by how the server finds them. */
export const discovery: Scenario<typeof axes> = {
  name: "discovery",
  question: "How should a server find the ports that have work, few or all of them?",
  axes,
  compares: "discovery",
  floor: pingPong,
  isPair: true,
  setup({ discovery, portCount, busyPercent }, partner) {
    const design = discovery === "bitmap" ? { discovery, ...BITS } : { discovery };
    const inFlight = Math.max(1, Math.round(portCount * busyPercent / 100));
    const shape = { portCount, laneCount: 1, ...design };
    return prepareCalls(shape, partner, (client) => new PipelinedCaller(client, inFlight));
  },
};
