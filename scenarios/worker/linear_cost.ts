import { Client, type ServerPort } from "../../core/mod.ts";
import { type Checks, type PartialPort, TypedClient, TypedServer } from "../../core/linear/mod.ts";
import { allPoints } from "../axis.ts";
import {
  type CallMaker,
  INCREMENT_OPCODE,
  IncrementCaller,
  incrementLanes,
} from "../calls/increment.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  /** Which side's ports are typed. */
  side: ["client", "server", "both"],
  /** Whether typed ports check at run time that they are used once. */
  checks: ["off", "on"],
  laneCount: [1, 32],
} as const;

/** What a side's ports are: those of the core, or typed ones with checks off or on. */
type Ports = "plain" | Checks;

/** The same call through the core's own ports, on both sides. */
const plainPorts: Control<typeof axes> = {
  name: "plain_ports",
  isPair: true,
  setup: ({ laneCount }, partner) =>
    prepareCalls(partner, { laneCount, client: "plain", server: "plain" }),
};

/** One call through typed ports: open, send, recv, close. */
export const linearCost: Scenario<typeof axes> = {
  name: "linear_cost",
  question: "What do typed ports cost, with their checks on and off?",
  axes,
  floor: plainPorts,
  isPair: true,
  targets: [{
    text: "a call through typed ports, checks off, in calls through plain ports",
    where: { side: "both", checks: "off", laneCount: 1 },
    figure: { kind: "timesFloor" },
    bound: "at most",
    limit: 1.05,
  }],
  *points() {
    yield* allPoints({ ...axes, laneCount: [1] });
    yield* allPoints({ ...axes, side: ["both"], laneCount: [32] });
  },
  setup: ({ side, checks, laneCount }, partner) =>
    prepareCalls(partner, {
      laneCount,
      client: side === "server" ? "plain" : checks,
      server: side === "client" ? "plain" : checks,
    }),
};

function prepareCalls(
  partner: Partner,
  sides: { readonly laneCount: number; readonly client: Ports; readonly server: Ports },
): Promise<Trial> {
  return prepareServed({ portCount: 1, laneCount: sides.laneCount }, partner, {
    moduleUrl: import.meta.url,
    init: { ports: sides.server },
    callerOf(channel) {
      const client = new Client(channel, { waiter: "spin" });
      return new IncrementCaller(
        sides.client === "plain" ? plainCalls(client) : typedCalls(client, sides.client),
      );
    },
  });
}

function plainCalls(client: Client): CallMaker {
  return {
    call(opcode, { fill, use }) {
      client.open(opcode).send(fill).recv(use).close();
    },
  };
}

function typedCalls(plain: Client, checks: Checks): CallMaker {
  const client = new TypedClient(plain, { checks });
  return {
    call(opcode, { fill, use }) {
      client.open(opcode).send(fill).recv(use).close();
    },
  };
}

/** Runs in the partner's isolate: a server that takes a plain or a typed port for each call. */
export function prepareWork({ ports, ...init }: ServerInit & { readonly ports: Ports }): Work {
  return servingWith(init, (server) => {
    if (ports === "plain") server.operatePort(INCREMENT_OPCODE, servePlainPort);
    else new TypedServer(server, { checks: ports }).operatePort(INCREMENT_OPCODE, serveTypedPort);
  });
}

function servePlainPort(port: ServerPort<"fresh">): void {
  port.recvAndSend(incrementLanes).close();
}

function serveTypedPort(port: PartialPort<true>): void {
  port.send(incrementLanes).close();
}
