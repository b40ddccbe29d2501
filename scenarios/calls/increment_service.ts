import type { Server } from "../../core/mod.ts";
import { INCREMENT_OPCODE, incrementLanes } from "./increment.ts";

/** What `startServer` calls when it has loaded the module: a server in a Worker of its own. */
export function register(server: Server): void {
  server.operate(INCREMENT_OPCODE, (packet) => incrementLanes(packet));
}
