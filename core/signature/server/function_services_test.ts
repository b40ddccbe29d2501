/** Functions that misbehave, each over streams and messages: all but what fits a packet. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { startServer } from "../../worker/start_server.ts";
import { connectApi } from "../client/connect_api.ts";
import * as kind from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { declared, moduleOf, serveHere } from "../testdata/served.ts";
import { asyncServices, servicesOf } from "./function_services.ts";
import { HostCall } from "./host_call.ts";
import { ServedObjects } from "./served_objects.ts";

const { f64, i32, string } = kind;
const api = hostApi("odd", {
  text: fn([string, kind.bytes("inout")], string),
  depth: fn([i32, string], i32),
});
type Text = (text: string, array: Uint8Array) => string;

Deno.test("servicesOf() has a service of its own kind for packets, streams and messages", () => {
  const call = (parameter: kind.Parameter) =>
    new HostCall(declared([parameter], i32), () => {}, new ServedObjects({}));
  const keys = (services: object) => Object.values(services).map((one) => Object.keys(one));
  const both = ["asynchronous", "handler"];
  assertEquals(keys(servicesOf(30)(call(i32))), [["operate"], both]);
  assertEquals(keys(servicesOf(30)(call(string))), [both, both]);
  const { lanes, message } = asyncServices(5)(call(string));
  assertEquals([lanes.asynchronous?.timeoutSeconds, message.asynchronous?.timeoutSeconds], [5, 5]);
});

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

function transferred(_text: string, array: Uint8Array): string {
  (array.buffer as ArrayBuffer).transfer();
  return "";
}

Deno.test("a function that misbehaves fails its own call, and no other", () => {
  let text: Text = (text) => text;
  const { stubs } = serveHere(api, { text: (...given) => text(...given), depth: (depth) => depth });
  const array = Uint8Array.of(1, 2);
  const cases: readonly (readonly [(...given: Parameters<Text>) => unknown, string])[] = [
    [throwing(new RangeError("thrown")), "thrown (odd.text)"],
    [throwing(undefined), "odd.text"],
    [() => Promise.resolve(""), "must be synchronous"],
    [() => 5, "must be a string: current value is 5"],
    [() => "\0", "must hold no NUL"],
    [transferred, "gave the memory of an argument away"],
    [(_, array) => array, "current value is [object Uint8Array]"],
  ];
  for (const [work, problem] of cases) {
    text = work as Text;
    for (const call of [() => stubs.text("a", array), () => stubs.text.lanes([["a", array]])]) {
      assertThrows(call, CallError, problem);
      assertEquals([...array], [1, 2]);
    }
  }
  text = (text, array) => text + array.fill(7).length;
  assertEquals([stubs.text("a", array), ...array], ["a2", 7, 7]);
});

Deno.test("a function may call functions of its server's, also itself", () => {
  const { stubs } = serveHere(api, {
    text: (text, array): string =>
      array.length > 2 ? text : text + stubs.text("b", new Uint8Array(array.length + 1)),
    depth: (depth, text): number => depth > 2 ? depth : stubs.depth(depth + 1, text),
  });
  assertEquals([stubs.text("a", new Uint8Array(1)), stubs.depth(0, "")], ["abb", 3]);
});

Deno.test("a function may serve other calls while it runs", () => {
  const order: string[] = [];
  const hypot = hostApi("m", { hypot: fn([f64, f64], f64) });
  const { client, server, stubs } = serveHere(hypot, {
    hypot: (x, y) => {
      order.push(`${x} ${y}`);
      server.runOnce();
      return Math.hypot(x, y);
    },
  });
  const { opcode } = stubs.hypot;
  const pending = client.open(opcode).send((packet) =>
    packet.forEachLane((lane) => {
      packet.setUint32(lane, 0, hypot.functions.hypot.hash);
      packet.setFloat64(lane, 1, 5);
      packet.setFloat64(lane, 2, 12);
    })
  );
  assertEquals(stubs.hypot(3, 4), 5);
  pending.recv((packet) => assertEquals(packet.getFloat64(63, 1), 13)).close();
  assertEquals([order.length, order.includes("3 4"), order.includes("5 12")], [65, true, true]);
});

const WAITING = moduleOf(`
  const api = s.hostApi("odd", { text: s.fn([s.string, s.bytes("inout")], s.string), depth: s.fn([s.i32, s.string], s.i32) });
  export const addServices = (server) => new s.ApiServer(server).serveAsync(api, {
    text: async (text, array) => (await 0, array.reverse(), text + array.length),
    depth: (depth, text) => { if (text === "bad") throw new Error(text); return depth; },
  });`);

Deno.test("streams and messages that wait cross in pieces, with each lane's own reply", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 3 });
  await using server = await startServer(channel, { services: [WAITING] });
  const stubs = connectApi(new Client(channel), api, { timeoutSeconds: 20 });
  const arrays = [300, 0, 5].map((size) => Uint8Array.from({ length: size }, (_, byte) => byte));
  const texts = stubs.text.lanes(arrays.map((array, lane) => ["x".repeat(100 * lane), array]));
  assertEquals(texts.map((text) => text!.length), [3, 101, 201]);
  assertEquals([arrays[0]![0], arrays[2]![0]], [299 % 256, 4]);
  assertEquals([stubs.text("a", arrays[0]!), arrays[0]![0]], ["a300", 0]);
  assertThrows(() => stubs.depth.lanes([[1, ""], [2, "bad"]]), CallError, "bad (odd.depth)");
  assertEquals(stubs.depth(7, "good"), 7);
  assert(server.serverId > 0);
});
