import { WAITER_NAMES } from "../../core/internal.ts";
import { allPoints, type Point } from "../axis.ts";
import { CROWD_SAMPLE_SECONDS_MIN, prepareCrowd } from "../calls/crowd.ts";
import type { Partner } from "../partner/partner.ts";
import { pingPong } from "./ping_pong.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  clientCount: [1, 2, 4, 8],
  portCount: [8, 64, 1024],
  waiting: WAITER_NAMES,
} as const;

/** What several clients are compared with: one client Worker on a channel of its own. */
const oneClient: Control<typeof axes> = {
  name: "one_client",
  title: "one client alone",
  sampleSecondsMin: CROWD_SAMPLE_SECONDS_MIN,
  setup: (point, partner) => prepareManyClients({ ...point, clientCount: 1 }, partner),
};

/** Several clients and one server: a sample ends with the last client, and has the calls of all. */
export const manyClients: Scenario<typeof axes> = {
  name: "many_clients",
  question: "How many calls a second does one server take from several clients?",
  axes,
  *usualPoints() {
    yield* allPoints({ clientCount: [1, 8], portCount: [64], waiting: ["adaptive"] });
  },
  floor: pingPong,
  references: [oneClient],
  mainReference: "one_client",
  sampleSecondsMin: CROWD_SAMPLE_SECONDS_MIN,
  *points() {
    yield* allPoints({ ...axes, portCount: [64], waiting: ["adaptive"] });
  },
  targets: [{
    text: "calls a second of 8 clients, in those of one",
    where: { clientCount: 8, portCount: 64, waiting: "adaptive" },
    figure: { kind: "timesFasterThan", reference: oneClient.name },
    bound: "at least",
    limit: 0.5,
  }],
  setup: prepareManyClients,
};

function prepareManyClients(
  { clientCount, portCount, waiting }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  return prepareCrowd({ portCount, laneCount: 1 }, partner, { clientCount, waiter: waiting });
}
