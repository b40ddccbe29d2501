import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Status } from "../memory/status.ts";
import type { WaiterName } from "../wait/strategy.ts";
import { COMMAND_RING } from "./command_ring.ts";
import { RingServer } from "./ring_server.ts";
import { RingClient } from "./ring_client.ts";

const NO_BYTES = new Uint8Array();

function begin(shape = { slotCount: 2, cellCount: 2 }) {
  const channel = COMMAND_RING.create(shape);
  return { channel, client: new RingClient(channel), server: new RingServer(channel) };
}

Deno.test("RingClient.trySubmit() says why it did not send", () => {
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

Deno.test("RingClient: a command that can never fit is rejected at once", () => {
  const { client } = begin();
  assertThrows(() => client.trySubmit("sum", new Uint8Array(113)), RangeError, "2 cells");
  assertThrows(() => client.call("", NO_BYTES), RangeError, "1 to 64 bytes");
  assertThrows(() => client.call("sum", NO_BYTES, { timeoutSeconds: -1 }), RangeError);
});

Deno.test("RingClient rejects anything but an array of bytes, as its length may differ", () => {
  const client = new RingClient(COMMAND_RING.create({ slotCount: 1, cellCount: 4 }));
  for (const bytes of [new Uint16Array([258]), "text", [1], undefined]) {
    const send = () => client.trySubmit("length", bytes as unknown as Uint8Array);
    assertThrows(send, TypeError, "must be a Uint8Array");
  }
});

Deno.test("RingClient.call() of a name that nobody registered", async () => {
  const { client } = begin();
  const error = assertThrows(() => client.call("sum", NO_BYTES), CallError, "sum");
  assertEquals(error.status, Status.unhandledOpcode);
  await assertRejects(() => client.callAsync("sum", NO_BYTES), CallError);
});

Deno.test("RingClient: a name that is registered while it runs is found from then on", () => {
  const { client, server } = begin();
  assertEquals(client.resolve("late"), undefined);
  server.register("late", () => 1);
  assertEquals(client.resolve("late"), 0);
  server.register("late", () => 2);
  const sent = client.trySubmit("late", NO_BYTES);
  server.runOnce();
  assertEquals(
    sent.kind === "sent" && sent.call.finish(client.resultOf),
    2n,
    "the later function serves",
  );
});

Deno.test("RingClient rejects an unknown waiter", () => {
  const { channel } = begin();
  assertThrows(() => new RingClient(channel, { waiter: "nap" as WaiterName }), TypeError, "nap");
});
