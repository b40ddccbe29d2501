import { Channel, type ChannelHandle, Client } from "../core/mod.ts";
import { type Checks, TypedClient, TypedServer } from "../core/linear/mod.ts";
import { allPoints, type Point } from "./axis.ts";
import {
  type CallMaker,
  INCREMENT_OPCODE,
  IncrementCaller,
  incrementLanes,
  incrementServer,
} from "./increment.ts";
import { assignIncrementServer } from "./increment_server.ts";
import type { Partner, Shift, Work } from "./partner.ts";
import type { Control, Scenario, Trial } from "./scenario.ts";

const axes = {
  /** Which side's ports are typed. */
  side: ["client", "server", "both"],
  /** Whether typed ports check at run time that they are used once. */
  checks: ["off", "on"],
  laneCount: [1, 32],
} as const;

type LinearPoint = Point<typeof axes>;

/** The same call through the core's own ports, on both sides. */
const plainPorts: Control<typeof axes> = {
  name: "plain_ports",
  async setup({ laneCount }, partner) {
    const channel = Channel.create({ portCount: 1, laneCount });
    const shift = await assignIncrementServer(partner, { channel, waiter: "spin" });
    return trialOf(channel, shift, plainCalls(new Client(channel, { waiter: "spin" })));
  },
};

/** One call through typed ports: open, send, recv, close. */
export const linearCost: Scenario<typeof axes> = {
  name: "linear_cost",
  question: "What do typed ports cost, with their checks on and off?",
  axes,
  controls: [plainPorts],
  *points() {
    yield* allPoints({ ...axes, laneCount: [1] });
    yield* allPoints({ ...axes, side: ["both"], laneCount: [32] });
  },
  setup: prepareLinearCost,
};

async function prepareLinearCost(point: LinearPoint, partner: Partner): Promise<Trial> {
  const { side, checks, laneCount } = point;
  const channel = Channel.create({ portCount: 1, laneCount });
  const shift = side === "client"
    ? await assignIncrementServer(partner, { channel, waiter: "spin" })
    : await assignTypedServer(partner, { channel, checks });
  const client = new Client(channel, { waiter: "spin" });
  const calls = side === "server" ? plainCalls(client) : typedCalls(client, checks);
  return trialOf(channel, shift, calls);
}

function trialOf(channel: Channel, { wake, rest }: Shift, calls: CallMaker): Trial {
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
    call(opcode, fill, use) {
      client.open(opcode).send(fill).recv(use).close();
    },
  };
}

function typedCalls(plain: Client, checks: Checks): CallMaker {
  const client = new TypedClient(plain, { checks });
  return {
    call(opcode, fill, use) {
      client.open(opcode).send(fill).recv(use).close();
    },
  };
}

interface TypedServerInit {
  readonly handle: ChannelHandle;
  readonly checks: Checks;
}

function assignTypedServer(
  partner: Partner,
  options: { readonly channel: Channel; readonly checks: Checks },
): Promise<Shift> {
  const { channel, checks } = options;
  return partner.assign({
    moduleUrl: import.meta.url,
    init: { handle: channel.handle, checks } satisfies TypedServerInit,
    signalRest: () => channel.raiseAttention(),
  });
}

/** The partner's half, when its ports are typed. */
export function prepareWork({ handle, checks }: TypedServerInit): Work {
  const channel = Channel.attach(handle);
  const plain = incrementServer(channel, "spin");
  const server = new TypedServer(plain, { checks });
  server.register(INCREMENT_OPCODE, (port) => port.send(incrementLanes).close());
  return () => {
    try {
      plain.serve();
    } catch (error) {
      channel.stop(); // releases the client, which would wait for good
      throw error;
    }
  };
}
