/** What a pending call comes to, where that is no answer. */
import { assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { Server } from "../server/server.ts";
import { Pending } from "./pending.ts";

function skip(): void {}

/** What a poll returns, and what its caller is told. */
const NO_ANSWERS = [
  [0, "must come to a function that does: current value is 0"],
  [null, "current value is null"],
  [Promise.resolve(skip), "a poll of a Pending that returns a promise"],
  [() => Promise.reject(new Error("nobody hears of it")), "an answer that returns a promise"],
  [(packet: Packet) => packet.setUint32(0, 99, 1), "the word is below"],
] as const;

Deno.test("what is no answer fails its call, and harms no other", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  for (const [index, [result]] of NO_ANSWERS.entries()) {
    server.operate(40_000 + index, () => new Pending<unknown>({ poll: () => result }));
    server.operatePort(41_000 + index, (port) => {
      port.recv(skip);
      return new Pending<unknown>({ poll: () => result });
    });
  }
  const served = server.runAsync();
  const client = new Client(channel);
  for (const [index, [, reason]] of NO_ANSWERS.entries()) {
    const call = client.callAsync(40_000 + index, { fill: skip, use: skip });
    await assertRejects(() => call, CallError, reason);
    if (index === NO_ANSWERS.length - 1) break; // a port has no packet yet
    const streamed = client.callAsync(41_000 + index, { fill: skip, use: skip });
    await assertRejects(() => streamed, CallError, reason);
  }
  assertEquals(server.isBusy, false);
  channel.shutDown();
  await served;
});

Deno.test("an asynchronous function that returns a Pending is refused, which ends what is pending", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [server, client] = [new Server(channel), new Client(channel)];
  const cancelled: Error[] = [];
  const pending = () =>
    new Pending({ poll: () => undefined, cancel: (reason) => void cancelled.push(reason) });
  server.operateAsync(40_000, () => pending());
  server.operatePortAsync(40_001, () => Promise.resolve(pending()));
  const served = server.runAsync();
  for (const opcode of [40_000, 40_001]) {
    await assertRejects(
      () => client.callAsync(opcode, { fill: skip, use: skip }),
      CallError,
      "await its settled(signal)",
    );
  }
  assertEquals(cancelled.map(({ name }) => name), ["TypeError", "TypeError"]);
  channel.shutDown();
  await served;
});
