import { Channel, Client, type Packet } from "../../core/mod.ts";
import { onePage } from "../../core/internal.ts";
import { allPoints, type Point } from "../axis.ts";
import { addServices, IncrementCaller, incrementLanes } from "../calls/increment.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { pingPong } from "./ping_pong.ts";

const axes = {
  /** Whose code the client runs, then the server: the one page, or the library. */
  sides: ["page+page", "library+page", "page+library", "library+library"],
  portCount: [1, 64, 1024],
  laneCount: [1, 32],
} as const;

const LIBRARY = { sides: "library+library" } as const;
const ONE_CALL = { portCount: 1, laneCount: 1 } as const;

/**
 * The same call by the one page and by the library, which beside the protocol has deadlines, sleep,
 * refusals, requests to leave, streams and hints. One client and one server at a time are in a process, so
 * that the compiler sees no other. All spin.
 */
export const featureCost: Scenario<typeof axes> = {
  name: "feature_cost",
  question: "What do the library's features cost a call that uses none of them?",
  axes,
  compares: "sides",
  floor: pingPong,
  isPair: true,
  isAllocationFree: true,
  *points() {
    yield* allPoints({ ...axes, sides: ["page+page", "library+library"] });
    yield { ...ONE_CALL, sides: "library+page" };
    yield { ...ONE_CALL, sides: "page+library" };
  },
  targets: [
    {
      text: "one call by the library, in calls by the one page",
      where: { ...LIBRARY, ...ONE_CALL },
      figure: { kind: "timesPoint", point: { sides: "page+page" } },
      bound: "at most",
      limit: 1.2,
    },
    {
      text: "one call by the library on 1024 ports, in calls by the one page, which looks at each",
      where: { ...LIBRARY, portCount: 1024, laneCount: 1 },
      figure: { kind: "timesPoint", point: { sides: "page+page" } },
      bound: "at most",
      limit: 0.7,
    },
  ],
  setup: prepareFeatureCost,
};

function prepareFeatureCost(
  { sides, ...shape }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  return prepareServed(shape, partner, {
    moduleUrl: import.meta.url,
    init: { isPage: sides.endsWith("+page") },
    callerOf: (channel) =>
      new IncrementCaller(
        sides.startsWith("page+")
          ? new onePage.Client(channel)
          : new Client(channel, { waiter: "spin" }),
      ),
  });
}

/** Runs in the partner's isolate. */
export function prepareWork(
  { isPage, ...init }: ServerInit & { readonly isPage: boolean },
): Work {
  if (!isPage) return servingWith(init, addServices);
  const channel = Channel.attach(init.handle);
  const server = new onePage.Server(channel);
  const work = (packet: Packet) => incrementLanes(packet);
  const answer = (port: onePage.Port) => void port.recv(work);
  return () => {
    const seen = channel.stateWord;
    while (server.runAll(answer) > 0 || channel.stateGlance === seen);
  };
}
