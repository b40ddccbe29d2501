import { assertEquals, assertThrows } from "@std/assert";
import type { PacketFault } from "../one_packet/packet_server.ts";
import { Status } from "../memory/status.ts";
import {
  FAILING_LISTENERS,
  LISTENER_REPORTS,
  listenForReports,
} from "../testing/fixtures/failing_listeners.ts";
import { COMMAND_RING } from "./command_ring.ts";
import { RingClient } from "./ring_client.ts";
import { CommandWriter } from "./command_writer.ts";
import { NO_SLOT } from "./return_slots.ts";
import { RingServer } from "./ring_server.ts";

const NO_BYTES = new Uint8Array();

function begin() {
  const channel = COMMAND_RING.create({ slotCount: 2, cellCount: 4 });
  const faults: PacketFault[] = [];
  const server = new RingServer(channel, { onFault: (fault) => faults.push(fault) });
  return { channel, server, faults, writer: new CommandWriter(channel) };
}

Deno.test("RingServer rejects unknown ids and slots, and continues to serve", () => {
  const { server, faults, writer } = begin();
  let count = 0;
  server.register("count", () => ++count);
  for (const [id, slot] of [[7, 0], [-1, 1], [0, 99], [0, -5], [0, NO_SLOT]] as const) {
    assertEquals(writer.tryWrite({ id, bytes: NO_BYTES, slot }), "sent");
    assertEquals(server.runOnce(), true);
  }
  assertEquals(faults.map(({ status }) => status), [
    Status.unhandledOpcode,
    Status.unhandledOpcode,
  ]);
  assertEquals(count, 3);
});

Deno.test("RingServer: a result that is not a number is the function's failure", () => {
  const { channel, server, faults } = begin();
  server.register("nothing", () => NaN);
  server.register("later", (() => Promise.resolve(1)) as unknown as () => number);
  const client = new RingClient(channel);
  for (const name of ["nothing", "later"]) client.tryCast(name, NO_BYTES);
  while (server.runOnce());
  assertEquals(faults.map(({ status }) => status), [Status.handlerFailed, Status.handlerFailed]);
});

Deno.test("RingServer.register() rejects anything but a function, and takes no name for it", () => {
  const { channel, server } = begin();
  const missing = undefined as unknown as () => number;
  assertThrows(
    () => server.register("open", missing),
    TypeError,
    "open as there must be a function",
  );
  assertEquals(new RingClient(channel).resolve("open"), undefined);
});

Deno.test("RingServer: what onFault throws is reported, at once or later", async () => {
  const reports = listenForReports();
  for (const onFault of FAILING_LISTENERS) {
    const channel = COMMAND_RING.create({ slotCount: 1, cellCount: 4 });
    const server = new RingServer(channel, { onFault });
    server.register("nothing", () => NaN);
    assertEquals(new RingClient(channel).tryCast("nothing", NO_BYTES), "sent");
    assertEquals(server.runOnce(), true);
  }
  assertEquals(await reports(), LISTENER_REPORTS);
});

Deno.test("RingServer.run() ends when the ring is stopped", () => {
  const { channel, server } = begin();
  server.register("stop", () => (channel.stop(), 0));
  new RingClient(channel).tryCast("stop", NO_BYTES);
  server.run();
  assertEquals(channel.isStopped, true);
});
