import { assertEquals, assertRejects } from "@std/assert";
import { MessageQueue } from "./message_queue.ts";

Deno.test("MessageQueue.next() returns messages in order, waiting or not", async () => {
  const queue = new MessageQueue<number>();
  queue.push(1);
  queue.push(2);
  assertEquals([await queue.next(1000), await queue.next(1000)], [1, 2]);
  const third = queue.next(60_000);
  queue.push(3);
  assertEquals(await third, 3);
});

Deno.test("MessageQueue.next() is undefined where nothing comes in time", async () => {
  const queue = new MessageQueue<number>();
  assertEquals(await queue.next(1), undefined);
  queue.push(1);
  assertEquals(await queue.next(1), 1);
});

Deno.test("MessageQueue.fail() reaches who waits, after what came before it", async () => {
  const queue = new MessageQueue<number>();
  queue.push(1);
  queue.fail(new Error("gone"));
  assertEquals(await queue.next(1), 1);
  await assertRejects(() => queue.next(60_000), Error, "gone");
  const other = new MessageQueue<number>();
  const waiting = other.next(60_000);
  other.fail(new Error("gone too"));
  await assertRejects(() => waiting, Error, "gone too");
});
