/** An object that a server worker serves, for tests. */
import type { Server } from "../../toggle/server/server.ts";
import { serveObjects } from "../object/serve_objects.ts";

let sum = 0;

export const counter = {
  add(value: number): number {
    if (typeof value !== "number") throw new TypeError("Cannot add it as it must be a number");
    return sum += value;
  },
};

/** What `startServer` calls. */
export function register(server: Server): void {
  serveObjects(server, { counter });
}
