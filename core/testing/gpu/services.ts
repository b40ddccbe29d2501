import { addServices as registerConformance, TestOpcode } from "../conformance/services.ts";
import type { Server } from "../../toggle/server/server.ts";
import { recvStream, sendStream } from "../../call/stream.ts";

/** What the kernels of this folder ask for, by the names that their WGSL uses. */
export const KernelOpcode = {
  INCREMENT: TestOpcode.increment,
  INTERFACE: TestOpcode.interface,
  ECHO_PLUS_ONE: 40_100,
} as const;

/** The longest stream that is echoed. */
const ECHO_LIMIT_BYTES = 4096;

/** Registers the services: for `startServer`, and for a server of this thread. */
export function addServices(server: Server): void {
  registerConformance(server);
  // Plus one: without it, a lane that never received would still hold the bytes that are expected.
  server.operatePort(KernelOpcode.ECHO_PLUS_ONE, (port) => {
    const bytesByLane = recvStream(port, { limitBytes: ECHO_LIMIT_BYTES });
    sendStream(port, bytesByLane.map((bytes) => bytes?.map((byte) => byte + 1)));
  });
}
