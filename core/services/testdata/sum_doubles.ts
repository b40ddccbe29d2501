// How a service is added, as a module that a test follows. A real one may lie anywhere: `startServer`
// takes its URL.
import type { Packet, Server } from "../../mod.ts";

/** An opcode of the user's: from 32768 to 65535. */
export const SUM_DOUBLES = 40_100;

/** What `startServer` calls when it has loaded the module. */
export function addServices(server: Server): void {
  server.operate(SUM_DOUBLES, sumDoubles);
}

/** Replaces the first double of each lane that takes part by the sum of its eight. */
function sumDoubles(packet: Packet): void {
  packet.forEachLane((lane) => {
    let sum = 0;
    for (let double = 0; double < 8; double++) sum += packet.getFloat64(lane, double);
    packet.setFloat64(lane, 0, sum);
  });
}
