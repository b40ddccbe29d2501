import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { failedReply, nextReply, type WorkerReply } from "./worker_reply.ts";

/** A Worker whose whole program is the text. */
function workerOf(program: string): Worker {
  return new Worker(`data:text/javascript,${encodeURIComponent(program)}`, { type: "module" });
}

Deno.test("nextReply() is the value of the Worker's answer", async () => {
  const worker = workerOf(`postMessage({ kind: "done", value: 42 })`);
  assertEquals(await nextReply<number>(worker), 42);
  worker.terminate();
});

Deno.test("nextReply() rejects with the Worker's own error and its stack", async () => {
  const reply = failedReply(new RangeError("no port")) as WorkerReply<never> & { kind: "failed" };
  assertStringIncludes(reply.stack, "worker_reply_test.ts");
  const worker = workerOf(`postMessage(${JSON.stringify(reply)})`);
  const error = await assertRejects(() => nextReply(worker), Error, "no port");
  assertEquals(error.stack, reply.stack);
  worker.terminate();
});

Deno.test("nextReply() rejects when the Worker throws where nobody catches", async () => {
  const worker = workerOf(`throw new Error("boom")`);
  await assertRejects(() => nextReply(worker), Error, "boom");
});

Deno.test("failedReply() describes what is no error, too", () => {
  assertEquals((failedReply("text") as { message: string }).message, "text");
});
