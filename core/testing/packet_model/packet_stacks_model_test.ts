import type { StacksLayout } from "../../packet_stacks/layout.ts";
import { testPacketModel } from "./packet_model_tests.ts";
import { PACKET_STACKS } from "./packet_stacks_rules.ts";
import { PACKET_STACKS_FAULTS } from "./planted/packet_stacks_faults.ts";

testPacketModel<StacksLayout>("packet stacks", PACKET_STACKS, {
  settings: [
    { packetCount: 1, clients: [["call", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["cast", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["call"], ["cast"]], serverCount: 1 },
    { packetCount: 2, clients: [["call"], ["call"]], serverCount: 1 },
    { packetCount: 2, clients: [["overlap"], ["call"]], serverCount: 1 },
    { packetCount: 1, clients: [["call"], ["cast"]], serverCount: 2 },
    { packetCount: 2, clients: [["overlap"]], serverCount: 2 },
  ],
  random: [
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 1, sleeps: true },
    { packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2, sleeps: true },
    { packetCount: 3, clients: [["overlap", "cast"], ["overlap", "call"]], serverCount: 2 },
  ],
  planted: PACKET_STACKS_FAULTS,
});
