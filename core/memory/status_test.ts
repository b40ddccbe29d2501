import { assertEquals } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Status, statusName } from "./status.ts";

Deno.test("statusName() knows every status by its wire number", () => {
  Object.entries(Status).forEach(([name, number], place) => {
    assertEquals([number, statusName(number)], [place, name]);
  });
  for (const number of [-1, Object.keys(Status).length, 1e9]) {
    assertEquals(statusName(number), "unknown");
  }
});

Deno.test("CallError explains each status, and those of a newer server", () => {
  const messages = Object.values(Status).map((status) =>
    new CallError(status, { opcode: 7 }).message
  );
  assertEquals(new Set(messages).size, messages.length);
  const newer = new CallError(99 as Status, { opcode: 7, detail: "later" });
  assertEquals(newer.message.endsWith("does not know: later"), true);
});
