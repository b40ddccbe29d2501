import { Channel, Client } from "../../core/mod.ts";
import type { Point } from "../axis.ts";
import { IncrementCaller } from "../calls/increment.ts";
import { assignIncrementServer } from "../calls/increment_server.ts";
import { PipelinedCaller } from "../calls/pipelined_caller.ts";
import { PromisingCaller } from "../calls/promising_caller.ts";
import type { Partner } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";
import { pingPong } from "./ping_pong.ts";

const axes = {
  inFlight: [1, 2, 4, 8, 16, 32, 64],
  /** How the one client goes on before its answers are there. */
  by: ["ports", "promises"],
} as const;

type InFlightPoint = Point<typeof axes>;

/** The same client, with a call after another. */
const synchronous: Control<typeof axes> = {
  name: "synchronous",
  setup: (point, partner) => prepareCalls(point, partner, "call"),
};

/** Calls of one client of which several are under way, each on a port: a checked word there and back. */
export const inFlight: Scenario<typeof axes> = {
  name: "in_flight",
  question: "How many calls a second does one client make when it does not wait for each?",
  axes,
  floor: pingPong,
  references: [synchronous],
  isPair: true,
  targets: [{
    text: "calls a second with 32 in flight, in those of synchronous calls",
    where: { inFlight: 32, by: "ports" },
    figure: { kind: "timesFasterThan", reference: synchronous.name },
    bound: "at least",
    limit: 3,
  }],
  setup: (point, partner) => prepareCalls(point, partner, point.by),
};

async function prepareCalls(
  { inFlight }: InFlightPoint,
  partner: Partner,
  by: InFlightPoint["by"] | "call",
): Promise<Trial> {
  const channel = Channel.create({ portCount: inFlight, laneCount: 1 });
  const { wake, rest } = await assignIncrementServer(partner, { channel, waiter: "spin" });
  const client = new Client(channel, { waiter: "spin" });
  const caller = by === "call"
    ? new IncrementCaller(client)
    : by === "ports"
    ? new PipelinedCaller(client, inFlight)
    : new PromisingCaller(client, inFlight);
  return {
    run: (callCount) => caller.call(callCount),
    wake,
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.shutDown()),
  };
}
