import { assertEquals, assertThrows } from "@std/assert";
import { ServiceTable } from "./service_table.ts";

Deno.test("ServiceTable finds what was set last, also right after it was asked for", () => {
  const table = new ServiceTable();
  const first = { operate: () => {} };
  const second = { operate: () => {} };
  assertEquals(table.find(7), {});
  table.set(7, first);
  assertEquals(table.find(7) === first, true);
  table.set(7, second);
  assertEquals(table.find(7) === second, true);
  assertEquals([table.delete(7), table.find(7), table.delete(7)], [true, {}, false]);
});

Deno.test("ServiceTable forgets what it found last when a service is set or taken away", () => {
  const table = new ServiceTable();
  const service = { operate: () => {} };
  table.set(7, service);
  table.find(7);
  table.set(8, service);
  assertEquals(table.find(0), {});
  table.find(7);
  table.delete(8);
  assertEquals([table.find(0), table.find(7) === service], [{}, true]);
});

Deno.test("ServiceTable takes any word from a client, and only opcodes from the host", () => {
  const table = new ServiceTable();
  for (const word of [-1, 1 << 31, 0x7fffffff]) assertEquals(table.find(word), {});
  assertThrows(() => table.set(65_536, {}), RangeError, "65536");
});
