import { assertEquals, assertThrows } from "@std/assert";
import type { PacketFault } from "../../one_packet/packet_server.ts";
import { Status } from "../../memory/status.ts";
import {
  FAILING_LISTENERS,
  LISTENER_REPORTS,
  listenForReports,
} from "../../testing/fixtures/failing_listeners.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { CommandWriter } from "../command_writer.ts";
import { NO_SLOT } from "../return_slots.ts";
import { Server } from "./server.ts";

const NO_BYTES = new Uint8Array();

function begin() {
  const channel = Channel.create({ slotCount: 2, cellCount: 4 });
  const faults: PacketFault[] = [];
  const server = new Server(channel, { onFault: (fault) => faults.push(fault) });
  return { channel, server, faults, writer: new CommandWriter(channel) };
}

Deno.test("command ring Server refuses ids and slots that are none, and serves on", () => {
  const { server, faults, writer } = begin();
  let count = 0;
  server.register("count", () => ++count);
  for (const [id, slot] of [[7, 0], [-1, 1], [0, 99], [0, -5], [0, NO_SLOT]] as const) {
    assertEquals(writer.tryWrite({ id, bytes: NO_BYTES, slot }), "sent");
    assertEquals(server.serveOnce(), true);
  }
  assertEquals(faults.map(({ status }) => status), [
    Status.unhandledOpcode,
    Status.unhandledOpcode,
  ]);
  assertEquals(count, 3);
});

Deno.test("command ring Server: a result that is no number is the function's failure", () => {
  const { channel, server, faults } = begin();
  server.register("nothing", () => NaN);
  server.register("later", (() => Promise.resolve(1)) as unknown as () => number);
  const client = new Client(channel);
  for (const name of ["nothing", "later"]) client.tryCast(name, NO_BYTES);
  while (server.serveOnce());
  assertEquals(faults.map(({ status }) => status), [Status.handlerFailed, Status.handlerFailed]);
});

Deno.test("command ring Server.register() refuses what is no function, and takes no name for it", () => {
  const { channel, server } = begin();
  const missing = undefined as unknown as () => number;
  assertThrows(
    () => server.register("open", missing),
    TypeError,
    "open as there must be a function",
  );
  assertEquals(new Client(channel).resolve("open"), undefined);
});

Deno.test("command ring Server: what onFault throws is reported, at once or later", async () => {
  const reports = listenForReports();
  for (const onFault of FAILING_LISTENERS) {
    const channel = Channel.create({ slotCount: 1, cellCount: 4 });
    const server = new Server(channel, { onFault });
    server.register("nothing", () => NaN);
    assertEquals(new Client(channel).tryCast("nothing", NO_BYTES), "sent");
    assertEquals(server.serveOnce(), true);
  }
  assertEquals(await reports(), LISTENER_REPORTS);
});

Deno.test("command ring Server.serve() ends when the ring is stopped", () => {
  const { channel, server } = begin();
  server.register("stop", () => (channel.stop(), 0));
  new Client(channel).tryCast("stop", NO_BYTES);
  server.serve();
  assertEquals(channel.isStopped, true);
});
