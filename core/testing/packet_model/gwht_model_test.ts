import type { GwhtLayout } from "../../gwht/layout.ts";
import { GWHT } from "./gwht_rules.ts";
import { testPacketModel } from "./packet_model_tests.ts";
import { GWHT_FAULTS } from "./planted/gwht_faults.ts";

const ONE_CALL = { packetCount: 1, clients: [["call"]], serverCount: 1 } as const;

testPacketModel<GwhtLayout>("GWHT", GWHT, {
  settings: [
    { ...ONE_CALL, sleeps: true },
    { ...ONE_CALL, clients: [["cast", "call"]], sleeps: true },
    { ...ONE_CALL, clients: [["call"], ["call"]] },
    { ...ONE_CALL, clients: [["cast", "call"]] },
    { ...ONE_CALL, clients: [["cast"], ["call"]] },
    { ...ONE_CALL, serverCount: 2 },
    { ...ONE_CALL, clients: [["call"], ["call"]], serverCount: 2 },
    { ...ONE_CALL, packetCount: 2, clients: [["call"], ["call"]] },
  ],
  random: [
    { ...ONE_CALL, clients: [["call", "call"]], sleeps: true },
    { ...ONE_CALL, clients: [["cast", "call"], ["call"]], serverCount: 2, sleeps: true },
    { ...ONE_CALL, packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2 },
  ],
  planted: GWHT_FAULTS,
});
