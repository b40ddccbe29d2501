import { liveCall } from "./live_call.ts";
import { testLive } from "./on_live_lab_test.ts";

const shape = { portCount: 1, laneCount: 4, waveCount: 2, wave: "subgroup" } as const;

testLive(liveCall, [{ ...shape, servers: "here" }]);
testLive(liveCall, [{ ...shape, wave: "workgroup", servers: "2_workers" }], { controls: false });
