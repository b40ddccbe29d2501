import { assertEquals, assertThrows } from "@std/assert";
import { Channel, Client, Server } from "../../core/command_ring/mod.ts";
import { RingCaller, serveRingIncrement } from "./ring_caller.ts";

Deno.test("RingCaller.call() counts on, and throws when another number comes back", () => {
  const asked: number[] = [];
  const answers = [1n, 2n, 7n];
  const client = {
    call(_name: string, bytes: Uint8Array) {
      asked.push(bytes[0]!);
      return answers.shift()!;
    },
  };
  const caller = new RingCaller(client as unknown as Client);
  caller.call(2);
  assertThrows(() => caller.call(1), Error, "one larger");
  assertEquals(asked, [0, 1, 2]);
});

Deno.test("serveRingIncrement() answers what RingCaller asks", () => {
  const channel = Channel.create({ slotCount: 1, cellCount: 1 });
  const server = serveRingIncrement(new Server(channel));
  const client = new Client(channel);
  const sent = client.trySubmit("increment", Uint8Array.of(255, 1, 0, 0));
  server.serveOnce();
  assertEquals(sent.kind === "sent" && sent.call.tryTake(), 512n);
});
