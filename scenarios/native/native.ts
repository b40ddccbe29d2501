import { Channel, Client } from "../../core/mod.ts";
import type { Point } from "../axis.ts";
import { IncrementCaller } from "../calls/increment.ts";
import { assignIncrementServer } from "../calls/increment_server.ts";
import type { Partner } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";
import { prepareNativeCalls } from "./native_calls.ts";
import { compilerProblem } from "./native_library.ts";

const axes = {
  portCount: [1, 64, 1024, 4096],
  laneCount: [1, 32, 64],
} as const;

/** The same call in C, as LLVM libc has it: see `toggle.c`. */
const inC: Control<typeof axes> = { name: "in_c", setup: prepareNativeCalls };

/** One checked call, both sides spinning, ours in turn with one in C between the same two threads. */
export const native: Scenario<typeof axes> = {
  name: "native",
  question: "How long does a call take in TypeScript, and how long in C?",
  axes,
  floor: pingPong,
  references: [inC],
  isPair: true,
  skip: () => compilerProblem(),
  targets: [{
    text: "one call, in calls in C: the geometric mean over ports and lanes",
    where: {},
    figure: {
      kind: "meanTimesReference",
      reference: inC.name,
      pointCount: axes.portCount.length * axes.laneCount.length,
    },
    bound: "at most",
    limit: 0.4,
  }],
  setup: prepareOurs,
};

async function prepareOurs(shape: Point<typeof axes>, partner: Partner): Promise<Trial> {
  const channel = Channel.create(shape);
  const { wake, rest } = await assignIncrementServer(partner, { channel, waiter: "spin" });
  const caller = new IncrementCaller(new Client(channel, { waiter: "spin" }));
  return {
    run: (callCount) => caller.call(callCount),
    wake,
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.shutDown()),
  };
}
