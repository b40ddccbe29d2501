import { Channel, Client, type WaiterName } from "../../core/mod.ts";
import { allPoints, oneAxisAtATime, type Point } from "../axis.ts";
import { IncrementCaller } from "../calls/increment.ts";
import { assignIncrementServer } from "../calls/increment_server.ts";
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

/**
 * One synchronous call through the protocol: open, send, recv, close.
 *
 * @example Ten checked calls
 * ```ts
 * import { Partner } from "../partner/partner.ts";
 * import { roundTrip } from "./round_trip.ts";
 * await using partner = new Partner();
 * const point = { portCount: 4, laneCount: 8, waiting: "adaptive+adaptive" } as const;
 * await using trial = await roundTrip.setup(point, partner);
 * trial.wake?.();
 * await trial.run(10); // throws when a lane comes back wrong
 * trial.rest?.();
 * ```
 */
export const roundTrip: Scenario<typeof axes> = {
  name: "round_trip",
  question: "What does one synchronous call cost as ports and lanes grow?",
  axes,
  floor: pingPong,
  references: [postMessage],
  isAllocationFree: true,
  isPair: true,
  *points() {
    yield* allPoints({ ...axes, waiting: ["spin+spin"] });
    const control = { portCount: 1, laneCount: 1, waiting: "spin+spin" } as const;
    const [, ...others] = oneAxisAtATime({ waiting: axes.waiting }, control);
    yield* others.map(({ waiting }) => ({ ...control, waiting }));
  },
  setup: prepareRoundTrip,
};

async function prepareRoundTrip(
  { portCount, laneCount, waiting }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  const [clientWaiter, serverWaiter] = waiting.split("+") as [WaiterName, WaiterName];
  const channel = Channel.create({ portCount, laneCount });
  const { wake, rest } = await assignIncrementServer(partner, { channel, waiter: serverWaiter });
  const caller = new IncrementCaller(new Client(channel, { waiter: clientWaiter }));
  return {
    run: (callCount) => caller.call(callCount),
    wake,
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.shutDown()),
  };
}
