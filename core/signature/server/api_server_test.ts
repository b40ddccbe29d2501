import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Opcode } from "../../memory/opcode.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { connectApi } from "../client/connect_api.ts";
import * as kind from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { ErrnoError } from "../declare/errno.ts";
import type { Handle } from "../declare/value.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { ApiServer, serveApi } from "./api_server.ts";
import { doBefore } from "./host_call.ts";

const SHAPE = { portCount: 4, laneCount: 64 };
const { i32, string } = kind;
const one = hostApi("one", { value: fn([], i32) });
const files = hostApi("files", {
  open: fn([string], kind.handle("File")),
  name: fn([kind.handle("File")], string),
});

Deno.test("ServedApi ends once: who has its names then keeps them", () => {
  const { client, server } = oneThread(SHAPE);
  const first = serveApi(server, one, { value: () => 1 });
  assertThrows(() => serveApi(server, one, { value: () => 2 }), RangeError, "one.value");
  const { value } = connectApi(client, one);
  assertEquals(value(), 1);
  first[Symbol.dispose]();
  assertThrows(() => value(), CallError, "one.value");
  using _second = serveApi(server, one, { value: () => 2 });
  first[Symbol.dispose]();
  assertEquals(value(), 2);
});

Deno.test("ApiServer serves all functions of an API or none, and only those that were given", () => {
  const { server } = oneThread(SHAPE);
  const api = hostApi("a", {
    f: fn([], i32),
    constructor: fn([], i32),
    toString: fn([], string),
    valueOf: fn([], i32),
  });
  const given = { f: () => 1, constructor: () => 2, toString: () => "", valueOf: () => 4 };
  for (const name of ["constructor", "toString", "valueOf"] as const) {
    const { [name]: _, ...rest } = given;
    assertThrows(
      () => serveApi(server, api, rest as typeof given),
      TypeError,
      `a.${name} as there is no`,
    );
  }
  const { client, server: other } = oneThread(SHAPE);
  serveApi(other, api, given);
  const stubs = connectApi(client, api);
  assertEquals([stubs.constructor(), stubs.toString(), stubs.valueOf()], [2, "", 4]);
  serveApi(server, hostApi("a", { f: fn([], i32) }), { f: () => 1 });
  assertThrows(() => serveApi(server, api, given), RangeError, "a.f");
  serveApi(server, hostApi("a", { constructor: fn([], i32) }), { constructor: () => 1 });
});

Deno.test("APIs of one ApiServer share handles, those of another have their own", () => {
  const { client, server } = oneThread(SHAPE);
  const shared = new ApiServer(server, { handlesMax: 2 });
  shared.serve(files, { open: (path) => path, name: (path: string) => path });
  const more = hostApi("more", { name: files.functions.name.signature });
  shared.serve(more, { name: (path: string) => `more ${path}` });
  const other = hostApi("other", { name: files.functions.name.signature });
  serveApi(server, other, { name: (path: string) => path });
  const file = connectApi(client, files).open("a");
  assertEquals([connectApi(client, more).name(file), shared.handleCount], ["more a", 1]);
  assertThrows(() => connectApi(client, other).name(file), CallError, "it has ended or never was");
});

Deno.test("ApiServer checks its limits when it is made", () => {
  const { server } = oneThread(SHAPE);
  for (const wrong of [NaN, -1]) {
    for (const option of ["limitBytes", "handlesMax", "timeoutSeconds"]) {
      assertThrows(() => new ApiServer(server, { [option]: wrong }), RangeError, option);
    }
  }
  new ApiServer(server, { timeoutSeconds: Infinity, limitBytes: 0, handlesMax: 0 });
});

