import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { recvMessage, sendMessage } from "../../call/message.ts";
import { Status } from "../../memory/status.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { serveReserved } from "../../toggle/server/service_registry.ts";
import * as kind from "../declare/kind.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { serveApi } from "../server/api_server.ts";
import { declared, serveHere } from "../testdata/served.ts";
import { checkCount, FunctionClient, valuesByParameter } from "./function_client.ts";
import { callShape } from "../wire/call_shape.ts";

const SHAPE = { portCount: 4, laneCount: 64 };
const api = hostApi("a", {
  text: fn([kind.string, kind.bytes("out")], kind.string),
  twice: fn([kind.i32], kind.i32),
});
const text = api.functions.text as unknown as ApiFunction;
const twice = api.functions.twice as unknown as ApiFunction;
const work = {
  text: (given: string, array: Uint8Array) => given + array.fill(1).length,
  twice: (value: number) => 2 * value,
};

Deno.test("FunctionClient finds its function once, and anew when it is gone or another", () => {
  const { client, server, faults } = oneThread(SHAPE);
  const calls = new FunctionClient(client, twice, {});
  assertThrows(() => calls.call([1]), CallError, "a.twice");
  using first = serveApi(server, api, work);
  assertEquals([calls.call([2]), calls.opcode], [4, calls.opcode]);
  server[serveReserved](calls.opcode, undefined);
  const gone = assertThrows(() => calls.call([1]), CallError, "has no handler for it: a.twice");
  assertEquals([gone.status, faults.length], [Status.unhandledOpcode, 2]);
  first[Symbol.dispose]();
  const other = hostApi("a", { twice: fn([kind.f64], kind.i32) });
  using _second = serveApi(server, other, { twice: () => 9 });
  const text = "here: a.twice(f64) -> i32, and for the caller a.twice(i32) -> i32";
  assertThrows(() => calls.call([1]), CallError, text);
});

Deno.test("FunctionClient refuses replies that are none, and leaves what the caller has", () => {
  const { client, server } = serveHere(api, work);
  const calls = new FunctionClient(client, text, { limitBytes: 20 });
  const array = new Uint8Array(3);
  let answer = new Uint8Array();
  server[serveReserved](calls.opcode + 1, {
    handler(port) {
      recvMessage(port, { limitBytes: 1000 });
      sendMessage(port, answer);
    },
  });
  const replies: readonly (readonly [number[], string])[] = [
    [[], "it has 0 bytes, and 24 are due"],
    [[0, 0, 5, 0, 3, 0, 1, 1], "its text has 0 bytes"],
    [[0, 0, 3, 0, 3, 0, 1, 1, 0x616161], "its text has 4 bytes"],
    [[0, 0, 4, 0, 3, 0, 1, 1, 0x616161], "holds a NUL"],
    [[0, 0, 4, 0, 3, 0, 1, 1, 0xffffffff], "is not UTF-8"],
    [[0, 0, 0xffffffff, 0, 3, 0, 1, 1], "its text has 0 bytes"],
    [[0, 0, 4, 0, 4, 0, 1, 1, 0x61616161], "4 bytes came for argument 1"],
    [[0, 0, 4, 0, 3, 0], "it has 24 bytes, and 32 are due"],
    [Array(14).fill(0), "limit is 52"],
  ];
  for (const [words, problem] of replies) {
    answer = new Uint8Array(Uint32Array.from(words).buffer);
    assertThrows(() => calls.call(["x", array]), RangeError, problem);
    assertEquals([...array], [0, 0, 0]);
  }
  answer = new Uint8Array(Uint32Array.of(0, 0, 4, 0, 3, 0, 0x030201, 0, 0x61616161).buffer);
  assertEquals([calls.call(["x", array]), ...array], ["aaaa", 1, 2, 3]);
});

Deno.test("FunctionClient counts arguments of calls and of each lane", async () => {
  const { client } = serveHere(api, work);
  const calls = new FunctionClient(client, twice, {});
  assertThrows(() => calls.call([]), TypeError, "takes 1");
  assertThrows(() => calls.callLanes([[1], [1, 2]]), TypeError, "with 2 arguments");
  assertEquals(calls.callLanes([undefined, [1], undefined, [3]]), [undefined, 2, undefined, 6]);
  assertEquals(await calls.callAsync([5]), 10);
  assertEquals([calls.flat !== undefined, calls.shape.argumentCount, calls.errno], [true, 1, 0]);
});

function values(target: ApiFunction, ...given: unknown[]): unknown[] {
  return valuesByParameter(target, callShape(target.signature), given);
}

Deno.test("valuesByParameter() puts constants where they belong, and the rest into one list", () => {
  const { constant, f64, i32, variadic } = kind;
  const target = declared([constant(i32, 1), f64, constant(i32, 2), f64, variadic]);
  assertEquals(values(target, 10, 20), [1, 10, 2, 20, []]);
  assertEquals(values(target, 10, 20, "a", 3n), [1, 10, 2, 20, ["a", 3n]]);
  assertEquals(values(declared([constant(i32, 1)])), [1]);
});

Deno.test("checkCount() refuses too few and too many", () => {
  const two = declared([kind.f64, kind.constant(kind.i32, 1), kind.f64]);
  const more = declared([kind.f64, kind.variadic]);
  assertThrows(() => values(two, 1), TypeError, "Cannot call a.f with 1 arguments as it takes 2");
  assertThrows(() => values(two, 1, 2, 3), TypeError, "with 3 arguments as it takes 2");
  assertThrows(() => values(more), TypeError, "with 0 arguments as it takes at least 1");
  checkCount(more, callShape(more.signature), [1, 2, 3]);
  checkCount(two, callShape(two.signature), [undefined, undefined]);
});
