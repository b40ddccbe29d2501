/** Requests that no client of this library makes: each ends in an error or in a valid call. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { CallError } from "../call/call_error.ts";
import { jsonCodec } from "../call/codec.ts";
import { LengthRefusedError } from "../call/limit.ts";
import { laneMask } from "../memory/lane_mask.ts";
import { Opcode } from "../memory/opcode.ts";
import type { Packet } from "../memory/packet.ts";
import type { Client } from "../toggle/client/client.ts";
import { oneThread } from "../testing/fixtures/one_thread.ts";
import { connectApi, type HostApi, type HostStubs } from "./mod.ts";
import type { ApiFunction } from "./declaration_types.ts";
import { anyChange } from "./testdata/any_call.ts";
import { addServices, demoApi } from "./testdata/demo_api.ts";
import { encodeRequest } from "./wire/request_encoder.ts";

type Demo = typeof demoApi extends HostApi<infer Fs> ? Fs : never;

/** 64 lanes, so that each message fits one packet, which one thread can serve. */
function served(): { readonly client: Client; readonly demo: HostStubs<Demo> } {
  const { client, server } = oneThread({ portCount: 2, laneCount: 64 });
  addServices(server);
  return { client, demo: connectApi(client, demoApi) };
}

const { functions } = demoApi;

function target(name: keyof typeof functions): ApiFunction {
  return functions[name] as ApiFunction;
}

function use(): void {}
const limits = { limitBytes: 4000, timeoutSeconds: 5 };

/** Sends a message, and returns the reply or the refusal's text. */
function send(client: Client, opcode: number, bytes: Uint8Array): Uint8Array | string {
  try {
    return client.callMessage(opcode, bytes, limits);
  } catch (error) {
    // An answer can also be longer than this side takes.
    assert(error instanceof CallError || error instanceof LengthRefusedError, String(error));
    return (error.cause as Error | undefined)?.message ?? error.message;
  }
}

Deno.test("a server goes on after any change of any request", () => {
  const { client, demo } = served();
  const point = { x: 1, at: { flag: true, count: 2 } };
  const requests: readonly (readonly [keyof typeof functions, unknown[]])[] = [
    ["sum", [new Uint8Array(16), 2]],
    ["fill", [new Uint8Array(40), 3]],
    ["reverse", [Uint8Array.of(1, 2, 3)]],
    ["open", ["path", "mode"]],
    ["nameOf", [5]],
    ["close", [5]],
    ["move", [point, point]],
    ["where", [{}]],
    ["format", ["text", [1, "two", 3n]]],
    ["apply", ["double", 4]],
    ["fail", ["text"]],
  ];
  fc.assert(
    fc.property(fc.constantFrom(...requests), anyChange, ([name, given], change) => {
      const bytes = change(encodeRequest(target(name), given));
      const reply = send(client, demo[name].opcode + 1, bytes);
      if (typeof reply !== "string" || reply.startsWith("Cannot ")) return;
      // The function's own words, which are the text that it was sent.
      const sent = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      assert(name === "fail" && sent.includes(reply), `${name}: ${reply}`);
    }),
    { numRuns: 500 },
  );
  assertEquals(demo.hypot(3, 4), 5);
});

Deno.test("a wrong hash, a wrong opcode and another API's request are refused by name", () => {
  const { client, demo } = served();
  const sum = encodeRequest(target("sum"), [new Uint8Array(16), 2]);
  for (const name of Object.keys(functions) as (keyof typeof functions)[]) {
    if (name === "sum") continue;
    const text = `Cannot serve demo.${name} as its caller has another signature`;
    const reply = send(client, demo[name].opcode + 1, sum);
    assert(typeof reply === "string" && reply.startsWith(text), `${name}: ${reply}`);
    // As a packet or as streams: the hash is not where it should be, or is another.
    const fill = (packet: Packet) => {
      packet.setUint32(0, 0, 8);
      packet.setUint32(0, 1, 0);
      packet.setUint32(0, 2, 1);
    };
    const call = () => client.call(demo[name].opcode, { fill, use }, { mask: laneMask(0) });
    assertThrows(call, CallError, text);
  }
});

Deno.test("a stream that says it is long is refused before it is taken", () => {
  const { client, demo } = served();
  for (const [low, high] of [[0xffffffff, 0xffffffff], [1 << 30, 0], [0, 1]] as const) {
    const fill = (packet: Packet) => {
      packet.setUint32(3, 0, low);
      packet.setUint32(3, 1, high);
    };
    const call = () => client.call(demo.open.opcode, { fill, use }, { mask: laneMask(3) });
    assertThrows(call, CallError, "as the limit is");
  }
});

Deno.test("a question for a function is one, or is refused", () => {
  const { client } = served();
  const encode = (value: unknown) => jsonCodec.encode(value);
  const none = [new Uint8Array(), ...[null, [], { name: { toString: 1 }, text: "" }].map(encode)];
  const find = "Cannot find the function";
  const texts = [
    ...[...none, encode({ name: "demo.hypot" })].map((bytes) =>
      [bytes, "a name and a signature must be asked for"] as const
    ),
    [encode({ name: "__proto__", text: "x" }), `${find} __proto__: there are demo`],
    [encode({ name: "constructor", text: "x" }), `${find} constructor: there are`],
    [encode({ name: "demo.hypot", text: "x" }), "and for the caller x"],
    [encode({ name: "x".repeat(3000), text: "" }), "there are"],
    [Uint8Array.of(0xff), "not valid"],
    [Uint8Array.of(0x7b), "JSON"],
  ] as const;
  for (const [bytes, text] of texts) {
    const reply = send(client, Opcode.findFunction, bytes);
    assert(typeof reply === "string" && reply.includes(text), String(reply));
  }
});

Deno.test("a call that is refused ends no handle", () => {
  const { client, demo } = served();
  const file = demo.open("a", null)!;
  const request = encodeRequest(target("close"), [file]);
  const { opcode } = demo.close;
  const refused = send(client, opcode + 1, new Uint8Array([...request, 0]));
  assertStringIncludes(refused as string, "17 bytes");
  assertEquals(demo.nameOf(file), "a:null");
  assertEquals((send(client, opcode + 1, request) as Uint8Array).length, 16);
  assertThrows(() => demo.nameOf(file), CallError, "has ended");
});

Deno.test("an asynchronous call takes its arguments when it begins", () => {
  const { reverse } = served().demo;
  const array = new Uint8Array(new SharedArrayBuffer(100)).fill(1);
  const late = reverse.async(array); // written when it begins
  array.fill(9);
  return late.then(() => assert(array.every((byte) => byte === 1)));
});
