import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CloneEncoder } from "../call/clone/clone_encoder.ts";
import { WorkerEndedError } from "./answer.ts";
import { CallEnd } from "./call_end.ts";
import { LAYOUT, Line } from "./line/line.ts";
import { FrameKind, LineEnd } from "./line/line_end.ts";

Deno.test("CallEnd finds its answer behind any number of others, which nobody rings for", async () => {
  const line = Line.create();
  const client = new CallEnd(line, { side: "client", limitBytes: 2 ** 20 });
  const server = new LineEnd(line, "server", { receive: () => {}, limitBytes: 2 ** 20 });
  const encoder = new CloneEncoder();
  const echo = { name: "echo", index: 0 };
  // It looks for long at first, and then less.
  const late = { timeoutSeconds: 0.001 };
  for (let time = 0; time < 5; time++) {
    assertThrows(() => client.call(echo, [0], late), DOMException);
  }
  const calls = Array.from({ length: 45_000 }, (_, index) => client.callAsync(echo, [index], {}));
  // The server knows beforehand what will be asked: the last answer is the one to a call to come.
  for (let id = 1; id <= 45_006; id++) server.post(FrameKind.result, id, encoder.encode(id));
  assertEquals(client.call(echo, [0], { timeoutSeconds: 5 }), 45_006);
  assertEquals((await Promise.all(calls)).at(-1), 45_005);
  assertEquals(client.load, 0);
});

Deno.test("CallEnd.load counts calls that were given up until their answers come", async () => {
  const line = Line.create();
  const client = new CallEnd(line, { side: "client", limitBytes: 2 ** 20 });
  const server = new LineEnd(line, "server", { receive: () => {}, limitBytes: 2 ** 20 });
  const echo = { name: "echo", index: 0 };
  assertThrows(() => client.call(echo, [0], { timeoutSeconds: 0.001 }), DOMException);
  await assertRejects(() => client.callAsync(echo, [0], { timeoutSeconds: 0.001 }), DOMException);
  assertEquals(client.load, 2);
  for (const id of [1, 2]) server.post(FrameKind.result, id, new CloneEncoder().encode(id));
  assertEquals(client.load, 0);
  client.end("it was ended");
  assertEquals(client.load, Infinity);
});

Deno.test("CallEnd ends a line whose counts cannot be, and every call on it", async () => {
  const line = Line.create();
  const client = new CallEnd(line, { side: "client", limitBytes: 2 ** 20 });
  const echo = { name: "echo", index: 0 };
  const earlier = client.callAsync(echo, [1], {});
  line.words.store(LAYOUT.rings.client.readWord, 4);
  const wrong = "what came from the worker cannot be read";
  // More than the room that was seen before the count changed.
  const large = new Uint8Array(3 << 20);
  const late = { timeoutSeconds: 5 };
  assertThrows(() => client.call(echo, [large], late), WorkerEndedError, wrong);
  await assertRejects(() => client.callAsync(echo, [1], late), WorkerEndedError, wrong);
  await assertRejects(() => earlier, WorkerEndedError, wrong);
  assertEquals(line.isEnded, true);
});

Deno.test("CallEnd.finish() takes what the worker said before its thread was heard to end", async () => {
  const line = Line.create();
  const client = new CallEnd(line, { side: "client", limitBytes: 2 ** 20 });
  const server = new LineEnd(line, "server", { receive: () => {}, limitBytes: 2 ** 20 });
  const echo = { name: "echo", index: 0 };
  const [first, second] = [client.callAsync(echo, [0], {}), client.callAsync(echo, [0], {})];
  server.post(FrameKind.result, 1, new CloneEncoder().encode(7));
  server.post(FrameKind.ended, 0, new CloneEncoder().encode(undefined));
  client.finish(new Error("it ended with code 3"));
  assertEquals(await first, 7);
  await assertRejects(() => second, WorkerEndedError, "the worker ended itself");
});

Deno.test("CallEnd writes no letter where either side takes less than one can hold", async () => {
  for (const [client, server, number] of [[256, 256, 1], [255, 256, 0], [256, 255, 0]] as const) {
    const line = Line.create();
    new CallEnd(line, { side: "server", limitBytes: server });
    const calls = new CallEnd(line, { side: "client", limitBytes: client });
    const call = calls.callAsync({ name: "echo", index: 0 }, [1], {});
    assertEquals(line.words.load(LAYOUT.letters.client), number);
    calls.end("it was ended");
    await assertRejects(() => call, WorkerEndedError);
  }
});

Deno.test("CallEnd takes a late answer by letter for its own call, and writes no letter before it has come", async () => {
  const line = Line.create();
  const client = new CallEnd(line, { side: "client", limitBytes: 2 ** 20 });
  const served: unknown[] = [];
  const server = new CallEnd(line, {
    side: "server",
    limitBytes: 2 ** 20,
    methods: [["echo", (value) => (served.push(value), value)]],
  });
  const echo = { name: "echo", index: 0 };
  assertThrows(() => client.call(echo, ["late"], { timeoutSeconds: 0.001 }), DOMException);
  const next = client.callAsync(echo, ["next"], {});
  assertEquals([line.words.load(LAYOUT.letters.client), client.load], [1, 2]);
  while (server.pump());
  assertEquals([await next, served, client.load], ["next", ["late", "next"], 0]);
  const third = client.callAsync(echo, ["third"], {});
  assertEquals(line.words.load(LAYOUT.letters.client), 2);
  while (server.pump());
  assertEquals(await third, "third");
});

Deno.test("CallEnd ends a line on which a letter cannot be read", () => {
  const line = Line.create();
  const client = new CallEnd(line, { side: "client", limitBytes: 2 ** 20 });
  const first = LAYOUT.letters.server;
  line.words.plain.set([1, 1 << 12 | 15 << 16, 1], first);
  const echo = { name: "echo", index: 0 };
  const late = { timeoutSeconds: 5 };
  assertThrows(() => client.call(echo, [1], late), WorkerEndedError, "cannot be read");
  assertThrows(() => client.call(echo, [1], late), WorkerEndedError, "cannot be read");
});
