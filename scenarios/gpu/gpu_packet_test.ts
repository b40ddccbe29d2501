import { allPoints } from "../axis.ts";
import { gpuPacket } from "./gpu_packet.ts";
import { testOneDispatch } from "./on_one_dispatch_test.ts";

for (const point of allPoints(gpuPacket.axes)) testOneDispatch(gpuPacket, point);
