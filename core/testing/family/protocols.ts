import * as fourPhase from "../../four_phase/mod.ts";
import * as packetStacks from "../../packet_stacks/mod.ts";
import { COMMAND_RING } from "./ring_family.ts";
import type { FamilyProtocol } from "./family_protocol.ts";
import { packetFamily } from "./packet_family.ts";
import { TOGGLE } from "./toggle_family.ts";

/** Every protocol that the suite runs. */
export const FAMILY: Readonly<Record<string, FamilyProtocol>> = {
  toggle: TOGGLE,
  four_phase: packetFamily(fourPhase, 1),
  packet_stacks: packetFamily(packetStacks, 1),
  command_ring: COMMAND_RING,
};
