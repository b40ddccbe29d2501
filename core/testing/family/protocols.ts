import * as fourPhase from "../../four_phase/mod.ts";
import * as gwht from "../../gwht/mod.ts";
import * as packetStacks from "../../packet_stacks/mod.ts";
import { COMMAND_RING } from "./ring_family.ts";
import type { FamilyChannel, FamilyProtocol } from "./family_protocol.ts";
import { packetChannel, packetFamily } from "./packet_family.ts";
import { TOGGLE } from "./toggle_family.ts";

/** GWHT has lanes of its own, and calls its packets slots. */
const GWHT: FamilyProtocol = {
  create: (slotCount) => gwhtChannel(gwht.Channel.create({ slotCount })),
  attach: (handle: gwht.GwhtHandle) => gwhtChannel(gwht.Channel.attach(handle)),
};

function gwhtChannel(channel: gwht.Channel): FamilyChannel {
  return packetChannel(channel, {
    handle: channel.handle,
    client: () => new gwht.Client(channel),
    server: (onFault) => new gwht.Server(channel, { onFault }),
  });
}

/** Every protocol that the suite runs. */
export const FAMILY: Readonly<Record<string, FamilyProtocol>> = {
  toggle: TOGGLE,
  four_phase: packetFamily(fourPhase, 1),
  packet_stacks: packetFamily(packetStacks, 1),
  gwht: GWHT,
  command_ring: COMMAND_RING,
};
