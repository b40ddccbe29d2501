/** Calls by signature as a whole: clients here, servers in workers. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Status } from "../memory/status.ts";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import { startServer } from "../worker/start_server.ts";
import { connectApi, ErrnoError, f32, f64, fn, hostApi, i32 } from "./mod.ts";
import type { HostApi, HostStubs } from "./mod.ts";
import { demoApi } from "./testdata/demo_api.ts";
import { moduleOf } from "./testdata/served.ts";

const DEMO = new URL("./testdata/demo_api.ts", import.meta.url);
const doubles = new Uint8Array(Float64Array.of(1.5, 2.5, -3).buffer);

type Demo = typeof demoApi extends HostApi<infer Fs> ? HostStubs<Fs> : never;

async function withDemo(
  laneCount: number,
  work: (demo: Demo, client: Client) => unknown,
): Promise<void> {
  const channel = Channel.create({ portCount: 4, laneCount });
  await using server = await startServer(channel, { services: [DEMO] });
  const client = new Client(channel);
  await work(connectApi(client, demoApi, { timeoutSeconds: 20 }), client);
  assert(server.serverId > 0);
}

for (const laneCount of [1, 4]) {
  Deno.test(`every kind of argument crosses, over ${laneCount} lanes`, () =>
    withDemo(laneCount, async (demo) => {
      assertEquals([demo.hypot(3, 4), await demo.hypot.async(5, 12)], [5, 13]);
      assertEquals(demo.mixed(-1n, true), 7n);
      assertEquals(demo.mixed(-8n, false), 2n ** 64n - 1n);
      assertEquals([demo.sum(doubles, 3), await demo.sum.async(doubles, 3)], [1, 1]);
      const array = new Uint8Array(new SharedArrayBuffer(300));
      demo.fill(array, 7);
      assert(array.every((byte) => byte === 7));
      await demo.fill.async(array.subarray(100), 8);
      assertEquals([array[99], array[100], array[299]], [7, 8, 8]);
      const letters = Uint8Array.of(1, 2, 3);
      assertEquals([demo.reverse(letters), demo.reverse(null)], [true, false]);
      assertEquals([...letters], [3, 2, 1]);
      const target = { x: 1, at: { flag: false, count: 5 } };
      const moved = demo.move(target, { x: 0.5, at: { flag: true, count: -6 } });
      assertEquals(target, { x: 1.5, at: { flag: false, count: -1 } });
      assertEquals(moved, { x: -1.5, at: { flag: true, count: 1 } });
      const there = {} as typeof target;
      assertEquals([demo.where(there), demo.where(null)], ["there", null]);
      assertEquals(there, { x: 4.5, at: { flag: true, count: -3 } });
      const long = "\ufeff€".repeat(500);
      const tagged = { type: "u32", value: 4 } as const;
      assertEquals(
        demo.format(long, 1.5, 2n, "x", true, tagged),
        `${long} f64 1.5 i64 2 string x i32 1 u32 4`,
      );
      assertEquals([demo.format(""), demo.apply("double", 21)], ["", 42]);
      assertThrows(() => demo.apply("absent", 1), CallError, "none of that name");
    }));
}

Deno.test("handles name what the host has, until their end", () =>
  withDemo(1, (demo) => {
    const file = demo.open("a", null)!;
    assertEquals([demo.nameOf(file), demo.open("", null), demo.open.errno], ["a:null", null, 0]);
    const error = assertThrows(() => demo.open("absent", "r"), ErrnoError, "(ENOENT)");
    assertEquals([error.errno, demo.open.errno], [2, 2]);
    assertEquals([demo.close(file), demo.close.errno], [0, 0]);
    for (const stale of [file, 0, file + 1, file + 2 ** 20, 2 ** 52 - 1] as (typeof file)[]) {
      assertThrows(() => demo.nameOf(stale), CallError, "it has ended or never was");
      assertThrows(() => demo.close(stale), CallError, "it has ended or never was");
    }
    assertThrows(() => demo.nameOf(2 ** 52 as typeof file), TypeError, "must be a handle");
    const busy = demo.open("busy", "w")!;
    assertThrows(() => demo.close(busy), ErrnoError, "(EBUSY)");
    assertEquals(demo.close.errno, 16);
    assertThrows(() => demo.nameOf(busy), CallError, "it has ended");
    const files = [1, 2, 3].map((one) => demo.open(`${one}`, null)!);
    assertThrows(() => demo.open("4", null), CallError, "there are 3 already");
    assertEquals(files.map((one) => demo.close(one)), [0, 0, 0]);
  }));

Deno.test("lanes call at once, each with its own arguments and failure", () =>
  withDemo(4, (demo) => {
    assertEquals(demo.hypot.lanes([[3, 4], undefined, [5, 12]]), [5, undefined, 13]);
    const texts = ["€".repeat(100), "", "b"];
    assertEquals(demo.format.lanes(texts.map((text) => [text])), texts);
    const opened = demo.open.lanes([["a", "r"], undefined, ["absent", null], ["", null]]);
    assertEquals([opened[1], opened[2], opened[3], demo.open.errno], [undefined, null, null, 2]);
    assertEquals(demo.nameOf(opened[0]!), "a:r");
    const arrays = [new Uint8Array(100), new Uint8Array(1)];
    demo.fill.lanes(arrays.map((array, lane) => [array, lane + 1]));
    assertEquals([arrays[0]![99], arrays[1]![0]], [1, 2]);
    const sparse: [number, number][] = [];
    sparse[2] = [3, 4];
    assertEquals([...demo.hypot.lanes(sparse)], [undefined, undefined, 5]);
    const holes: [string][] = [];
    holes[3] = ["text"];
    assertEquals([...demo.format.lanes(holes)], [undefined, undefined, undefined, "text"]);
    assertThrows(() => demo.hypot.lanes([]), RangeError, "names no lane");
    const five = Array<[number, number]>(5).fill([1, 2]);
    assertThrows(() => demo.hypot.lanes(five), RangeError, "beyond the channel's 4");
    assertThrows(() => demo.hypot.lanes([[1] as never]), TypeError, "1 arguments");
    demo.close(opened[0]!);
    // The fourth is one too many, and no handle of the others is left over.
    const tooMany = ["a", "b", "c", "d"].map((path) => [path, null] as [string, null]);
    assertThrows(() => demo.open.lanes(tooMany), CallError, "there are 3 already");
    const files = demo.open.lanes(tooMany.slice(1));
    assertEquals(demo.close.lanes(files.map((file) => [file!])), [0, 0, 0]);
  }));

Deno.test("what a function throws reaches its caller, who may go on", () =>
  withDemo(1, async (demo, client) => {
    const error = assertThrows(() => demo.fail("no such luck"), CallError);
    assertEquals(error.message, "no such luck (demo.fail)"); // its words, and nothing in front
    assertEquals([error.status, (error.cause as Error).name], [Status.handlerFailed, "RangeError"]);
    await assertRejects(() => demo.fail.async("again"), CallError, "again");
    assertThrows(() => (demo.hypot as unknown as (x: number) => number)(1), TypeError, "takes 2");
    assertThrows(() => (demo.format as unknown as () => string)(), TypeError, "at least 1");
    const wrong = demo.hypot.async("3" as unknown as number, 4);
    await assertRejects(() => wrong, TypeError, "argument 0 must be a number");
    const big = assertThrows(() => demo.reverse(new Uint8Array(1 << 17)), CallError);
    assertEquals(big.status, Status.lengthRefused);
    assertThrows(() => demo.fill(new Uint8Array(1 << 17), 1), CallError, "limit of 65536 bytes");
    const small = connectApi(client, demoApi, { limitBytes: 10 });
    assertThrows(() => small.format("a text of more"), RangeError, "limit is");
    assertEquals([small.format("a text"), demo.hypot(3, 4)], ["a text", 5]);
  }));

Deno.test("an unknown name suggests the nearest, and a mismatch names both signatures", () =>
  withDemo(1, async (_demo, client) => {
    const none = hostApi("demo", { hipot: fn([f64], f64), constructor: fn([], f64) });
    const { hipot, constructor } = connectApi(client, none);
    assertThrows(() => hipot(1), CallError, "the function demo.hipot: did you mean demo.hypot");
    await assertRejects(() => hipot.async(1), CallError, "did you mean demo.hypot");
    const there = "the function demo.constructor: there are demo.hypot";
    assertThrows(() => constructor(), CallError, there);
    const other = connectApi(client, hostApi("demo", { hypot: fn([f32, f64], f64) }));
    const error = assertThrows(() => other.hypot(1, 2), CallError).message;
    assert(error.includes("demo.hypot(f64, f64) -> f64"), error);
    assert(error.includes("and for the caller demo.hypot(f32, f64) -> f64"), error);
  }));

Deno.test("a server without functions says so", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  await using server = await startServer(channel);
  const { hypot } = connectApi(new Client(channel), demoApi);
  const text = "function demo.hypot, and serves none by name";
  const error = assertThrows(() => hypot(1, 2), CallError, text);
  assertEquals(error.status, Status.unhandledOpcode);
  await server.addServices(DEMO);
  assertEquals(hypot(3, 4), 5);
});

Deno.test("functions come, go and change while clients run", async () => {
  const changing = moduleOf(`
    const declared = (result) => s.hostApi("more", { value: s.fn([], result) });
    const control = s.hostApi("control", { set: s.fn([s.i32], s.nothing) });
    export function addServices(server) {
      let served;
      s.serveApi(server, control, { set(value) {
        served?.[Symbol.dispose]();
        const kind = value > 100 ? s.f64 : s.i32;
        served = value < 0 ? undefined : s.serveApi(server, declared(kind), { value: () => value });
      } });
    }`);
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  await using server = await startServer(channel, { services: [changing] });
  const client = new Client(channel);
  const { set } = connectApi(client, hostApi("control", { set: fn([i32], { kind: "void" }) }));
  const { value } = connectApi(client, hostApi("more", { value: fn([], i32) }));
  assertThrows(() => value(), CallError, "there are control.set");
  set(1);
  assertEquals(value(), 1);
  set(2);
  assertEquals(value(), 2);
  set(-1);
  assertThrows(() => value(), CallError, "more.value");
  assertThrows(() => value(), CallError, "there are");
  set(3);
  assertEquals(await value.async(), 3);
  set(101);
  const text = "here it is more.value() -> f64, and for the caller more.value() -> i32";
  assertThrows(() => value(), CallError, text);
  set(4);
  assertEquals([value(), server.serverId > 0], [4, true]);
});

Deno.test("several servers of a channel agree on opcodes, and know their own handles only", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const extra = moduleOf(`export const addServices = (server) => s.serveApi(server,
    s.hostApi("extra", { one: s.fn([], s.i32) }), { one: () => 1 });`);
  await using first = await startServer(channel, { services: [extra, DEMO] });
  await using second = await startServer(channel, { services: [DEMO, extra] });
  const demo = connectApi(new Client(channel), demoApi, { timeoutSeconds: 20 });
  const calls = Array.from({ length: 60 }, (_, index) => demo.hypot.async(3 * index, 4 * index));
  assertEquals(await Promise.all(calls), calls.map((_, index) => 5 * index));
  const file = demo.open("a", null)!;
  for (let call = 0; call < 20; call++) {
    try {
      assertEquals(demo.nameOf(file), "a:null");
    } catch (error) {
      assert(error instanceof CallError && /ended or never was/.test(error.message), String(error));
    }
  }
  assert(first.serverId !== second.serverId);
});
