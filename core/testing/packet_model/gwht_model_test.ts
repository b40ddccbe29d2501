import type { GwhtLayout } from "../../gwht/layout.ts";
import { GWHT } from "./gwht_rules.ts";
import { testPacketModel } from "./packet_model_tests.ts";
import { GWHT_FAULTS } from "./planted/gwht_faults.ts";

testPacketModel<GwhtLayout>("GWHT", GWHT, {
  settings: [
    { sleeps: true },
    { clients: [["cast", "call"]], sleeps: true },
    { clients: [["call"], ["call"]] },
    { clients: [["cast", "call"]] },
    { clients: [["cast"], ["call"]] },
    { serverCount: 2 },
    { clients: [["call"], ["call"]], serverCount: 2 },
    { packetCount: 2, clients: [["call"], ["call"]] },
  ],
  random: [
    { clients: [["call", "call"]], sleeps: true },
    { clients: [["cast", "call"], ["call"]], serverCount: 2, sleeps: true },
    { packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2 },
  ],
  planted: GWHT_FAULTS,
});
