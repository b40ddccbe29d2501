import { assertEquals, assertInstanceOf } from "@std/assert";
import { CallError } from "./call_error.ts";
import { Status } from "../memory/status.ts";

Deno.test("CallError carries status and opcode, and says both", () => {
  const error = new CallError(Status.handlerFailed, { opcode: 40_000, detail: "disk full" });
  assertInstanceOf(error, Error);
  assertEquals([error.status, error.opcode, error.name], [2, 40_000, "CallError"]);
  assertEquals(
    error.message,
    "Cannot finish the call of opcode 40000 as its handler threw: disk full",
  );
  const named = { opcode: 40_000, name: "square" };
  const messages = [Status.handlerFailed, Status.unhandledOpcode]
    .map((status) => new CallError(status, named).message);
  assertEquals(messages, [
    "Cannot finish the call of square as its handler threw",
    "Cannot finish the call of square (opcode 40000) as the server has no handler for it",
  ]);
});
