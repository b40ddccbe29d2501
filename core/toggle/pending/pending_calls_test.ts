import { assert, assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { recvMessage, sendMessage } from "../../call/message.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import type { CallOptions } from "../client/client_call.ts";
import { evictServer } from "../evict.ts";
import { reclaimClient } from "../reclaim.ts";
import { Server } from "../server/server.ts";
import { ServerSide } from "../server/server_side.ts";
import { Pending } from "./pending.ts";
import { PendingCalls } from "./pending_calls.ts";

const LATER = 40_000;
const NOW = 40_001;
const BYTES = 40_002;
function skip(): void {}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A server whose calls of LATER end when the test says so. */
class Waiting {
  readonly channel: Channel;
  readonly server: Server;
  readonly client: Client;
  readonly answers = new Map<number, number>();
  readonly cancelled: string[] = [];
  readonly served: Promise<void>;

  constructor(portCount = 4) {
    this.channel = Channel.create({ portCount, laneCount: 1 });
    this.server = new Server(this.channel);
    this.client = new Client(this.channel);
    this.server.operate(LATER, (packet) => this.#later(packet.getUint32(0, 0)));
    this.server.operate(NOW, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
    this.server.operatePort(BYTES, (port) => {
      const [value] = recvMessage(port, { limitBytes: 1000 });
      return new Pending({
        poll: () =>
          this.#poll(value!) === undefined
            ? undefined
            : () => sendMessage(port, Uint8Array.of(this.answers.get(value!)!)),
        cancel: ({ message }) => this.cancelled.push(message),
      });
    });
    this.served = this.server.runAsync();
  }

  #later(value: number): Pending {
    return new Pending({
      poll: () => {
        const answer = this.#poll(value);
        return answer && ((packet: Packet) => packet.setUint32(0, 0, answer));
      },
      cancel: ({ message }) => {
        this.cancelled.push(message);
        throw new Error("dropped");
      },
    });
  }

  #poll(value: number): number | undefined {
    const answer = this.answers.get(value);
    if (answer === 13) throw new RangeError("thirteen");
    return answer;
  }

  async ask(value: number, opcode = LATER, options: CallOptions = {}): Promise<number> {
    let answer = -1;
    await this.client.callAsync(opcode, {
      fill: (packet) => packet.setUint32(0, 0, value),
      use: (packet) => answer = packet.getUint32(0, 0),
    }, options);
    return answer;
  }

  /** Waits until the server has something to poll. */
  async untilBusy(): Promise<void> {
    while (!this.server.isBusy) await sleep(0);
  }

  async end(): Promise<void> {
    assertEquals([this.server.isBusy, this.server.pollPending()], [false, 0]);
    this.channel.shutDown();
    await this.served;
  }
}

Deno.test("calls that are pending end in any order, and others are served meanwhile", async () => {
  const waiting = new Waiting();
  const calls = [1, 2].map((value) => waiting.ask(value));
  await waiting.untilBusy();
  for (let value = 0; value < 5; value++) {
    assertEquals(await waiting.ask(value, NOW), value + 1, "the packets are other calls' now");
  }
  waiting.answers.set(2, 200);
  assertEquals(await calls[1], 200);
  waiting.answers.set(1, 100);
  assertEquals([await calls[0], waiting.cancelled], [100, []]);
  await waiting.end();
});

Deno.test("what a look throws fails the call", async () => {
  const waiting = new Waiting(1);
  for (const opcode of [LATER, BYTES]) {
    const call = opcode === LATER
      ? waiting.ask(1)
      : waiting.client.callMessageAsync(BYTES, Uint8Array.of(1), { limitBytes: 1000 });
    await waiting.untilBusy();
    waiting.answers.set(1, 13);
    const error = await assertRejects(() => call, CallError, "thirteen");
    assertEquals(error.status, Status.handlerFailed);
    waiting.answers.clear();
  }
  assertEquals([await waiting.ask(7, NOW), waiting.cancelled], [8, []]);
  await waiting.end();
});

Deno.test("a call is cancelled whose client gives up, and its port is free again", async () => {
  const waiting = new Waiting(1);
  await assertRejects(() => waiting.ask(1, LATER, { timeoutSeconds: 0.5 }), DOMException);
  assertEquals(await waiting.ask(7, NOW), 8);
  const controller = new AbortController();
  const call = waiting.ask(2, LATER, { signal: controller.signal });
  await waiting.untilBusy();
  controller.abort(new Error("enough"));
  await assertRejects(() => call, Error, "enough");
  const bytes = waiting.client.callMessageAsync(BYTES, Uint8Array.of(3), {
    limitBytes: 1000,
    timeoutSeconds: 0.5,
  });
  await assertRejects(() => bytes, DOMException);
  assertEquals(await waiting.ask(8, NOW), 9);
  assertEquals(waiting.cancelled, Array(3).fill("The client left the call"));
  await waiting.end();
});

Deno.test("a call is cancelled whose client died, and a call that nobody waits for is not", async () => {
  const waiting = new Waiting(1);
  const lost = new Client(waiting.channel);
  const call = lost.callAsync(LATER, { fill: (packet) => packet.setUint32(0, 0, 1), use: skip });
  call.catch(() => {});
  await waiting.untilBusy();
  assertEquals(reclaimClient(waiting.channel, lost.id), 1);
  assertEquals(await waiting.ask(7, NOW), 8);
  assertEquals(waiting.cancelled, ["The client left the call"]);
  waiting.client.cast(LATER, (packet) => packet.setUint32(0, 0, 2));
  await waiting.untilBusy();
  await sleep(5);
  assert(waiting.server.isBusy, "it goes on");
  waiting.answers.set(2, 1);
  assertEquals(await waiting.ask(7, NOW), 8);
  assertEquals(waiting.cancelled.length, 1);
  await waiting.end();
});

Deno.test("a channel that is stopped cancels what is pending, and a shutdown waits for it", async () => {
  const stopped = new Waiting();
  const lost = assertRejects(() => stopped.ask(1), CallError);
  await stopped.untilBusy();
  stopped.channel.stop();
  await stopped.served;
  await lost;
  assertEquals(stopped.cancelled, ["The channel was stopped"]);

  const ending = new Waiting();
  const call = ending.ask(1);
  await ending.untilBusy();
  ending.channel.shutDown();
  let hasEnded = false;
  ending.served.then(() => hasEnded = true);
  await sleep(10);
  assertEquals(hasEnded, false);
  ending.answers.set(1, 5);
  await ending.served;
  assertEquals([await call, ending.cancelled], [5, []]);
});

Deno.test("a server that is asked to leave cancels what is pending, and leaves", async () => {
  const waiting = new Waiting();
  const call = assertRejects(() => waiting.ask(1), CallError, "The server was asked to leave");
  await waiting.untilBusy();
  const { hasLeft } = await evictServer(waiting.channel, waiting.server.id);
  assertEquals([hasLeft, waiting.cancelled], [true, ["The server was asked to leave"]]);
  await call;
  await waiting.served;
});

/** Calls by themselves, and how to keep one whose end is told. */
function callsAlone() {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const side = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 1 });
  const calls = new PendingCalls(side);
  const keep = (poll: () => number | undefined, finish: () => void = skip) =>
    calls.keep({ index: 0, isAwaited: false, pending: new Pending({ poll }), finish, fail: skip });
  return { calls, keep };
}

Deno.test("PendingCalls.poll() counts what has ended, also where its end has brought others", () => {
  const { calls, keep } = callsAlone();
  keep(() => 1, () => {
    keep(() => undefined);
    keep(() => undefined);
  });
  assertEquals([calls.poll(), calls.poll(), calls.isBusy], [1, 0, true]);
});

Deno.test("PendingCalls.poll() comes to an end where each call that ends brings another that could", () => {
  const { calls, keep } = callsAlone();
  let finishedCount = 0;
  const keepNext = () =>
    keep(() => 1, () => {
      if (++finishedCount < 100) keepNext();
    });
  keepNext();
  assertEquals([calls.poll(), finishedCount], [1, 1]);
  assertEquals([calls.poll(), finishedCount], [1, 2]);
});
