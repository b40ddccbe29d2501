import { liveNoCall } from "./live_no_call.ts";
import { testLive } from "./on_live_lab_test.ts";

testLive(liveNoCall, [{}]);
