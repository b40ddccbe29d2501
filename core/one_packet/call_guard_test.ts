import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Deadline } from "../wait/deadline.ts";
import { CallGuard } from "./call_guard.ts";

Deno.test("CallGuard.check() passes, until the channel is stopped", () => {
  const channel = { isStopped: false };
  const guard = new CallGuard(channel, { opcode: 40_000, deadline: undefined });
  guard.check();
  assertEquals([guard.leftMilliseconds, guard.signal], [Infinity, undefined]);
  channel.isStopped = true;
  assertThrows(() => guard.check(), CallError, "shut down");
});

Deno.test("CallGuard.check() throws at the deadline, and tells how long is left", () => {
  const deadline = new Deadline({ timeoutSeconds: 0, signal: AbortSignal.timeout(100_000) });
  const guard = new CallGuard({ isStopped: false }, { opcode: 40_000, deadline });
  assertThrows(() => guard.check(), DOMException, "Cannot finish the call of opcode 40000");
  assertEquals([guard.leftMilliseconds, guard.signal], [0, deadline.signal]);
});
