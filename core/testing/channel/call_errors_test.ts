/** A `CallError` names the opcode of its own call, whichever operation throws it. */
import { assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { Client } from "../../toggle/client/client.ts";
import type { Server } from "../../toggle/server/server.ts";
import { oneThread } from "../fixtures/one_thread.ts";

const OPCODE = 41_234;
/** Of other calls of the same client. */
const OTHER = 40_000;
const WORK = { fill: skip, use: skip };
const BYTES = new Uint8Array(1);
const LIMIT = { limitBytes: 8 };
function skip(): void {}

type Call = (client: Client, server: Server) => unknown;

function sent(client: Client, opcode = OPCODE) {
  return client.open(opcode).send(skip);
}

/** Calls that the server refuses. */
const REFUSED: Readonly<Record<string, Call>> = {
  call: (client) => client.call(OPCODE, WORK),
  callAsync: (client) => client.callAsync(OPCODE, WORK),
  recv: (client) => sent(client).recv(skip),
  recvAsync: (client) => sent(client).recvAsync(skip),
  sendTwice: (client) => sent(client).send(skip),
  sendAsyncTwice: (client) => sent(client).sendAsync(skip),
  sendAndRecv: (client) => client.open(OPCODE).sendAndRecv(WORK),
  callMessage: (client) => client.callMessage(OPCODE, BYTES, LIMIT),
  callMessageAsync: (client) => client.callMessageAsync(OPCODE, BYTES, LIMIT),
  reopen(client) {
    const port = client.open(OTHER);
    port.close();
    return client.reopen(port, OPCODE).send(skip).recv(skip);
  },
  tryRecv(client, server) {
    const port = sent(client);
    server.runOnce();
    return port.tryRecv(skip);
  },
};

/** Calls on a channel that has ended, or that ends under them. */
const ENDED: Readonly<Record<string, (client: Client, channel: Channel) => unknown>> = {
  open: (client, channel) => (channel.stop(), client.open(OPCODE)),
  openAsync: (client, channel) => (channel.stop(), client.openAsync(OPCODE)),
  tryOpen: (client, channel) => (channel.stop(), client.tryOpen(OPCODE)),
  call: (client, channel) => (channel.stop(), client.call(OPCODE, WORK)),
  cast: (client, channel) => (channel.stop(), client.cast(OPCODE, skip)),
  callStopped: (client, channel) => client.call(OPCODE, { fill: () => channel.stop(), use: skip }),
  recv(client, channel) {
    const port = sent(client);
    channel.stop();
    return port.recv(skip);
  },
  query(client, channel) {
    const port = sent(client);
    channel.stop();
    return port.query();
  },
  tryRecv(client, channel) {
    const port = sent(client);
    channel.stop();
    return port.tryRecv(skip);
  },
};

function both() {
  const parts = oneThread({ portCount: 4, laneCount: 1 });
  parts.server.operate(OTHER, skip);
  parts.client.call(OTHER, WORK);
  return parts;
}

for (const [name, call] of Object.entries(REFUSED)) {
  Deno.test(`${name}() that the server refuses names its own opcode`, async () => {
    const { client, server, faults } = both();
    const error = await assertRejects(async () => void await call(client, server), CallError);
    assertEquals([error.opcode, error.status], [OPCODE, Status.unhandledOpcode]);
    assertEquals(error.message.includes(`opcode ${OPCODE}`), true);
    assertEquals(faults[0], {
      opcode: OPCODE,
      status: Status.unhandledOpcode,
      portIndex: faults[0]!.portIndex,
    });
  });
}

for (const [name, call] of Object.entries(ENDED)) {
  Deno.test(`${name}() on a channel that has ended names its own opcode`, async () => {
    const { client, channel, server } = both();
    server.runOnce = () => false; // nobody serves any more
    const error = await assertRejects(async () => void await call(client, channel), CallError);
    assertEquals([error.opcode, error.status], [OPCODE, Status.serverGone]);
  });
}
