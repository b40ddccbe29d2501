import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { Channel } from "../channel.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

const NO_BYTES = new Uint8Array();

function begin(shape = { slotCount: 2, cellCount: 2 }) {
  const channel = Channel.create(shape);
  return { channel, client: new Client(channel), server: new Server(channel) };
}

Deno.test("command ring Client.trySubmit() says why it did not send", () => {
  const { client, server } = begin({ slotCount: 1, cellCount: 2 });
  assertEquals(client.trySubmit("sum", NO_BYTES).kind, "unresolved");
  server.register("sum", () => 1);
  assertEquals(client.trySubmit("sum", NO_BYTES).kind, "sent");
  assertEquals(client.trySubmit("sum", NO_BYTES).kind, "noSlot");
  assertEquals(client.tryCast("sum", NO_BYTES), "sent");
  assertEquals(client.tryCast("sum", NO_BYTES), "bufferFull");
  assertEquals(client.trySubmit("sum", NO_BYTES).kind, "bufferFull");
  assertEquals(client.tryCast("other", NO_BYTES), "unresolved");
});

Deno.test("command ring Client: a command that can never fit is refused at the door", () => {
  const { client } = begin();
  assertThrows(() => client.trySubmit("sum", new Uint8Array(113)), RangeError, "2 cells");
  assertThrows(() => client.call("", NO_BYTES), RangeError, "1 to 64 bytes");
  assertThrows(() => client.call("sum", NO_BYTES, { timeoutSeconds: -1 }), RangeError);
});

Deno.test("command ring Client refuses what is no array of bytes, whose length may be another", () => {
  const client = new Client(Channel.create({ slotCount: 1, cellCount: 4 }));
  for (const bytes of [new Uint16Array([258]), "text", [1], undefined]) {
    const send = () => client.trySubmit("length", bytes as unknown as Uint8Array);
    assertThrows(send, TypeError, "must be a Uint8Array");
  }
});

Deno.test("command ring Client.call() of a name that nobody registered", async () => {
  const { client } = begin();
  const error = assertThrows(() => client.call("sum", NO_BYTES), CallError, "sum");
  assertEquals(error.status, Status.unhandledOpcode);
  await assertRejects(() => client.callAsync("sum", NO_BYTES), CallError);
});

Deno.test("command ring Client: a name that is registered while it runs is found from then on", () => {
  const { client, server } = begin();
  assertEquals(client.resolve("late"), undefined);
  server.register("late", () => 1);
  assertEquals(client.resolve("late"), 0);
  server.register("late", () => 2);
  const sent = client.trySubmit("late", NO_BYTES);
  server.serveOnce();
  assertEquals(sent.kind === "sent" && sent.call.tryTake(), 2n, "the later function serves");
});

Deno.test("command ring Client refuses a waiter that there is not", () => {
  const { channel } = begin();
  assertThrows(() => new Client(channel, { waiter: "nap" as WaiterName }), TypeError, "nap");
});
