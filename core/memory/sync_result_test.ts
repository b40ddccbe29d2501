import { assertEquals, assertThrows } from "@std/assert";
import {
  FAILING_LISTENERS,
  LISTENER_REPORTS,
  listenForReports,
} from "../testing/fixtures/failing_listeners.ts";
import type { PacketWork } from "./packet.ts";
import { checkService, refusePromise, tellListener } from "./sync_result.ts";

Deno.test("PacketWork takes synchronous functions of any result, and no asynchronous one", () => {
  const works: PacketWork[] = [
    (packet) => packet.setUint32(0, 0, 1),
    (packet) => packet.getUint32(0, 0),
    (packet) => packet.mask,
    () => [1, 2],
    () => {},
  ];
  // @ts-expect-error an async function goes on after its call
  works.push(async (packet) => packet.setUint32(0, 0, await 1));
  // @ts-expect-error the same in another form
  works.push(() => Promise.resolve());
});

Deno.test("refusePromise() rejects anything that can be awaited, and nothing else", () => {
  for (const result of [undefined, null, 0, "then", {}, [], new Uint8Array(1), { then: 1 }]) {
    refusePromise(result, "use");
  }
  for (const result of [Promise.reject(new Error("late")), { then() {} }]) {
    assertThrows(() => refusePromise(result, "use"), TypeError, "use that returns a promise");
  }
});

Deno.test("checkService() takes functions only, and says what was there", () => {
  checkService("bytes", () => {});
  for (const [work, text] of [[undefined, "undefined"], [5, "5"], [Symbol("s"), "Symbol(s)"]]) {
    const check = () => checkService("bytes", work);
    assertThrows(
      check,
      TypeError,
      `Cannot serve bytes as there must be a function: current value is ${String(text)}`,
    );
  }
});

Deno.test("tellListener() has the runtime report what a listener throws, at once or later", async () => {
  const told: unknown[] = [];
  const reports = listenForReports();
  tellListener((news) => void told.push(news), 1);
  for (const listen of FAILING_LISTENERS) tellListener(listen, 2);
  assertEquals(told, [1]);
  assertEquals(await reports(), LISTENER_REPORTS);
});