Deno.test("ApiServer.serveAsync() serves functions that wait, in any order", async () => {
  const channel = Channel.create(SHAPE);
  const server = new Server(channel);
  const api = hostApi("later", {
    sum: fn([i32, i32], i32),
    text: fn([string], string),
    open: fn([i32], kind.handle("N")),
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const host = new ApiServer(server, { timeoutSeconds: 20 });
  host.serveAsync(api, {
    sum: async (left, right) => (await promise, left + right),
    text: (text) => (resolve(), Promise.resolve(text + "!")),
    open: (value) => value > 0 ? Promise.resolve({ value }) : Promise.reject(new Error("no such")),
  });
  const served = server.runAsync();
  const stubs = connectApi(new Client(channel), api);
  const sums = [stubs.sum.async(1, 2), stubs.sum.async(3, 4)];
  assertEquals(await stubs.text.async("a"), "a!");
  assertEquals(await Promise.all(sums), [3, 7]);
  await assertRejects(() => stubs.open.async(0), CallError, "no such");
  assertEquals([typeof await stubs.open.async(1), host.handleCount], ["number", 1]);
  channel.shutDown();
  await served;
});

const who = hostApi("who", {
  scalar: fn([i32], i32),
  nothing: fn([], kind.nothing),
  text: fn([string], i32),
  open: fn([i32], kind.handle("N")),
});

/** Which of four clients each function of a server saw, called all at once. */
async function callersOf(isAsync: boolean): Promise<Record<string, number>> {
  const channel = Channel.create(SHAPE);
  const server = new Server(channel);
  const host = new ApiServer(server);
  const clients = Object.keys(who.functions).map(() => new Client(channel));
  const seen: Record<string, number> = {};
  const note = (name: string) => seen[name] = clients.findIndex(({ id }) => id === host.callerId);
  const functions = {
    scalar: () => note("scalar"),
    nothing: () => void note("nothing"),
    text: () => note("text"),
    open: () => [note("open")],
  };
  if (isAsync) host.serveAsync(who, functions);
  else host.serve(who, functions);
  const [scalar, nothing, text, open] = clients.map((client) => connectApi(client, who));
  // Found by their names before: from here on each call is under way before the first is served.
  const calls = () => [
    scalar!.scalar.async(1),
    nothing!.nothing.async(),
    text!.text.async("a"),
    open!.open.async(1),
  ];
  const served = server.runAsync();
  await Promise.all(calls());
  await Promise.all(calls());
  channel.shutDown();
  await served;
  return seen;
}

Deno.test("ApiServer.callerId is the client whose call is served", async () => {
  const all = { scalar: 0, nothing: 1, text: 2, open: 3 };
  assertEquals(await callersOf(false), all);
  assertEquals(await callersOf(true), all);
  // On a server that blocks, with another client on the first port.
  const { channel, client, server } = oneThread(SHAPE);
  using _port = new Client(channel).open(Opcode.noop);
  const host = new ApiServer(server);
  const text = hostApi("who", { text: who.functions.text.signature });
  host.serve(text, { text: () => host.callerId });
  assertEquals(connectApi(client, text).text("a"), client.id);
});

Deno.test("ApiServer.takeBack() ends the handle of an object", () => {
  const { client, server } = oneThread(SHAPE);
  const host = new ApiServer(server);
  const object = {};
  host.serve(files, { open: () => object, name: () => "a" });
  const { open, name } = connectApi(client, files);
  const file = open("a");
  host.takeBack("Other", object);
  assertEquals([name(file), host.handleCount], ["a", 1]);
  host.takeBack("File", object);
  assertThrows(() => name(file), CallError, "has ended");
  assertEquals(host.handleCount, 0);
});

/** Whether a handle is left by a call that ends it, by what its function does: then by a packet, and by a message. */
const ENDINGS: readonly (readonly [
  name: string,
  options: kind.EndOptions | undefined,
  work: () => unknown,
  isLeft: boolean,
])[] = [
  ["always", undefined, () => 5, false],
  ["the result that ends it", { when: 0 }, () => 0, false],
  ["another result", { when: 0 }, () => 5, true],
  ["no result that keeps it", { unless: -1 }, () => 0, false],
  ["the result that keeps it", { unless: -1 }, () => -1, true],
  ["a failure that is declared", { when: 0 }, () => throwIt(new ErrnoError(5, "x")), true],
  ["a failure that ends it", { when: -1 }, () => throwIt(new ErrnoError(5, "x")), false],
  ["a failure without a word", undefined, () => throwIt(new ErrnoError(5, "x")), false],
  ["a throw that nobody declared", { when: 0 }, () => throwIt(new Error("x")), false],
  ["what stands before it", { when: 0 }, () => doBefore(() => throwIt(new Error("x"))), true],
  [
    "what stands before any",
    undefined,
    () => doBefore(() => throwIt(new ErrnoError(5, "x"))),
    true,
  ],
  [
    "a late result that ends it",
    { when: 0 },
    () => new Pending({ poll: () => 0, cancel() {} }),
    false,
  ],
  ["a late result", { when: 0 }, () => new Pending({ poll: () => 5, cancel() {} }), true],
];

function throwIt(error: Error): never {
  throw error;
}

for (const isAsync of [false, true]) {
  Deno.test(`a handle is ended by what the function says, ${isAsync ? "later" : "at once"}`, async () => {
    for (const [name, options, work, isLeft] of ENDINGS) {
      const channel = Channel.create(SHAPE);
      const server = new Server(channel);
      const host = new ApiServer(server);
      const ending = kind.ends("File", options);
      const api = hostApi("files", {
        open: files.functions.open.signature,
        name: files.functions.name.signature,
        close: fn([ending], i32, { failsWith: -1 }),
        closeText: fn([ending, string], i32, { failsWith: -1 }),
      });
      const ended = isAsync
        ? () => {
          const made = work();
          return made instanceof Pending ? made.settled(new AbortController().signal) : made;
        }
        : work;
      const functions = {
        open: (path: string) => [path],
        name: ([path]: string[]) => path!,
        close: ended,
        closeText: ended,
      };
      if (isAsync) host.serveAsync(api, functions as never);
      else host.serve(api, functions as never);
      const served = server.runAsync();
      const stubs = connectApi(new Client(channel), api);
      for (
        const close of [
          stubs.close.async,
          (file: Handle<"File">) => stubs.closeText.async(file, "a"),
        ]
      ) {
        const file = await stubs.open.async("a.txt");
        await close(file).catch(() => {});
        assertEquals(host.handleCount, isLeft ? 1 : 0, name);
        if (isLeft) assertEquals(await stubs.name.async(file), "a.txt", name);
        else await assertRejects(() => stubs.name.async(file), CallError, "has ended");
        host.takeBack("File", host.handleCount > 0 ? host.objectOf("File", file) : undefined);
      }
      channel.shutDown();
      await served;
    }
  });
}

Deno.test("ApiServer.serveAsync() keeps no handle that was made too late", async () => {
  const channel = Channel.create(SHAPE);
  const server = new Server(channel);
  const api = hostApi("late", {
    open: fn([i32], kind.handle("N")),
    text: fn([string], kind.handle("N")),
  });
  const host = new ApiServer(server, { timeoutSeconds: 0.05 });
  const { promise, resolve } = Promise.withResolvers<object>();
  host.serveAsync(api, { open: () => promise, text: () => promise });
  const served = server.runAsync();
  const stubs = connectApi(new Client(channel), api);
  await assertRejects(() => stubs.open.async(1), CallError, "within 0.05 s");
  await assertRejects(() => stubs.text.async("a"), CallError, "within 0.05 s");
  resolve({});
  await new Promise((turn) => setTimeout(turn, 1));
  assertEquals(host.handleCount, 0);
  channel.shutDown();
  await served;
});
