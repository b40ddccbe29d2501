import { livePrintf } from "./live_printf.ts";
import { testLive } from "./on_live_lab_test.ts";

testLive(livePrintf, [{ laneBytes: 1024, laneCount: 8 }], { controls: false });
