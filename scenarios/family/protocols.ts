import * as commandRing from "../../core/command_ring/mod.ts";
import * as fourPhase from "../../core/four_phase/mod.ts";
import * as gwht from "../../core/gwht/mod.ts";
import * as toggle from "../../core/mod.ts";
import type { PacketClient } from "../../core/one_packet/packet_client.ts";
import type { PacketServer } from "../../core/one_packet/packet_server.ts";
import type { PacketHandle } from "../../core/one_packet/packet_channel.ts";
import * as packetStacks from "../../core/packet_stacks/mod.ts";
import {
  INCREMENT_OPCODE,
  IncrementCaller,
  incrementLanes,
  incrementServer,
} from "../calls/increment.ts";
import { RingCaller, serveRingIncrement } from "./ring_caller.ts";

/** How large a channel is. */
export interface FamilyShape {
  /** Calls that can be under way at once. */
  readonly portCount: number;
  /** Lanes that take part in a call. */
  readonly laneCount: number;
}

/** What makes calls, one after another, and checks what comes back. */
export type Caller = Pick<IncrementCaller, "call">;

/** A channel of any protocol, with the same work in it: a word of each lane comes back one larger. */
export interface FamilyChannel {
  /** What the other isolate needs to attach. */
  readonly handle: unknown;
  /** A client, which waits by spinning. */
  caller(): Caller;
  /** A server, which never waits by itself. */
  server(): Pick<PacketServer, "serveOnce">;
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
    server: () => incrementServer(channel, "spin"),
    stop: () => channel.stop(),
  };
}

const FOUR_PHASE: FamilyProtocol = {
  create: (shape) => fourPhaseChannel(fourPhase.Channel.create(packets(shape))),
  attach: (handle: PacketHandle) => fourPhaseChannel(fourPhase.Channel.attach(handle)),
};

function fourPhaseChannel(channel: fourPhase.Channel): FamilyChannel {
  return {
    handle: channel.handle,
    caller: () => new IncrementCaller(new fourPhase.Client(channel, SPIN)),
    server: () => incrementing(new fourPhase.Server(channel)),
    stop: () => channel.stop(),
  };
}

const PACKET_STACKS: FamilyProtocol = {
  create: (shape) => stacksChannel(packetStacks.Channel.create(packets(shape))),
  attach: (handle: PacketHandle) => stacksChannel(packetStacks.Channel.attach(handle)),
};

function stacksChannel(channel: packetStacks.Channel): FamilyChannel {
  return {
    handle: channel.handle,
    caller: () => new IncrementCaller(new packetStacks.Client(channel, SPIN)),
    server: () => incrementing(new packetStacks.Server(channel)),
    stop: () => channel.stop(),
  };
}

/** A page has 64 lanes; only the first ones take part. */
const GWHT: FamilyProtocol = {
  create: (shape) => gwhtChannel(gwht.Channel.create({ slotCount: shape.portCount }), shape),
  attach: (handle: gwht.GwhtHandle, shape) => gwhtChannel(gwht.Channel.attach(handle), shape),
};

function gwhtChannel(channel: gwht.Channel, { laneCount }: FamilyShape): FamilyChannel {
  return {
    handle: channel.handle,
    caller: () =>
      new IncrementCaller(ofLanes(new gwht.Client(channel, SPIN), laneCount), { laneCount }),
    server: () => incrementing(new gwht.Server(channel), laneCount),
    stop: () => channel.stop(),
  };
}

function ofLanes(client: PacketClient, laneCount: number): Pick<PacketClient, "call"> {
  const options = { mask: toggle.fullMask(laneCount) };
  return { call: (opcode, work) => client.call(opcode, work, options) };
}

/** One cell a command, and one lane: a name and four bytes go out, a number comes back. */
const COMMAND_RING: FamilyProtocol = {
  create: ({ portCount }) =>
    ringChannel(commandRing.Channel.create({ slotCount: portCount, cellCount: portCount })),
  attach: (handle: commandRing.RingHandle) => ringChannel(commandRing.Channel.attach(handle)),
};

function ringChannel(channel: commandRing.Channel): FamilyChannel {
  return {
    handle: channel.handle,
    caller: () => new RingCaller(new commandRing.Client(channel, SPIN)),
    server: () => serveRingIncrement(new commandRing.Server(channel)),
    stop: () => channel.stop(),
  };
}

/** Every protocol of the family, by the name of its folder in `core/`. */
export const FAMILY = {
  toggle: TOGGLE,
  four_phase: FOUR_PHASE,
  packet_stacks: PACKET_STACKS,
  command_ring: COMMAND_RING,
  gwht: GWHT,
} as const satisfies Record<string, FamilyProtocol>;

/** The name of a protocol. */
export type ProtocolName = keyof typeof FAMILY;

function packets({ portCount, laneCount }: FamilyShape) {
  return { packetCount: portCount, laneCount };
}

function incrementing<Server extends PacketServer>(server: Server, laneCount?: number): Server {
  server.operate(INCREMENT_OPCODE, (packet) => incrementLanes(packet, laneCount));
  return server;
}
