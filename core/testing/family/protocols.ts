import { FOUR_PHASE } from "../../four_phase/mod.ts";
import { GWHT } from "../../gwht/mod.ts";
import { PACKET_STACKS } from "../../packet_stacks/mod.ts";
import type { FamilyProtocol } from "./family_protocol.ts";
import { packetFamily } from "./packet_family.ts";
import { RING } from "./ring_family.ts";
import { TOGGLE } from "./toggle_family.ts";

/** Every protocol that the suite runs. */
export const FAMILY: Readonly<Record<string, FamilyProtocol>> = {
  toggle: TOGGLE,
  four_phase: packetFamily(FOUR_PHASE),
  packet_stacks: packetFamily(PACKET_STACKS),
  gwht: packetFamily(GWHT),
  command_ring: RING,
};
