import { liveWait } from "./live_wait.ts";
import { testLive } from "./on_live_lab_test.ts";

// Those that sleep: the ringer wakes one, and the time the other.
testLive(liveWait, [{ waiting: "park", restRounds: 1000 }, { waiting: "nap", restRounds: 1000 }]);
