/** Bad news: what each side learns when the other refuses, fails, leaves or dies. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Client } from "../../toggle/client/client.ts";
import { lanesOf, maskOf } from "../../memory/lane_mask.ts";
import { evictClient } from "../../toggle/evict.ts";
import { lockOwner } from "../../toggle/mailbox.ts";
import { Status } from "../../memory/status.ts";
import { recvBytes, sendBytes } from "../../call/stream.ts";
import { echoOnce } from "./grid_programs.ts";
import { oneThread } from "../fixtures/one_thread.ts";
import { increment, register, TestOpcode } from "./services.ts";
import { type RunningClient, TestBed } from "./test_bed.ts";
import { statusOf } from "../fixtures/status_of.ts";

const INCREMENT = TestOpcode.increment;

/** A program that was asked to leave before it held anything would have nothing to show. */
async function untilHolding({ channel }: TestBed, { clientId }: RunningClient): Promise<void> {
  const { portCount, clientLockWord } = channel.layout;
  const isHeld = (index: number) =>
    lockOwner(channel.words.load(clientLockWord + index)) === clientId;
  while (!Array.from({ length: portCount }, (_, index) => index).some(isHeld)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

Deno.test("A handler that throws reaches the caller with its message, and the server lives", () => {
  const { client, server, faults } = oneThread({ portCount: 1, laneCount: 4 });
  register(server);
  const call = () => client.call(TestOpcode.fails, { fill: () => {}, use: () => {} });
  const error = assertThrows(call, CallError, "lane 1 is odd");
  assertEquals(error.status, Status.handlerFailed);
  assertEquals(faults.map(({ status, opcode }) => [status, opcode]), [[
    Status.handlerFailed,
    TestOpcode.fails,
  ]]);
  client.call(TestOpcode.fails, { fill: () => {}, use: () => {} }, { mask: maskOf(0, 2) });
});

Deno.test("A stream beyond the server's limit is refused without harm to the port", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  for (const lengthBytes of [4097, 100_000]) {
    const status = statusOf(() => echoOnce(client, [new Uint8Array(lengthBytes)]));
    assertEquals(status, Status.lengthRefused);
    echoOnce(client, [new Uint8Array(4096).fill(9)]);
  }
});

Deno.test("A stream beyond the client's limit is refused, and the server is free again", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  for (let repetition = 0; repetition < 3; repetition++) {
    const port = client.open(TestOpcode.echo);
    sendBytes(port, [new Uint8Array(500)]);
    assertThrows(() => recvBytes(port, { limitBytes: 499 }), RangeError, "500 bytes");
    port.close();
  }
  echoOnce(client, [new Uint8Array(500)]);
});

Deno.test("A client that goes on with a call whose handler has left is told so", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  using port = client.open(TestOpcode.leavesEarly);
  const flow = port.send(() => {}).recv(() => {});
  assertEquals(statusOf(() => flow.send(() => {}).recv(() => {})), Status.outOfStep);
});

Deno.test("A server whose client left in the middle of a call serves the next call", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  client.open(TestOpcode.sendsTwice).send(() => {}).recv(() => {}).close();
  echoOnce(client, [new Uint8Array(70)]);
});

Deno.test("A client that is asked to leave gives its ports back; the others never stop", async () => {
  await using bed = await TestBed.start({ portCount: 4, laneCount: 32, serverCount: 2 });
  const working = await bed.startClient("countUp");
  for (const program of ["holdUntilAsked", "holdInCall"] as const) {
    const leaving = await bed.startClient(program);
    await untilHolding(bed, leaving);
    const report = await evictClient(bed.channel, leaving.clientId, { timeoutSeconds: 10 });
    assertEquals(report, { hasLeft: true, heldPortCount: 0 });
    assertEquals(await leaving.done, Status.askedToLeave);
  }
  await working.done;
  const client = new Client(bed.channel);
  const ports = Array.from({ length: 4 }, () => client.open(INCREMENT, { timeoutSeconds: 5 }));
  for (const port of ports) port.sendAndRecv({ fill: () => {}, use: () => {} }).close();
});

Deno.test("A client that does not answer keeps its port until it comes back", async () => {
  await using bed = await TestBed.start({ portCount: 2, laneCount: 1 });
  const deaf = await bed.startClient("holdDeaf");
  await untilHolding(bed, deaf);
  const report = await evictClient(bed.channel, deaf.clientId, { timeoutSeconds: 0.02 });
  assertEquals(report, { hasLeft: false, heldPortCount: 1 });
  const client = new Client(bed.channel);
  using only = client.open(INCREMENT);
  assertEquals(client.tryOpen(INCREMENT), undefined);
  assertEquals(await deaf.done, Status.askedToLeave);
  client.open(INCREMENT, { timeoutSeconds: 5 }).close();
  only.sendAndRecv({ fill: () => {}, use: () => {} });
});

Deno.test("Garbage in a header is refused, and the server lives", () => {
  const { channel, client, server, faults } = oneThread({ portCount: 1, laneCount: 4 });
  server.operate(INCREMENT, increment);
  const { headersWord } = channel.layout;
  const { plain } = channel.words;
  const garbage = [[0, 0, INCREMENT], [0x10, 0, INCREMENT], [1, 1, INCREMENT], [1, 0, 0x7fffffff], [
    1,
    0,
    70_000,
  ]];
  for (const words of garbage) {
    const port = client.open(INCREMENT);
    words.forEach((word, offset) => plain[headersWord + offset] = word);
    assert(statusOf(() => port.sendAndRecv({ fill: () => {}, use: () => {} })) !== Status.ok);
    port.close();
  }
  assertEquals(faults.map(({ status }) => status), [4, 4, 4, 1, 1]);
  assertEquals(lanesOf(maskOf(0)), [0]);
  client.call(INCREMENT, { fill: () => {}, use: () => {} });
});
