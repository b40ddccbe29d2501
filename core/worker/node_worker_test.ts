/** `WorkerLink` over the workers of Node, of which a test can play every part. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { asInNode } from "../testing/fixtures/as_in_node.ts";
import { WorkerLink, type WorkerLinkOptions } from "./worker_link.ts";

/** A worker of Node that does what the test says. */
class FakeWorker {
  static last: FakeWorker;
  readonly posted: unknown[] = [];
  readonly listeners = new Map<string, (value: unknown) => void>();
  readonly url: URL;
  unrefCount = 0;

  constructor(url: URL) {
    this.url = url;
    FakeWorker.last = this;
  }
  on(event: string, listener: (value: unknown) => void): void {
    this.listeners.set(event, listener);
  }
  emit(event: string, value: unknown): void {
    this.listeners.get(event)?.(value);
  }
  postMessage(...message: unknown[]): void {
    this.posted.push(message);
  }
  unref(): void {
    this.unrefCount++;
  }
  terminate(): Promise<number> {
    this.emit("exit", 1);
    return Promise.resolve(1);
  }
}

const THREADS = { parentPort: null, Worker: FakeWorker };
const URL_OF_WORKER = "file:///worker.js";

function linkOf(options: WorkerLinkOptions<string> = {}) {
  const faults: unknown[] = [];
  const onError = (error: Error, isDead: boolean) => faults.push([error.message, isDead]);
  const link = new WorkerLink<unknown, string>(URL_OF_WORKER, { ...options, onError });
  return { link, faults, worker: FakeWorker.last };
}

Deno.test("WorkerLink over Node's workers asks, is answered, hears notes, and posts with transfers", async () => {
  await asInNode(THREADS, async () => {
    const notes: string[] = [];
    const { link, worker, faults } = linkOf({ onNote: (note) => notes.push(note) });
    const buffer = new ArrayBuffer(8);
    const [first, second] = [link.ask("one", [buffer]), link.ask("two")];
    link.tell("three");
    assertEquals([String(worker.url), worker.unrefCount], [URL_OF_WORKER, 0]);
    assertEquals(worker.posted, [
      [{ id: 0, request: "one" }, [buffer]],
      [{ id: 1, request: "two" }, []],
      [{ id: 2, request: "three" }, []],
    ]);
    worker.emit("message", { kind: "note", note: "soon" });
    worker.emit("message", { kind: "done", id: 1, value: 2 });
    worker.emit("message", { kind: "done", id: 2, value: 3 }); // nobody asked
    const error = { name: "RangeError", message: "no", stack: "" };
    worker.emit("message", { kind: "failed", id: 0, error });
    assertEquals([await second, notes, faults], [2, ["soon"], []]);
    assertEquals((await assertRejects(() => first, Error, "no")).name, "RangeError");
  });
});

Deno.test("WorkerLink tells once that Node's worker threw or ended, which then is dead", async () => {
  await asInNode(THREADS, async () => {
    const thrown = linkOf();
    const asked = thrown.link.ask(1);
    thrown.worker.emit("error", new Error("boom"));
    thrown.worker.emit("exit", 1);
    await assertRejects(() => asked, Error, "as it threw: boom");
    assertEquals(thrown.faults, [["Cannot go on with the worker as it threw: boom", true]]);
    const ended = linkOf();
    const waiting = ended.link.ask(1);
    ended.worker.emit("exit", 3);
    await assertRejects(() => waiting, Error, "ended with code 3");
    assertEquals(ended.faults, [["Cannot go on with the worker as it ended with code 3", true]]);
  });
});

Deno.test("WorkerLink.terminate() waits until Node's worker is dead, and that is no fault", async () => {
  await asInNode(THREADS, async () => {
    const { link, faults } = linkOf();
    const asked = link.ask(1);
    const terminated = link.terminate();
    await assertRejects(() => asked, Error, "was terminated");
    assertEquals([await terminated, faults], [true, []]);
  });
});

Deno.test("WorkerLink does not keep a program of Node alive where that was asked for", async () => {
  await asInNode(THREADS, () => {
    assertEquals(linkOf({ keepsAlive: false }).worker.unrefCount, 1);
    assertEquals(linkOf({ keepsAlive: true }).worker.unrefCount, 0);
  });
});

Deno.test("WorkerLink says so where there are no workers", async () => {
  await asInNode(undefined, () => {
    assertThrows(() => new WorkerLink(URL_OF_WORKER), TypeError, "this runtime has none");
  });
});
