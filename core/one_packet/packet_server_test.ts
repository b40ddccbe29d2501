import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { FOUR_PHASE } from "../four_phase/four_phase.ts";
import { Status } from "../memory/status.ts";
import {
  FAILING_LISTENERS,
  LISTENER_REPORTS,
  listenForReports,
} from "../testing/fixtures/failing_listeners.ts";
import type { PacketFault } from "./packet_server.ts";

const OPCODE = 40_000;

function begin() {
  const channel = FOUR_PHASE.create({ packetCount: 8, laneCount: 1 });
  const faults: PacketFault[] = [];
  const server = FOUR_PHASE.server(channel, { onFault: (fault) => faults.push(fault) });
  const client = FOUR_PHASE.client(channel);
  const statusOf = (opcode: number): Status => {
    const call = client.tryPost(opcode, () => {})!;
    return finish(() => call.tryFinish(() => {}));
  };
  const finish = (end: () => void): Status => {
    server.runOnce();
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

Deno.test("PacketServer rejects a function that turns out to be asynchronous", () => {
  const { server, faults, statusOf } = begin();
  server.operate(OPCODE, (async () => {}) as unknown as () => void);
  assertEquals(statusOf(OPCODE), Status.handlerFailed);
  assertEquals(faults[0]!.cause instanceof TypeError, true);
});

Deno.test("PacketServer rejects an invalid header, and serves the next call", () => {
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
    const server = FOUR_PHASE.server(channel, { onFault: listen });
    client.tryCast(OPCODE, () => {});
    assertEquals(server.runOnce(), true);
  }
  assertEquals(await reports(), LISTENER_REPORTS);
});

Deno.test("PacketServer.run() and runAsync() end when the channel is stopped", async () => {
  const { channel, server, client } = begin();
  let servedCount = 0;
  server.operate(OPCODE, () => void servedCount++);
  client.tryCast(OPCODE, () => {});
  const serving = server.runAsync();
  await client.callAsync(OPCODE, { fill: () => {}, use: () => {} });
  channel.stop();
  await serving;
  server.run();
  assertEquals(servedCount, 2);
});
