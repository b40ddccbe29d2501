import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Channel } from "../four_phase/channel.ts";
import { Client } from "../four_phase/client/client.ts";
import { Server } from "../four_phase/server/server.ts";
import { Status } from "../memory/status.ts";
import {
  FAILING_LISTENERS,
  LISTENER_REPORTS,
  listenForReports,
} from "../testing/fixtures/failing_listeners.ts";
import type { PacketFault } from "./packet_server.ts";

const OPCODE = 40_000;

function begin() {
  const channel = Channel.create({ packetCount: 8, laneCount: 1 });
  const faults: PacketFault[] = [];
  const server = new Server(channel, { onFault: (fault) => faults.push(fault) });
  const client = new Client(channel);
  const statusOf = (opcode: number): Status => {
    const call = client.tryPost(opcode, () => {})!;
    return finish(() => call.tryFinish(() => {}));
  };
  const finish = (end: () => void): Status => {
    server.serveOnce();
    try {
      end();
    } catch (error) {
      if (error instanceof CallError) return error.status;
      throw error;
    }
    return Status.ok;
  };
  return { channel, server, client, faults, statusOf, finish };
}

Deno.test("PacketServer.operate() takes user opcodes only, and replaces", () => {
  const { server, statusOf } = begin();
  assertThrows(() => server.operate(1, () => {}), RangeError, "reserved");
  const missing = undefined as unknown as () => void;
  assertThrows(() => server.operate(OPCODE, missing), TypeError, "opcode 40000 as there must be");
  assertEquals(statusOf(OPCODE), Status.unhandledOpcode);
  server.operate(OPCODE, () => {
    throw new Error("first");
  });
  assertEquals(statusOf(OPCODE), Status.handlerFailed);
  server.operate(OPCODE, () => {});
  assertEquals(statusOf(OPCODE), Status.ok);
});

Deno.test("PacketServer refuses a function that turns out to be asynchronous", () => {
  const { server, faults, statusOf } = begin();
  server.operate(OPCODE, (async () => {}) as unknown as () => void);
  assertEquals(statusOf(OPCODE), Status.handlerFailed);
  assertEquals(faults[0]!.cause instanceof TypeError, true);
});

Deno.test("PacketServer refuses a header that is none, and serves the next call", () => {
  const { channel, server, client, faults, finish } = begin();
  server.operate(OPCODE, () => {});
  const { plain } = channel.words;
  const { headersWord } = channel.layout;
  // Mask low and high, and the opcode, as a broken client would write them.
  for (const [mask, high, opcode] of [[0, 0, OPCODE], [2, 0, OPCODE], [1, 1, OPCODE], [1, 0, -1]]) {
    const call = client.tryPost(OPCODE, ({ index }) => {
      plain.set([mask!, high!, opcode!], headersWord + index * 4);
    })!;
    const status = finish(() => call.tryFinish(() => {}));
    assertEquals(status, opcode === -1 ? Status.unhandledOpcode : Status.badMask);
  }
  assertEquals(faults.length, 4);
});

Deno.test("PacketServer: what onFault throws is reported, at once or later", async () => {
  const { channel, client } = begin();
  const reports = listenForReports();
  for (const listen of FAILING_LISTENERS) {
    const server = new Server(channel, { onFault: listen });
    client.tryCast(OPCODE, () => {});
    assertEquals(server.serveOnce(), true);
  }
  assertEquals(await reports(), LISTENER_REPORTS);
});

Deno.test("PacketServer.serve() and serveAsync() end when the channel is stopped", async () => {
  const { channel, server, client } = begin();
  let servedCount = 0;
  server.operate(OPCODE, () => void servedCount++);
  client.tryCast(OPCODE, () => {});
  const serving = server.serveAsync();
  await client.callAsync(OPCODE, { fill: () => {}, use: () => {} });
  channel.stop();
  await serving;
  server.serve();
  assertEquals(servedCount, 2);
});
