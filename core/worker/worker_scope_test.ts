import { assertEquals, assertThrows } from "@std/assert";
import { asInNode } from "../testing/fixtures/as_in_node.ts";
import { answerParent } from "./worker_scope.ts";

type Receive = (data: unknown) => void;

/** Answers as a worker does, to requests that the test sends; `boom` is what it throws at. */
async function answers(
  parent: { posted: Record<string, unknown>[]; receive: () => Receive; closed: () => number },
): Promise<void> {
  const { note, close } = answerParent<number, string>(async (request) => {
    if (request < 0) throw new RangeError("boom");
    return await Promise.resolve(request + 1);
  });
  note("hello");
  parent.receive()({ id: 7, request: 41 });
  parent.receive()({ id: 8, request: -1 });
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  const failed = parent.posted.find(({ kind }) => kind === "failed") as Record<string, unknown>;
  const { name, message } = failed.error as { name: string; message: string };
  assertEquals([failed.id, name, message], [8, "RangeError", "boom"]);
  assertEquals(parent.posted.filter((one) => one !== failed), [
    { kind: "note", note: "hello" },
    { kind: "done", id: 7, value: 42 },
  ]);
  assertEquals(parent.closed(), 0);
  close();
  assertEquals(parent.closed(), 1);
}

Deno.test("answerParent() answers each request by its number, in a worker of the web", async () => {
  const posted: Record<string, unknown>[] = [];
  let closeCount = 0;
  const scope = globalThis as unknown as Record<string, unknown>;
  const { postMessage, close, addEventListener } = scope;
  const listeners = new Map<string, (event?: unknown) => void>();
  scope.addEventListener = (event: string, listener: () => void) => listeners.set(event, listener);
  scope.postMessage = (message: Record<string, unknown>) => posted.push(message);
  scope.close = () => closeCount++;
  try {
    await answers({
      posted,
      receive: () => (data) => listeners.get("message")!({ data }),
      closed: () => closeCount,
    });
    posted.length = 0;
    listeners.get("unload")!();
    (scope.close as () => void)();
    assertEquals([posted, closeCount], [[{ kind: "ended" }, { kind: "ended" }], 2]);
  } finally {
    Object.assign(scope, { postMessage, close, addEventListener });
  }
});

Deno.test("answerParent() answers each request by its number, in a worker of Node", async () => {
  const posted: Record<string, unknown>[] = [];
  const listeners = new Map<string, Receive>();
  let closeCount = 0;
  const parentPort = {
    on: (event: string, listener: Receive) => listeners.set(event, listener),
    postMessage: (message: Record<string, unknown>) => posted.push(message),
    close: () => closeCount++,
  };
  await asInNode(
    { parentPort, Worker: undefined },
    () => answers({ posted, receive: () => listeners.get("message")!, closed: () => closeCount }),
  );
});

Deno.test("answerParent() says so where there is no parent", async () => {
  for (const threads of [undefined, { parentPort: null }]) {
    await asInNode(threads, () => {
      assertThrows(() => answerParent(() => {}), TypeError, "this is not a worker");
    });
  }
});
