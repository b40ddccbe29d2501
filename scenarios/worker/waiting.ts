import { Client } from "../../core/mod.ts";
import { WAITER_NAMES } from "../../core/internal.ts";
import { SharedWords } from "../../core/memory/words.ts";
import type { Point } from "../axis.ts";
import {
  type CallMaker,
  INCREMENT_OPCODE,
  IncrementCaller,
  incrementLanes,
} from "../calls/increment.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { pingPong } from "./ping_pong.ts";

const axes = {
  /** How both sides wait. */
  waiting: WAITER_NAMES,
  /** Who sleeps for a millisecond in each call, as if for a disk: the other side waits for it. */
  slow: ["nobody", "server", "client"],
} as const;

const SLOW_MILLISECONDS = 1;
/** Long enough that some sleeps are in each sample. */
const SAMPLE_SECONDS_MIN = 0.02;

/** One call, by ways of waiting, for a quick side and for slow ones: its time, and its processor time. */
export const waiting: Scenario<typeof axes> = {
  name: "waiting",
  question: "What does each way of waiting cost, in time and in processor time?",
  axes,
  floor: pingPong,
  isPair: true,
  countsCpuTime: true,
  sampleSecondsMin: SAMPLE_SECONDS_MIN,
  setup: prepareWaiting,
};

function prepareWaiting(
  { waiting: waiter, slow }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  return prepareServed({ portCount: 1, laneCount: 1 }, partner, {
    moduleUrl: import.meta.url,
    init: { waiter, isSlow: slow === "server" },
    callerOf(channel) {
      const client = new Client(channel, { waiter });
      return new IncrementCaller(slow === "client" ? pausing(client) : client);
    },
  });
}

function pausing(client: Client): CallMaker {
  const sleep = sleeper();
  return {
    call(opcode, work) {
      sleep();
      client.call(opcode, work);
    },
  };
}

/** A function that sleeps in the operating system, and takes no processor meanwhile. */
function sleeper(): () => void {
  const words = new SharedWords(new SharedArrayBuffer(4));
  // Sync: with nobody: the word is this function's own and never changes, so the time ends the wait.
  return () => words.wait(0, 0, SLOW_MILLISECONDS);
}

/** Runs in the partner's isolate. */
export function prepareWork({ isSlow, ...init }: ServerInit & { readonly isSlow: boolean }): Work {
  const sleep = isSlow ? sleeper() : () => {};
  return servingWith(init, (server) =>
    server.operate(INCREMENT_OPCODE, (packet) => {
      sleep();
      incrementLanes(packet);
    }));
}
