import { controlsOf } from "../scenario.ts";
import { gpuLive } from "./gpu_live.ts";
import { testOneDispatch } from "./on_one_dispatch_test.ts";

testOneDispatch(gpuLive, { portCount: 16, laneCount: 8, lock: "cas" }, controlsOf(gpuLive));
