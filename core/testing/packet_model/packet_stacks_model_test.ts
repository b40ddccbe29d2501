import type { StacksLayout } from "../../packet_stacks/layout.ts";
import { testPacketModel } from "./packet_model_tests.ts";
import { PACKET_STACKS } from "./packet_stacks_rules.ts";
import { PACKET_STACKS_FAULTS } from "./planted/packet_stacks_faults.ts";

testPacketModel<StacksLayout>("packet stacks", PACKET_STACKS, {
  settings: [
    { clients: [["call", "call"]], sleeps: true },
    { clients: [["cast", "call"]], sleeps: true },
    { clients: [["call"], ["cast"]] },
    { packetCount: 2, clients: [["call"], ["call"]] },
    { packetCount: 2, clients: [["overlap"], ["call"]] },
    { clients: [["call"], ["cast"]], serverCount: 2 },
    { packetCount: 2, clients: [["overlap"]], serverCount: 2 },
  ],
  random: [
    { clients: [["call"], ["call"]], sleeps: true },
    { packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2, sleeps: true },
    { packetCount: 3, clients: [["overlap", "cast"], ["overlap", "call"]], serverCount: 2 },
  ],
  planted: PACKET_STACKS_FAULTS,
});
