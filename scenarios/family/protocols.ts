import {
  COMMAND_RING,
  type PacketChannel,
  RingClient,
  type RingLayout,
  RingServer,
} from "../../core/command_ring/mod.ts";
import { FOUR_PHASE } from "../../core/four_phase/mod.ts";
import { GWHT } from "../../core/gwht/mod.ts";
import { fullMask, LANE_COUNT_MAX } from "../../core/internal.ts";
import * as toggle from "../../core/mod.ts";
import type { PacketHandle, PacketMemory } from "../../core/one_packet/packet_channel.ts";
import type { PacketClient } from "../../core/one_packet/packet_client.ts";
import type { PacketProtocol } from "../../core/one_packet/packet_format.ts";
import type { PacketServer } from "../../core/one_packet/packet_server.ts";
import { PACKET_STACKS } from "../../core/packet_stacks/mod.ts";
import {
  addServices,
  INCREMENT_OPCODE,
  IncrementCaller,
  incrementLanes,
  VALUE_MAX,
} from "../calls/increment.ts";

/** The size of a channel. */
export interface FamilyShape {
  /** Calls that can be under way at once. */
  readonly portCount: number;
  /** Lanes that take part in a call. */
  readonly laneCount: number;
}

/** A channel of any protocol, with the same work: a word of each lane comes back one larger. */
export interface FamilyChannel {
  readonly handle: unknown;
  /** A client, which waits by spinning. */
  caller(): Pick<IncrementCaller, "call">;
  /** A server, which never waits by itself. */
  server(): Pick<PacketServer, "runOnce">;
  /** Ends it for both sides. */
  stop(): void;
}

/** A protocol as the scenario uses it. */
export interface FamilyProtocol {
  create(shape: FamilyShape): FamilyChannel;
  /** In another isolate. */
  attach(handle: never, shape: FamilyShape): FamilyChannel;
}

const SPIN = { waiter: "spin" } as const;

const TOGGLE: FamilyProtocol = {
  create: (shape) => toggleChannel(toggle.Channel.create(shape)),
  attach: (handle: toggle.ChannelHandle) => toggleChannel(toggle.Channel.attach(handle)),
};

function toggleChannel(channel: toggle.Channel): FamilyChannel {
  return {
    handle: channel.handle,
    caller: () => new IncrementCaller(new toggle.Client(channel, SPIN)),
    server() {
      const server = new toggle.Server(channel, SPIN);
      addServices(server);
      return server;
    },
    stop: () => channel.stop(),
  };
}

/** @param lanesOf the number of lanes of a packet, of which only the first `laneCount` take part */
function packetFamily<Memory extends PacketMemory>(
  protocol: PacketProtocol<Memory>,
  lanesOf = ({ laneCount }: FamilyShape) => laneCount,
): FamilyProtocol {
  const channelOf = (channel: PacketChannel<Memory>, { laneCount }: FamilyShape): FamilyChannel => {
    const mask = laneCount < channel.layout.laneCount ? fullMask(laneCount) : undefined;
    return {
      handle: channel.handle,
      caller() {
        const client = protocol.client(channel, SPIN);
        return new IncrementCaller(mask ? withMask(client, mask) : client, { laneCount });
      },
      server() {
        const server = protocol.server(channel);
        server.operate(INCREMENT_OPCODE, (packet) => incrementLanes(packet, laneCount));
        return server;
      },
      stop: () => channel.stop(),
    };
  };
  return {
    create(shape) {
      const { portCount: packetCount } = shape;
      return channelOf(protocol.create({ packetCount, laneCount: lanesOf(shape) }), shape);
    },
    attach: (handle: PacketHandle<Memory>, shape) => channelOf(protocol.attach(handle), shape),
  };
}

function withMask(client: PacketClient, mask: toggle.LaneMask): Pick<PacketClient, "call"> {
  const options = { mask };
  return { call: (opcode, work) => client.call(opcode, work, options) };
}

const NAME = "increment";

/** The call of {@linkcode IncrementCaller}, as a command with four bytes and a number that comes back. */
export class RingCaller {
  readonly #client: RingClient;
  readonly #value = new Uint32Array(1);
  readonly #bytes = new Uint8Array(this.#value.buffer);

  constructor(client: RingClient) {
    this.#client = client;
  }

  /** @throws {Error} when a wrong number came back */
  call(callCount: number): void {
    const value = this.#value;
    let wrongBits = 0;
    for (let call = 0; call < callCount; call++) {
      wrongBits |= Number(this.#client.call(NAME, this.#bytes)) ^ (value[0]! + 1);
      value[0] = (value[0]! + 1) & VALUE_MAX;
    }
    if (wrongBits === 0) return;
    throw new Error("Cannot trust the calls as a number did not come back one larger");
  }
}

/** Lets the host of a ring answer the call. */
export function serveRingIncrement(server: RingServer): RingServer {
  server.register(
    NAME,
    (bytes) => 1 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true),
  );
  return server;
}

/** One cell a command, and one lane: a name and four bytes go out, a number comes back. */
const RING: FamilyProtocol = {
  create: ({ portCount }) =>
    ringChannel(COMMAND_RING.create({ slotCount: portCount, cellCount: portCount })),
  attach: (handle: PacketHandle<RingLayout>) => ringChannel(COMMAND_RING.attach(handle)),
};

function ringChannel(channel: PacketChannel<RingLayout>): FamilyChannel {
  return {
    handle: channel.handle,
    caller: () => new RingCaller(new RingClient(channel, SPIN)),
    server: () => serveRingIncrement(new RingServer(channel)),
    stop: () => channel.stop(),
  };
}

/** Every protocol of the family, by the name of its folder in `core/`. */
export const FAMILY = {
  toggle: TOGGLE,
  four_phase: packetFamily(FOUR_PHASE),
  packet_stacks: packetFamily(PACKET_STACKS),
  command_ring: RING,
  // Its page is one of 64 lanes.
  gwht: packetFamily(GWHT, () => LANE_COUNT_MAX),
} as const satisfies Record<string, FamilyProtocol>;

export type ProtocolName = keyof typeof FAMILY;
