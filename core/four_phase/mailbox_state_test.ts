import { assertEquals } from "@std/assert";
import { ClientState, clientState, ServerState, serverState } from "./mailbox_state.ts";

Deno.test("four-phase: both tables, with the same mailboxes seen from both sides", () => {
  // The client's and the server's outbox along one synchronous call, in its order.
  const call = [[0, 0], [1, 0], [1, 1], [0, 1]] as const;
  assertEquals(call.map(([client, server]) => clientState(server, client)), [
    ClientState.idle,
    ClientState.posted,
    ClientState.result,
    ClientState.finished,
  ]);
  assertEquals(call.map(([client, server]) => serverState(client, server)), [
    ServerState.idle,
    ServerState.work,
    ServerState.waiting,
    ServerState.garbage,
  ]);
});

Deno.test("four-phase: at most one side owns the packet in every state", () => {
  for (const [client, server] of [[0, 0], [0, 1], [1, 0], [1, 1]] as const) {
    const isClients = clientState(server, client) === ClientState.result;
    const isServers = serverState(client, server) === ServerState.work;
    assertEquals(isClients && isServers, false);
  }
});

Deno.test("four-phase: garbage from the other side counts as 1", () => {
  assertEquals(clientState(-7, 0), ClientState.finished);
  assertEquals(serverState(256, 0), ServerState.work);
});
