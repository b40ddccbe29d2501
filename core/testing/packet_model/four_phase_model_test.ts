import { type FourPhaseLayout } from "../../four_phase/layout.ts";
import { FOUR_PHASE } from "./four_phase_rules.ts";
import { testPacketModel } from "./packet_model_tests.ts";
import { FOUR_PHASE_FAULTS } from "./planted/four_phase_faults.ts";

testPacketModel<FourPhaseLayout>("four-phase", FOUR_PHASE, {
  settings: [
    { clients: [["call", "call"]], sleeps: true },
    { clients: [["cast", "call"]], sleeps: true },
    { clients: [["call"], ["call"]] },
    { clients: [["cast"], ["call", "cast"]] },
    { clients: [["call"], ["call"]], serverCount: 2 },
    { clients: [["cast"], ["call"]], serverCount: 2 },
    { clients: [["call"], ["call"], ["cast"]] },
    { packetCount: 2, clients: [["call"], ["call"]] },
    { packetCount: 2, clients: [["overlap"], ["call"]] },
  ],
  random: [
    { clients: [["call"], ["call"]], sleeps: true },
    { clients: [["cast", "call"], ["call"]], serverCount: 2, sleeps: true },
    { packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2, sleeps: true },
  ],
  planted: FOUR_PHASE_FAULTS,
});
