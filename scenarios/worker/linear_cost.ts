import { Channel, type ChannelHandle, Client, Server, type ServerPort } from "../../core/mod.ts";
import { type Checks, type PartialPort, TypedClient, TypedServer } from "../../core/linear/mod.ts";
import { allPoints } from "../axis.ts";
import {
  type CallMaker,
  INCREMENT_OPCODE,
  IncrementCaller,
  incrementLanes,
} from "../calls/increment.ts";
import { servingWork } from "../calls/increment_server.ts";
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

async function prepareCalls(
  partner: Partner,
  sides: { readonly laneCount: number; readonly client: Ports; readonly server: Ports },
): Promise<Trial> {
  const channel = Channel.create({ portCount: 1, laneCount: sides.laneCount });
  const { wake, rest } = await partner.assign({
    moduleUrl: import.meta.url,
    init: { handle: channel.handle, ports: sides.server } satisfies PortServerInit,
    signalRest: () => channel.raiseAttention(),
  });
  const client = new Client(channel, { waiter: "spin" });
  const calls = sides.client === "plain" ? plainCalls(client) : typedCalls(client, sides.client);
  const caller = new IncrementCaller(calls);
  return {
    run: (callCount) => caller.call(callCount),
    wake,
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.shutDown()),
  };
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

interface PortServerInit {
  readonly handle: ChannelHandle;
  readonly ports: Ports;
}

/** Runs in the partner's isolate: a server that takes a plain or a typed port for each call. */
export function prepareWork({ handle, ports }: PortServerInit): Work {
  const channel = Channel.attach(handle);
  const server = new Server(channel, { waiter: "spin" });
  if (ports === "plain") server.register(INCREMENT_OPCODE, servePlainPort);
  else new TypedServer(server, { checks: ports }).register(INCREMENT_OPCODE, serveTypedPort);
  return servingWork(channel, server);
}

function servePlainPort(port: ServerPort<"fresh">): void {
  port.recvAndSend(incrementLanes).close();
}

function serveTypedPort(port: PartialPort<true>): void {
  port.send(incrementLanes).close();
}
