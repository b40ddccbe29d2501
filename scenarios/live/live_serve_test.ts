import { liveServe } from "./live_serve.ts";
import { testLive } from "./on_live_lab_test.ts";

testLive(liveServe, [{ portCount: 1, laneCount: 4 }]);
