import { assertEquals, assertRejects } from "@std/assert";
import { Deadline } from "./deadline.ts";
import { WaitingLine } from "./waiting_line.ts";

Deno.test("WaitingLine lets one after the other come to the front, in order", async () => {
  const line = new WaitingLine();
  const order: number[] = [];
  assertEquals(line.isEmpty, true);
  await Promise.all([0, 1, 2].map(async (number) => {
    await line.join(undefined, "go on");
    order.push(number);
    assertEquals(line.isEmpty, false);
    await new Promise((resolve) => setTimeout(resolve, 1));
    order.push(number);
    line.leave();
  }));
  assertEquals(order, [0, 0, 1, 1, 2, 2]);
  assertEquals(line.isEmpty, true);
});

Deno.test("WaitingLine goes on without those whose time is over, or who were called off", async () => {
  const line = new WaitingLine();
  const aborting = new AbortController();
  assertEquals(line.join(undefined, "go on"), undefined);
  const late = line.join(new Deadline({ timeoutSeconds: 0.01 }), "go on");
  const off = line.join(new Deadline({ signal: aborting.signal }), "go on");
  const last = line.join(new Deadline({ timeoutSeconds: 60, signal: aborting.signal }), "go on");
  await assertRejects(() => late!, DOMException, "Cannot go on within 0.01 s");
  const offEnd = assertRejects(() => off!, Error, "called off");
  line.leave(); // lets the one go on that is called off at the same moment: it has come to the front
  aborting.abort(new Error("called off"));
  await assertRejects(() => last!, Error, "called off");
  void offEnd.catch(() => {});
  await off;
  line.leave();
  assertEquals(line.isEmpty, true);
  assertEquals(line.join(undefined, "go on"), undefined);
});
