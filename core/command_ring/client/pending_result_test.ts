import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { InvariantError } from "../../memory/assert.ts";
import { Channel } from "../channel.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

function begin() {
  const channel = Channel.create({ slotCount: 1, cellCount: 4 });
  const server = new Server(channel);
  server.register("length", (bytes) => bytes.length);
  server.register("fail", () => {
    throw new Error("out of paper");
  });
  const client = new Client(channel);
  const submit = (name = "length") => {
    const sent = client.trySubmit(name, new Uint8Array(3));
    if (sent.kind !== "sent") throw new Error(sent.kind);
    return sent.call;
  };
  return { server, submit };
}

Deno.test("PendingResult.tryTake() is undefined until there is a result, and takes it once", () => {
  const { server, submit } = begin();
  const call = submit();
  assertEquals(call.tryTake(), undefined);
  server.serveOnce();
  assertEquals(call.tryTake(), 3n);
  assertThrows(() => call.tryTake(), InvariantError, "under way");
  call.leave();
  submit();
});

Deno.test("PendingResult.take() leaves the call at its deadline; takeAsync() too", async () => {
  const { server, submit } = begin();
  const limit = { timeoutSeconds: 0.005 };
  assertThrows(() => submit().take(limit), DOMException);
  server.serveOnce();
  await assertRejects(() => submit().takeAsync(limit), DOMException);
  server.serveOnce();
  submit();
});

Deno.test("PendingResult: what the host's function threw", () => {
  const { server, submit } = begin();
  const call = submit("fail");
  server.serveOnce();
  assertThrows(() => call.take(), CallError, "out of paper");
  submit();
});

Deno.test("PendingResult has one wait at a time, which its signal ends", async () => {
  const { server, submit } = begin();
  const call = submit();
  const controller = new AbortController();
  const first = call.takeAsync({ signal: controller.signal });
  const other = "no other wait of the call is under way";
  await assertRejects(() => call.takeAsync({ timeoutSeconds: 1 }), InvariantError, other);
  for (
    const end of [() => call.leave(), () => call.take({ timeoutSeconds: 1 }), () => call.tryTake()]
  ) {
    assertThrows(end, InvariantError, other);
  }
  server.serveOnce();
  assertEquals(await first, 3n);
  const waiting = submit().takeAsync({ signal: controller.signal });
  controller.abort();
  await assertRejects(() => waiting, DOMException);
  server.serveOnce();
  submit();
});
