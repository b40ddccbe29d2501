import { DESIGN_AXES } from "../../core/internal.ts";
import { allPoints, type Point } from "../axis.ts";
import { CROWD_SAMPLE_SECONDS_MIN, prepareCrowd } from "../calls/crowd.ts";
import type { Partner } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";

const axes = {
  portLock: DESIGN_AXES.portLock,
  clientCount: [1, 2, 4, 8],
  serverCount: [1, 2],
  portCount: [4, 64],
} as const;

type ContentionPoint = Point<typeof axes>;

const DEFAULT_LOCK = { portLock: "owner", serverCount: 1, portCount: 64 } as const;

/** One client Worker and one server with the lock of the default, on a channel of its own. */
const oneClient: Control<typeof axes> = {
  name: "one_client",
  sampleSecondsMin: CROWD_SAMPLE_SECONDS_MIN,
  setup: ({ portCount }, partner) =>
    prepareCrowd({ portCount, laneCount: 1 }, partner, { clientCount: 1, waiter: "adaptive" }),
};

/** The same crowd with the lock that is asked about, so that a busy moment meets both. */
const byCas: Control<typeof axes> = {
  name: "cas",
  sampleSecondsMin: CROWD_SAMPLE_SECONDS_MIN,
  setup: (point, partner) => prepareContention({ ...point, portLock: "cas" }, partner),
};

/**
 * Clients that take ports from each other, in turn with one client alone, and with as many by `cas`: that
 * lock beside itself shows how far two figures of one lock differ by chance. With 64 ports each finds one
 * that nobody else wants, though with a bit a port not a word; with 4 ports and 8 clients, most wait.
 */
export const contention: Scenario<typeof axes> = {
  name: "contention",
  question: "Which port lock loses least when clients compete: fetch-add or compare-exchange?",
  axes,
  compares: "portLock",
  floor: pingPong,
  references: [oneClient, byCas],
  mainReference: "cas",
  sampleSecondsMin: CROWD_SAMPLE_SECONDS_MIN,
  *points() {
    yield { ...DEFAULT_LOCK, clientCount: 4 };
    const eight = { ...axes, clientCount: [8] } as const;
    yield* allPoints({ ...eight, serverCount: [1] });
    yield* allPoints({ ...eight, serverCount: [2], portCount: [64] });
  },
  targets: [{
    text: "calls a second of 4 clients on the default lock, in those of one",
    where: { ...DEFAULT_LOCK, clientCount: 4 },
    figure: { kind: "timesFasterThan", reference: oneClient.name },
    bound: "at least",
    limit: 0.667,
  }],
  setup: prepareContention,
};

function prepareContention(
  { portLock, portCount, clientCount, serverCount }: ContentionPoint,
  partner: Partner,
): Promise<Trial> {
  const shape = { portCount, laneCount: 1, portLock };
  return prepareCrowd(shape, partner, { clientCount, serverCount, waiter: "adaptive" });
}
