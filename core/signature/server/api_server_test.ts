import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Opcode } from "../../memory/opcode.ts";
import { Client } from "../../toggle/client/client.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { connectApi } from "../client/connect_api.ts";
import * as kind from "../declare/kind.ts";
import { ErrnoError } from "../declare/errno.ts";
import { fn, hostApi } from "../declare/signature.ts";
import type { Handle } from "../declare/value.ts";
import { LoopServer, serveHere } from "../testdata/served.ts";
import { ApiServer, serveApi } from "./api_server.ts";
import { doBefore } from "./host_call.ts";

const { handle, i32, string } = kind;
const one = hostApi("one", { value: fn([], i32) });
const files = hostApi("files", {
  open: fn([string], handle("File")),
  name: fn([handle("File")], string),
});

Deno.test("ServedApi ends once: who has its names then keeps them", () => {
  const { server, served, stubs: { value } } = serveHere(one, { value: () => 1 });
  assertThrows(() => serveApi(server, one, { value: () => 2 }), RangeError, "one.value");
  assertEquals(value(), 1);
  served[Symbol.dispose]();
  assertThrows(() => value(), CallError, "one.value");
  using _second = serveApi(server, one, { value: () => 2 });
  served[Symbol.dispose]();
  assertEquals(value(), 2);
});

Deno.test("ApiServer serves all functions of an API or none, and only those that were given", () => {
  const { server } = oneThread({ portCount: 1, laneCount: 1 });
  const number = fn([], i32);
  const signatures = { f: number, constructor: number, toString: fn([], string), valueOf: number };
  const api = hostApi("a", signatures);
  const given = { f: () => 1, constructor: () => 2, toString: () => "", valueOf: () => 4 };
  for (const name of ["constructor", "toString", "valueOf"] as const) {
    const { [name]: _, ...rest } = given;
    const serve = () => serveApi(server, api, rest as typeof given);
    assertThrows(serve, TypeError, `a.${name} as there is no`);
  }
  const { stubs } = serveHere(api, given);
  assertEquals([stubs.constructor(), stubs.toString(), stubs.valueOf()], [2, "", 4]);
  serveApi(server, hostApi("a", { f: number }), { f: () => 1 });
  assertThrows(() => serveApi(server, api, given), RangeError, "a.f");
  serveApi(server, hostApi("a", { constructor: number }), { constructor: () => 1 });
});

Deno.test("APIs of one ApiServer share handles, those of another have their own", () => {
  const itself = (path: string) => path;
  const { client, server, host, stubs } = serveHere(files, { open: itself, name: itself });
  const more = hostApi("more", { name: files.functions.name.signature });
  host.serve(more, { name: (path: string) => `more ${path}` });
  const other = hostApi("other", { name: files.functions.name.signature });
  serveApi(server, other, { name: itself });
  const file = stubs.open("a");
  assertEquals([connectApi(client, more).name(file), host.handleCount], ["more a", 1]);
  assertThrows(() => connectApi(client, other).name(file), CallError, "it has ended or never was");
});

Deno.test("ApiServer checks its limits when it is made", () => {
  const { server } = oneThread({ portCount: 1, laneCount: 1 });
  for (const wrong of [NaN, -1]) {
    for (const option of ["limitBytes", "handlesMax", "timeoutSeconds"]) {
      assertThrows(() => new ApiServer(server, { [option]: wrong }), RangeError, option);
    }
  }
  new ApiServer(server, { timeoutSeconds: Infinity, limitBytes: 0, handlesMax: 0 });
});

