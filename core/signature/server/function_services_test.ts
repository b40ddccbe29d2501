/** Functions that misbehave, each over streams and messages: all but what fits a packet. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { startServer } from "../../worker/start_server.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { connectApi } from "../client/connect_api.ts";
import * as kind from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { ApiServer } from "./api_server.ts";
import { asyncServices, servicesOf } from "./function_services.ts";
import { HostCall } from "./host_call.ts";
import { ServedObjects } from "./served_objects.ts";

const { i32, string } = kind;
const api = hostApi("odd", {
  text: fn([string, kind.bytes("inout")], string),
  depth: fn([i32, string], i32),
});
type Text = (text: string, array: Uint8Array) => string;

Deno.test("servicesOf() has a service of its own kind for packets, streams and messages", () => {
  const call = (target: keyof typeof api.functions | "flat") => {
    const { functions } = hostApi("a", { flat: fn([i32], i32), ...{ text: fn([string], string) } });
    return new HostCall(
      functions[target as "flat"] ?? functions.text,
      () => {},
      new ServedObjects({}),
    );
  };
  const keys = (services: object) => Object.values(services).map((one) => Object.keys(one));
  assertEquals(keys(servicesOf(30)(call("flat"))), [["operate"], ["asynchronous", "handler"]]);
  assertEquals(keys(servicesOf(30)(call("text"))), [["asynchronous", "handler"], [
    "asynchronous",
    "handler",
  ]]);
  const { lanes, message } = asyncServices(5)(call("text"));
  assertEquals([lanes.asynchronous?.timeoutSeconds, message.asynchronous?.timeoutSeconds], [5, 5]);
});

Deno.test("a function that misbehaves fails its own call, and no other", () => {
  const { client, server } = oneThread({ portCount: 4, laneCount: 64 });
  let text: Text = (text) => text;
  new ApiServer(server).serve(api, { text: (...given) => text(...given), depth: (depth) => depth });
  const stubs = connectApi(client, api);
  const array = Uint8Array.of(1, 2);
  const cases: readonly (readonly [Text, string])[] = [
    [() => {
      throw new RangeError("thrown");
    }, "thrown (odd.text)"],
    [() => {
      // deno-lint-ignore no-throw-literal -- what hosts throw is not always an error
      throw undefined;
    }, "odd.text"],
    [() => Promise.resolve("") as unknown as string, "must be synchronous"],
    [() => 5 as unknown as string, "must be a string: current value is 5"],
    [() => "\0", "must hold no NUL"],
    [
      (text, array) => (array.buffer as ArrayBuffer).transfer() && text,
      "gave the memory of an argument away",
    ],
    [(_, array) => array as unknown as string, "current value is [object Uint8Array]"],
  ];
  for (const [work, problem] of cases) {
    text = work;
    for (const call of [() => stubs.text("a", array), () => stubs.text.lanes([["a", array]])]) {
      assertThrows(call, CallError, problem);
      assertEquals([...array], [1, 2]);
    }
  }
  text = (text, array) => text + array.fill(7).length;
  assertEquals([stubs.text("a", array), ...array], ["a2", 7, 7]);
});

Deno.test("a function may call functions of its server's, also itself", () => {
  const { client, server } = oneThread({ portCount: 4, laneCount: 64 });
  const stubs = connectApi(client, api);
  new ApiServer(server).serve(api, {
    text: (text, array) =>
      array.length > 2 ? text : text + stubs.text("b", new Uint8Array(array.length + 1)),
    depth: (depth, text) => depth > 2 ? depth : stubs.depth(depth + 1, text),
  });
  assertEquals([stubs.text("a", new Uint8Array(1)), stubs.depth(0, "")], ["abb", 3]);
});

Deno.test("a function may serve other calls while it runs", () => {
  const { client, server } = oneThread({ portCount: 4, laneCount: 64 });
  const order: string[] = [];
  const hypot = hostApi("m", { hypot: fn([kind.f64, kind.f64], kind.f64) });
  new ApiServer(server).serve(hypot, {
    hypot: (x, y) => {
      order.push(`${x} ${y}`);
      server.runOnce();
      return Math.hypot(x, y);
    },
  });
  const stubs = connectApi(client, hypot);
  const { opcode } = stubs.hypot;
  const { hash } = hypot.functions.hypot;
  const pending = client.open(opcode).send((packet) =>
    packet.forEachLane((lane) => {
      packet.setUint32(lane, 0, hash);
      packet.setFloat64(lane, 1, 5);
      packet.setFloat64(lane, 2, 12);
    })
  );
  assertEquals(stubs.hypot(3, 4), 5);
  pending.recv((packet) => assertEquals(packet.getFloat64(63, 1), 13)).close();
  assertEquals([order.length, order.includes("3 4"), order.includes("5 12")], [65, true, true]);
});

Deno.test("streams and messages that wait cross in pieces, with each lane's own reply", async () => {
  const mod = new URL("../mod.ts", import.meta.url);
  const source = `import * as s from "${mod}";
    const api = s.hostApi("odd", { text: s.fn([s.string, s.bytes("inout")], s.string), depth: s.fn([s.i32, s.string], s.i32) });
    export const addServices = (server) => new s.ApiServer(server).serveAsync(api, {
      text: async (text, array) => (await 0, array.reverse(), text + array.length),
      depth: (depth, text) => { if (text === "bad") throw new Error(text); return depth; },
    });`;
  const channel = Channel.create({ portCount: 2, laneCount: 3 });
  await using server = await startServer(channel, {
    services: ["data:text/javascript," + encodeURIComponent(source)],
  });
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
