/** What ends a client's waits, and what it does before them. */
import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { sendStream } from "../../call/stream.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { Deadline, type WaitOptions } from "../../wait/deadline.ts";
import type { WaitGuard } from "../../wait/inbox_waiter.ts";
import { Channel } from "../channel.ts";
import { CallAbandonedError } from "../server/server_side.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

const OPCODE = 40_000;
function skip(): void {}

Deno.test("an operation that is given an aborted signal begins nothing", async () => {
  const { client, server } = oneThread({ portCount: 8, laneCount: 1 });
  const options = { signal: AbortSignal.abort(new Error("called off")), limitBytes: 8 };
  const work = { fill: skip, use: skip };
  const bytes = new Uint8Array(1);
  using port = client.open(0);
  const blocking = [
    () => client.open(0, options),
    () => client.call(0, work, options),
    () => client.cast(0, skip, options),
    () => client.callMessage(0, bytes, options),
    () => port.send(skip, options),
    () => port.sendAndRecv(work, options),
    () => sendStream(port, [bytes], options),
  ];
  for (const operation of blocking) assertThrows(operation, Error, "called off");
  const asynchronous = [
    () => client.openAsync(0, options),
    () => client.callAsync(0, work, options),
    () => client.callMessageAsync(0, bytes, options),
    () => port.sendAsync(skip, options),
  ];
  for (const operation of asynchronous) await assertRejects(operation, Error, "called off");
  assertEquals(server.runAll(), 0);
});

Deno.test("a deadline of the whole call ends it also where no packet is waited for", () => {
  const { client, server } = oneThread({ portCount: 2, laneCount: 1 });
  server.operate(OPCODE, skip);
  const bytes = [new Uint8Array(1 << 20)];
  const deadline = new Deadline({ timeoutSeconds: 0.02 });
  using limited = client.open(OPCODE, deadline);
  using free = client.open(OPCODE);
  const late = () => {
    while (deadline.leftMilliseconds > 0);
  };
  const sent = limited.send(late);
  assert(server.runOnce());
  assertEquals(assertThrows(() => sent.recv(skip), DOMException).name, "TimeoutError");
  assertThrows(() => sendStream(free, bytes, deadline), DOMException, "within 0.02 s");
  sent.recv(skip, { timeoutSeconds: 1 }); // with a limit of its own it may be tried again
});

for (const way of ["call", "send"] as const) {
  Deno.test(`a server that sleeps in a call that was left is woken by the next ${way}`, async () => {
    const channel = Channel.create({ portCount: 1, laneCount: 1 });
    const left = new Client(channel).open(OPCODE).send(skip);
    const serving = new Server(channel).tryOpen()!.recv(skip).send(skip);
    left.recv(skip).close();
    const parked: number[] = [];
    const look = () => parked.push(channel.words.load(channel.layout.serverParkedWord));
    const waiter = {
      wait(_index: number, _foreign: number, guard: WaitGuard) {
        guard.check(); // as before a sleep
        look();
        throw new Error("looked");
      },
      waitAsync: () => Promise.resolve(),
    };
    const next = new Client(channel, { waiter });
    let slept: Promise<unknown> | undefined;
    const fill = () => {
      // The port has a client again, but not yet its packet: the server cannot tell it from the first.
      slept = assertRejects(() => serving.recvAsync(skip), CallAbandonedError, "left the call");
      look();
    };
    if (way === "call") assertThrows(() => next.call(OPCODE, { fill, use: skip }), Error, "looked");
    else {
      next.open(OPCODE).send(fill);
      look();
    }
    assertEquals(parked, [1, 0]);
    await slept;
  });
}

for (const way of ["recvAsync", "sendAsync"] as const) {
  Deno.test(`a port that is closed when ${way} has just got its packet is left alone`, async () => {
    for (let turnCount = 0; turnCount < 12; turnCount++) {
      const { promise: replied, resolve: reply } = Promise.withResolvers<void>();
      const channel = Channel.create({ portCount: 1, laneCount: 1 });
      const waiter = { wait: skip, waitAsync: () => replied };
      const port = new Client(channel, { waiter }).open(0).send(skip);
      let isClosed = false;
      const waiting = port[way](() => assert(!isClosed, "the packet may be another's")).catch(skip);
      new Server(channel).runAll();
      reply();
      for (let turn = 0; turn < turnCount; turn++) await undefined;
      port.close();
      isClosed = true;
      const { words, layout } = channel;
      const outbox = words.load(layout.clientOutboxWord);
      await waiting;
      assert(!port.isOpen);
      assertEquals(words.load(layout.clientOutboxWord), outbox, "nothing was given away");
    }
  });
}

/** A port of each state in which an operation may begin, on which nothing has gone wrong yet. */
const STATES: Readonly<Record<string, (deadline?: Deadline) => Given>> = {
  fresh: (deadline) => given(deadline),
  mine(deadline) {
    const parts = given(deadline);
    parts.port.send(skip).recv(skip);
    return parts;
  },
  theirs(deadline) {
    const parts = given(deadline);
    parts.port.send(skip);
    return parts;
  },
};
type Given = ReturnType<typeof given>;

function given(deadline?: Deadline) {
  const { channel, client, server } = oneThread({ portCount: 1, laneCount: 1 });
  server.operate(OPCODE, skip);
  const port = client.open(OPCODE, deadline) as ReturnType<Client["open"]> & AnyHolder;
  return { port, server, memory: () => [...channel.words.plain] };
}
type AnyHolder = { readonly holder: never };

const OPERATIONS: Readonly<
  Record<string, (port: Given["port"], limit?: WaitOptions) => unknown>
> = {
  send: (port, limit) => port.send(skip, limit),
  sendAsync: (port, limit) => port.sendAsync(skip, limit),
  recv: (port, limit) => port.recv(skip, limit),
  recvAsync: (port, limit) => port.recvAsync(skip, limit),
  sendAndRecv: (port, limit) => port.sendAndRecv({ fill: skip, use: skip }, limit),
};

for (const [state, begin] of Object.entries(STATES)) {
  for (const [name, operate] of Object.entries(OPERATIONS)) {
    if (state === "fresh" && name.startsWith("recv")) continue;
    Deno.test(`${name}() on a ${state} port changes nothing where it may not begin, and may be tried again`, async () => {
      const over = new Deadline({ timeoutSeconds: 0 });
      const aborted = { signal: AbortSignal.abort(new Error("called off")) };
      const { port, server, memory } = begin();
      const before = memory();
      for (const limit of [over, aborted, new Deadline(aborted)]) {
        await assertRejects(async () => void await operate(port, limit), Error);
        assertEquals(memory(), before);
      }
      server.runOnce();
      // Where the service has ended its call that is told, and no misuse.
      const again = async () => void await operate(port, { timeoutSeconds: 60 });
      await again().catch((error) => assertInstanceOf(error, CallError));
    });
  }
}
