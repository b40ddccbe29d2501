import { BatchCaller, PipelinedCaller, PromisingCaller } from "../calls/increment.ts";
import { prepareCalls } from "../calls/increment_server.ts";
import type { Control, Scenario } from "../scenario.ts";
import { pingPong } from "./ping_pong.ts";

const axes = {
  inFlight: [1, 2, 4, 8, 16, 32, 64],
  /** How the one client goes on before its answers are there. */
  by: ["ports", "promises", "batch"],
} as const;

const CALLERS = { ports: PipelinedCaller, promises: PromisingCaller, batch: BatchCaller } as const;
/** The design in which many are sent and answered by one flip. */
const BY_WORDS = {
  portLock: "fetch-or",
  mailboxWidth: "bit",
  mailboxUpdate: "fetch-xor",
  discovery: "bitmap",
} as const;

function shapeOf(portCount: number) {
  return { portCount, laneCount: 1 };
}

/** The same client, with a call after another. */
const synchronous: Control<typeof axes> = {
  name: "synchronous",
  setup: ({ inFlight }, partner) => prepareCalls(shapeOf(inFlight), partner),
};

/** Calls of one client of which several are under way, each on a port: a checked word there and back. */
export const inFlight: Scenario<typeof axes> = {
  name: "in_flight",
  question: "How many calls a second does one client make when it does not wait for each?",
  axes,
  floor: pingPong,
  references: [synchronous],
  mainReference: "synchronous",
  isPair: true,
  targets: [{
    text: "calls a second with 32 in flight, in those of synchronous calls",
    where: { inFlight: 32, by: "ports" },
    figure: { kind: "timesFasterThan", reference: synchronous.name },
    bound: "at least",
    limit: 3,
  }, {
    text: "calls a second in batches of 32, in those of synchronous calls",
    where: { inFlight: 32, by: "batch" },
    figure: { kind: "timesFasterThan", reference: synchronous.name },
    bound: "at least",
    limit: 4,
  }],
  setup: ({ inFlight, by }, partner) =>
    prepareCalls(
      { ...shapeOf(inFlight), ...by === "batch" && BY_WORDS },
      partner,
      (client) => new CALLERS[by](client, inFlight),
    ),
};
