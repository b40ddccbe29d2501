import { assertEquals } from "@std/assert";
import { WorkerLink } from "../../worker/worker_link.ts";
import type { FamilyRequest } from "./family_opcodes.ts";
import { FAMILY } from "./protocols.ts";

const CALL_COUNT = 300;
const CLIENT_COUNT = 3;

for (const [protocol, { create, hasOneServer }] of Object.entries(FAMILY)) {
  for (const [callCount, serversWanted] of [[1, 1], [2, 2], [8, 2]] as const) {
    const serverCount = hasOneServer ? 1 : serversWanted;
    const plan = `room for ${callCount}, ${serverCount} servers`;
    Deno.test(`${protocol}: ${CLIENT_COUNT} client workers get every answer, ${plan}`, async () => {
      const { handle, stop } = create(callCount);
      const links: WorkerLink<FamilyRequest, "serves">[] = [];
      const start = (request: FamilyRequest, onNote = () => {}) => {
        const url = new URL("./family_worker.ts", import.meta.url);
        const link = new WorkerLink<FamilyRequest, "serves">(url, { onNote });
        links.push(link);
        return link.ask<number>(request);
      };
      try {
        const serving = Array.from({ length: serverCount }, () => Promise.withResolvers<void>());
        const servers = serving.map(({ resolve }) =>
          start({ kind: "serve", protocol, handle }, resolve)
        );
        // Ended below where a client fails: what the client says is the news then.
        for (const server of servers) server.catch(() => {});
        // A name that nobody has registered yet is refused.
        await Promise.all(serving.map(({ promise }) => promise));
        const clients = Array.from({ length: CLIENT_COUNT }, (_, client) =>
          start({
            kind: "call",
            protocol,
            handle,
            first: client * CALL_COUNT,
            callCount: CALL_COUNT,
          }));
        assertEquals(await Promise.all(clients), Array(CLIENT_COUNT).fill(0));
        stop();
        const served = await Promise.all(servers);
        assertEquals(served.reduce((sum, count) => sum + count), CLIENT_COUNT * CALL_COUNT);
      } finally {
        for (const link of links) link.terminate();
      }
    });
  }
}
