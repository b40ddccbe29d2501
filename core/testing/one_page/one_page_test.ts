import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import * as onePage from "../../toggle/one_page.ts";
import { snapshotPort } from "../../toggle/port_snapshot.ts";
import { Server } from "../../toggle/server/server.ts";
import { changedCore } from "../explorer/changed_core.ts";

const OPCODE = 40_000;

function begin() {
  const channel = Channel.create({ portCount: 1, laneCount: 4 });
  return {
    channel,
    client: new onePage.Client(channel),
    server: new onePage.Server(channel),
    state() {
      const { clientOutbox, serverOutbox, owner, clientLock, serverLock } = snapshotPort(
        channel,
        0,
      );
      return [clientOutbox, serverOutbox, owner, clientLock, serverLock];
    },
  };
}

function increment(packet: Packet): void {
  packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1));
}

Deno.test("one page: mailboxes and locks at each step of two calls", () => {
  const { client, server, state } = begin();
  for (const [even, odd] of [[0, 1], [1, 0]]) {
    assertEquals(state(), [even, even, "client", 0, 0]);
    const port = client.open(OPCODE);
    assertEquals(state(), [even, even, "client", 1, 0]);
    port.send((packet) => packet.setUint32(2, 0, 41));
    assertEquals(state(), [odd, even, "server", 1, 0]);
    const count = server.runAll((found) => {
      assertEquals(found.opcode, OPCODE);
      assertEquals(state(), [odd, even, "server", 1, 2]);
      found.recv(increment);
      assertEquals(state(), [odd, even, "server", 1, 2]);
    });
    assertEquals(count, 1);
    assertEquals(state(), [odd, odd, "client", 1, 0]);
    port.recv((packet) => assertEquals(packet.getUint32(2, 0), 42)).close();
    assertEquals(state(), [odd, odd, "client", 0, 0]);
    assertEquals(server.runAll(() => {}), 0);
  }
});

Deno.test("one page: the lanes of a call are those of its mask, on either side", () => {
  const { client, server } = begin();
  const mask = laneMask(1, 3);
  const seen: number[] = [];
  const port = client.open(OPCODE, { mask });
  port.send((packet) => packet.forEachLane((lane) => seen.push(lane)));
  server.runAll((found) => found.recv((packet) => assertEquals(packet.mask, mask)));
  port.close();
  assertEquals(seen, [1, 3]);
});

Deno.test("one page: an opcode that nobody knows is refused, by either side's server", () => {
  const { channel, client, server } = begin();
  const library = new Server(channel);
  const work = { fill: () => {}, use: () => {} };
  const refuse = (port: onePage.Port) => port.refuse(Status.unhandledOpcode);
  const sent = client.open(OPCODE).send(work.fill);
  server.runAll(refuse);
  assertThrows(() => sent.recv(work.use), CallError, "no handler");
  sent.close();
  const again = client.open(OPCODE).send(work.fill);
  library.runOnce();
  assertThrows(() => again.recv(work.use), CallError, "no handler");
  again.close();
  const theirs = new Client(channel).open(OPCODE).send(work.fill);
  server.runAll(refuse);
  assertThrows(() => theirs.recv(work.use), CallError, "no handler");
  theirs.close();
});

Deno.test("one page: a call goes on with the next packet, whose opcode no server knows", () => {
  const { client, server } = begin();
  const opcodes: number[] = [];
  const answer = (found: onePage.Port) => void opcodes.push(found.opcode);
  const port = client.open(OPCODE).send(() => {});
  server.runAll(answer);
  port.recv(() => {}).send(() => {});
  server.runAll(answer);
  port.close();
  assertEquals([opcodes[0], opcodes[1]! < 0], [OPCODE, true]);
});

Deno.test("one page: a callback that throws leaves no port locked", () => {
  const { client, server, state } = begin();
  const fail = () => {
    throw new RangeError("no such number");
  };
  assertThrows(() => client.call(OPCODE, { fill: fail, use: fail }), RangeError);
  client.open(OPCODE).send(() => {}).close();
  assertThrows(() => server.runAll((port) => port.recv(fail)), RangeError);
  assertEquals(state(), [1, 1, "client", 0, 0]);
});

Deno.test("one page: other designs than the default are refused", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1, portLock: "fetch-or" });
  assertThrows(() => new onePage.Client(channel), TypeError, "portLock must be owner");
  assertThrows(() => new onePage.Server(channel), TypeError, "portLock must be owner");
});

Deno.test("one page: a wait ends after so many looks", async () => {
  const place = "toggle/one_page.ts LOOKS_MAX";
  const impatient = await changedCore({ faults: [{ place, from: "2 ** 30", to: "100" }] });
  const client = new impatient.onePage.Client(
    impatient.Channel.create({ portCount: 1, laneCount: 1 }),
  );
  const port = client.open(OPCODE);
  assertThrows(() => client.open(OPCODE), DOMException, "No port gets free");
  assertThrows(() => port.send(() => {}).recv(() => {}), DOMException, "did not answer");
});
