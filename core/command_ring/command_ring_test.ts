import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Status } from "../memory/status.ts";
import { COMMAND_RING } from "./command_ring.ts";
import { RingClient } from "./ring_client.ts";
import { RingServer } from "./ring_server.ts";

Deno.test("COMMAND_RING: a handle leads to the same memory, an invalid one is rejected", () => {
  const { handle } = COMMAND_RING.create({ slotCount: 2, cellCount: 4 });
  assertEquals(handle.kind, "portlab.command_ring");
  assertEquals(COMMAND_RING.attach(structuredClone(handle)).layout.cellCount, 4);
  assertThrows(
    () => COMMAND_RING.attach({ ...handle, kind: "portlab.gwht" }),
    TypeError,
    "command_ring",
  );
  assertThrows(() => COMMAND_RING.attach({ ...handle, cellCount: 64 }), TypeError, "its memory");
  assertThrows(() => COMMAND_RING.attach({ ...handle, slotCount: 0 }), RangeError, "slotCount");
});

Deno.test("command ring: stop() puts an error in every slot whose result is not there", () => {
  const channel = COMMAND_RING.create({ slotCount: 3, cellCount: 8 });
  const server = new RingServer(channel);
  server.register("one", () => 1);
  const client = new RingClient(channel);
  const calls = [1, 2, 3].map(() => {
    const sent = client.trySubmit("one", new Uint8Array());
    if (sent.kind !== "sent") throw new Error(sent.kind);
    return sent.call;
  });
  server.runOnce();
  channel.stop();
  channel.stop();
  assertEquals(calls[0]!.finish(client.resultOf), 1n, "a result that is there stays");
  for (const call of calls.slice(1)) {
    assertEquals(
      assertThrows(() => call.finish(client.resultOf), CallError).status,
      Status.serverGone,
    );
  }
  assertThrows(() => client.trySubmit("one", new Uint8Array()), CallError, "shut down");
});
