import { type FourPhaseLayout } from "../../four_phase/layout.ts";
import { FOUR_PHASE } from "./four_phase_rules.ts";
import { testPacketModel } from "./packet_model_tests.ts";
import { FOUR_PHASE_FAULTS } from "./planted/four_phase_faults.ts";

testPacketModel<FourPhaseLayout>("four-phase", FOUR_PHASE, {
  settings: [
    { packetCount: 1, clients: [["call", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["cast", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 1 },
    { packetCount: 1, clients: [["cast"], ["call", "cast"]], serverCount: 1 },
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 2 },
    { packetCount: 1, clients: [["cast"], ["call"]], serverCount: 2 },
    { packetCount: 1, clients: [["call"], ["call"], ["cast"]], serverCount: 1 },
    { packetCount: 2, clients: [["call"], ["call"]], serverCount: 1 },
    { packetCount: 2, clients: [["overlap"], ["call"]], serverCount: 1 },
  ],
  random: [
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["cast", "call"], ["call"]], serverCount: 2, sleeps: true },
    { packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2, sleeps: true },
  ],
  planted: FOUR_PHASE_FAULTS,
});
