import { assertRejects, assertThrows } from "@std/assert";
import { CallError, Channel, Client } from "../../core/mod.ts";
import { IncrementCaller, PipelinedCaller } from "./increment.ts";
import { assignIncrementServer, prepareCalls } from "./increment_server.ts";
import { Partner } from "../partner/partner.ts";

Deno.test("assignIncrementServer() serves while awake, with every pause in between", async () => {
  await using partner = new Partner();
  const channel = Channel.create({ portCount: 4, laneCount: 2 });
  const work = await assignIncrementServer(partner, { channel, waiter: "adaptive" });
  const caller = new IncrementCaller(new Client(channel));
  for (const callCount of [1, 100, 0, 7]) {
    work.wake();
    caller.call(callCount);
    work.rest();
  }
});

Deno.test("assignIncrementServer() leaves a call waiting while it rests", async () => {
  await using partner = new Partner();
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const work = await assignIncrementServer(partner, { channel, waiter: "park" });
  work.wake();
  work.rest();
  const client = new Client(channel);
  const sent = client.open(0x8000).send(() => {});
  assertThrows(() => sent.recv(() => {}, { timeoutSeconds: 0.05 }), DOMException);
  work.wake();
  sent.recv(() => {}).close();
  work.rest();
  channel.shutDown();
  assertThrows(() => client.open(0x8000), CallError);
});

Deno.test("prepareCalls() makes calls on a design that is not the default, one or several at once", async () => {
  await using partner = new Partner();
  const shape = { portCount: 3, laneCount: 1, portLock: "fetch-add", start: "first" } as const;
  for (const inFlight of [1, 3]) {
    await using trial = await prepareCalls(
      shape,
      partner,
      inFlight === 1 ? undefined : (client) => new PipelinedCaller(client, inFlight),
    );
    for (const callCount of [1, 50]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  }
});

Deno.test("prepareCalls() refuses a design that there is not", async () => {
  const shape = { portCount: 1, laneCount: 1, mailboxWidth: "bit" } as const;
  await assertRejects(() => prepareCalls(shape, new Partner()), RangeError, "mailboxWidth bit");
});
