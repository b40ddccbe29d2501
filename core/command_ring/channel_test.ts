import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Status } from "../memory/status.ts";
import { Channel } from "./channel.ts";
import { Client } from "./client/client.ts";
import { Server } from "./server/server.ts";

Deno.test("command ring Channel: a handle leads to the same memory, one that is none is refused", () => {
  const { handle } = Channel.create({ slotCount: 2, cellCount: 4 });
  assertEquals(handle.kind, "portlab.command_ring");
  assertEquals(Channel.attach(structuredClone(handle)).layout.cellCount, 4);
  assertThrows(
    () => Channel.attach({ ...handle, kind: "portlab.gwht" }),
    TypeError,
    "command_ring",
  );
  assertThrows(() => Channel.attach({ ...handle, cellCount: 64 }), TypeError, "its memory");
  assertThrows(() => Channel.attach({ ...handle, slotCount: 0 }), RangeError, "slotCount");
});

Deno.test("command ring Channel.stop() puts an error in every slot whose result is not there", () => {
  const channel = Channel.create({ slotCount: 3, cellCount: 8 });
  const server = new Server(channel);
  server.register("one", () => 1);
  const client = new Client(channel);
  const calls = [1, 2, 3].map(() => {
    const sent = client.trySubmit("one", new Uint8Array());
    if (sent.kind !== "sent") throw new Error(sent.kind);
    return sent.call;
  });
  server.serveOnce();
  channel.stop();
  channel.stop();
  assertEquals(calls[0]!.tryTake(), 1n, "a result that is there stays");
  for (const call of calls.slice(1)) {
    assertEquals(assertThrows(() => call.tryTake(), CallError).status, Status.serverGone);
  }
  assertThrows(() => client.trySubmit("one", new Uint8Array()), CallError, "shut down");
});
