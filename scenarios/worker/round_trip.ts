import { Client, type WaiterName } from "../../core/mod.ts";
import { allPoints, oneAxisAtATime, type Point } from "../axis.ts";
import { IncrementCaller } from "../calls/increment.ts";
import { prepareServed } from "../calls/increment_server.ts";
import type { Partner } from "../partner/partner.ts";
import { pingPong } from "./ping_pong.ts";
import { postMessage } from "./post_message.ts";
import type { Scenario, Trial } from "../scenario.ts";

const axes = {
  portCount: [1, 4, 16, 64, 256, 1024, 4096],
  laneCount: [1, 8, 32, 64],
  /** How the client waits, then how the server does. */
  waiting: [
    "spin+spin",
    "spin-pause+spin-pause",
    "backoff+backoff",
    "adaptive+adaptive",
    "adaptive+spin",
    "spin+adaptive",
    "park+park",
  ],
} as const;

/** For a first look: of the ways to wait, those that differ most. */
const USUAL_AXES = {
  portCount: [1, 64, 4096],
  laneCount: [1, 8, 64],
  waiting: ["spin+spin", "spin-pause+spin-pause", "adaptive+adaptive", "park+park"],
} as const;

/** The simplest call. The sweep moves its waiting, and the targets its ports or lanes. */
const ONE_CALL = { portCount: 1, laneCount: 1, waiting: "spin+spin" } as const;

/** One synchronous call through the protocol: open, send, recv, close. */
export const roundTrip: Scenario<typeof axes> = {
  name: "round_trip",
  question: "What does one synchronous call cost as ports and lanes grow?",
  axes,
  usualPoints: () => oneAxisAtATime(USUAL_AXES, ONE_CALL),
  floor: pingPong,
  references: [postMessage],
  isAllocationFree: true,
  isPair: true,
  *points() {
    yield* allPoints({ ...axes, waiting: ["spin+spin"] });
    const [, ...others] = oneAxisAtATime({ waiting: axes.waiting }, ONE_CALL);
    yield* others.map(({ waiting }) => ({ ...ONE_CALL, waiting }));
  },
  targets: [
    {
      text: "one call, 1 port and 1 lane, in bare ping-pongs",
      where: ONE_CALL,
      figure: { kind: "timesFloor" },
      bound: "at most",
      limit: 1.6,
    },
    {
      text: "4096 ports, in calls of 1 port",
      where: { ...ONE_CALL, portCount: 4096 },
      figure: { kind: "timesPoint", point: { portCount: 1 } },
      bound: "at most",
      limit: 1.15,
    },
    {
      text: "64 lanes, in calls of 1 lane",
      where: { ...ONE_CALL, laneCount: 64 },
      figure: { kind: "timesPoint", point: { laneCount: 1 } },
      bound: "at most",
      limit: 2.5,
    },
    {
      text: "one call, times faster than postMessage",
      where: ONE_CALL,
      figure: { kind: "timesFasterThan", reference: postMessage.name },
      bound: "at least",
      limit: 150,
    },
    {
      text: "bytes allocated a call, on the side that allocates more",
      where: {},
      figure: { kind: "heapGrowth" },
      bound: "at most",
      limit: 1,
    },
  ],
  setup: prepareRoundTrip,
};

function prepareRoundTrip(
  { waiting, ...shape }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  const [waiter, serverWaiter] = waiting.split("+") as [WaiterName, WaiterName];
  return prepareServed(shape, partner, {
    init: { waiter: serverWaiter },
    callerOf: (channel) => new IncrementCaller(new Client(channel, { waiter })),
  });
}
