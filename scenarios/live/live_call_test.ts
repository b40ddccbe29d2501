import { liveCall } from "./live_call.ts";
import { testLive } from "./on_live_lab_test.ts";

const shape = { portCount: 1, laneCount: 4, waveCount: 2, wave: "workgroup" } as const;

testLive(liveCall, [{ ...shape, servers: "here" }]);
testLive(liveCall, [{ ...shape, servers: "2_workers" }], { controls: false });