Deno.test("ApiServer.serveAsync() serves functions that wait, in any order", async () => {
  const api = hostApi("later", {
    sum: fn([i32, i32], i32),
    text: fn([string], string),
    open: fn([i32], handle("N")),
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  await using server = new LoopServer((host) =>
    host.serveAsync(api, {
      sum: async (left, right) => (await promise, left + right),
      text: (text) => (resolve(), Promise.resolve(text + "!")),
      open: (value) =>
        value > 0 ? Promise.resolve({ value }) : Promise.reject(new Error("no such")),
    }), { timeoutSeconds: 20 });
  const stubs = connectApi(server.client, api);
  const sums = [stubs.sum.async(1, 2), stubs.sum.async(3, 4)];
  assertEquals(await stubs.text.async("a"), "a!");
  assertEquals(await Promise.all(sums), [3, 7]);
  await assertRejects(() => stubs.open.async(0), CallError, "no such");
  assertEquals([typeof await stubs.open.async(1), server.host.handleCount], ["number", 1]);
});

const who = hostApi("who", {
  scalar: fn([i32], i32),
  nothing: fn([], kind.nothing),
  text: fn([string], i32),
  open: fn([i32], handle("N")),
});

/** Which of four clients each function of a server saw, called all at once. */
async function callersOf(way: "serve" | "serveAsync"): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  const clients: Client[] = [];
  await using server = new LoopServer((host) => {
    const note = (name: string) => seen[name] = clients.findIndex(({ id }) => id === host.callerId);
    host[way](who, {
      scalar: () => note("scalar"),
      nothing: () => void note("nothing"),
      text: () => note("text"),
      open: () => [note("open")],
    });
  });
  for (const _ of Object.keys(who.functions)) clients.push(new Client(server.channel));
  const [scalar, nothing, text, open] = clients.map((client) => connectApi(client, who));
  // Found by their names before: from here on each call is under way before the first is served.
  const calls = () => [
    ...[scalar!.scalar.async(1), nothing!.nothing.async()],
    ...[text!.text.async("a"), open!.open.async(1)],
  ];
  await Promise.all(calls());
  await Promise.all(calls());
  return seen;
}

Deno.test("ApiServer.callerId is the client whose call is served", async () => {
  const all = { scalar: 0, nothing: 1, text: 2, open: 3 };
  assertEquals(await callersOf("serve"), all);
  assertEquals(await callersOf("serveAsync"), all);
  // On a server that blocks, with another client on the first port.
  const api = hostApi("who", { text: who.functions.text.signature });
  const { channel, client, stubs, host } = serveHere(api, { text: (): number => host.callerId });
  using _port = new Client(channel).open(Opcode.noop);
  assertEquals(stubs.text("a"), client.id);
});

Deno.test("ApiServer.takeBack() ends the handle of an object", () => {
  const object = {};
  const { host, stubs } = serveHere(files, { open: () => object, name: () => "a" });
  const file = stubs.open("a");
  host.takeBack("Other", object);
  assertEquals([stubs.name(file), host.handleCount], ["a", 1]);
  host.takeBack("File", object);
  assertThrows(() => stubs.name(file), CallError, "has ended");
  assertEquals(host.handleCount, 0);
});

function errno(): never {
  throw new ErrnoError(5, "x");
}

function strange(): never {
  throw new Error("x");
}

function later(result: number): () => Pending<number> {
  return () => new Pending({ poll: () => result, cancel() {} });
}

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
  ["a failure that is declared", { when: 0 }, errno, true],
  ["a failure that ends it", { when: -1 }, errno, false],
  ["a failure without a word", undefined, errno, false],
  ["a throw that nobody declared", { when: 0 }, strange, false],
  ["what stands before it", { when: 0 }, () => doBefore(strange), true],
  ["what stands before any", undefined, () => doBefore(errno), true],
  ["a late result that ends it", { when: 0 }, later(0), false],
  ["a late result", { when: 0 }, later(5), true],
];

/** What a function on an event loop makes of the same. */
function settled(made: unknown): unknown {
  return made instanceof Pending ? made.settled(new AbortController().signal) : made;
}

for (const way of ["serve", "serveAsync"] as const) {
  Deno.test(`a handle is ended by what the function says, by ${way}()`, async () => {
    for (const [name, options, work, isLeft] of ENDINGS) {
      const ending = kind.ends("File", options);
      const api = hostApi("files", {
        open: files.functions.open.signature,
        name: files.functions.name.signature,
        close: fn([ending], i32, { failsWith: -1 }),
        closeText: fn([ending, string], i32, { failsWith: -1 }),
      });
      const close = way === "serve" ? work : () => settled(work());
      const opened = { open: (path: string) => [path], name: ([path]: string[]) => path! };
      await using server = new LoopServer((host) => {
        host[way](api, { ...opened, close, closeText: close } as never);
      });
      const { client, host } = server;
      const stubs = connectApi(client, api);
      const closeText = (file: Handle<"File">) => stubs.closeText.async(file, "a");
      for (const close of [stubs.close.async, closeText]) {
        const file = await stubs.open.async("a.txt");
        await close(file).catch(() => {});
        assertEquals(host.handleCount, isLeft ? 1 : 0, name);
        if (isLeft) assertEquals(await stubs.name.async(file), "a.txt", name);
        else await assertRejects(() => stubs.name.async(file), CallError, "has ended");
        host.takeBack("File", isLeft ? host.objectOf("File", file) : undefined);
      }
    }
  });
}

Deno.test("ApiServer.serveAsync() keeps no handle that was made too late", async () => {
  const [flat, long] = [fn([i32], handle("N")), fn([string], handle("N"))];
  const api = hostApi("late", { open: flat, text: long });
  const { promise, resolve } = Promise.withResolvers<object>();
  await using server = new LoopServer(
    (host) => host.serveAsync(api, { open: () => promise, text: () => promise }),
    { timeoutSeconds: 0.05 },
  );
  const stubs = connectApi(server.client, api);
  await assertRejects(() => stubs.open.async(1), CallError, "within 0.05 s");
  await assertRejects(() => stubs.text.async("a"), CallError, "within 0.05 s");
  resolve({});
  await new Promise((turn) => setTimeout(turn, 1));
  assertEquals(server.host.handleCount, 0);
});
