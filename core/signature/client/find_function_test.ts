import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { jsonCodec } from "../../call/codec.ts";
import { LengthRefusedError } from "../../call/limit.ts";
import { recvMessage, sendMessage } from "../../call/message.ts";
import { FUNCTION_OPCODE_FIRST, Opcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { serveReserved } from "../../toggle/server/service_registry.ts";
import * as kind from "../declare/kind.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { functionOpcode } from "../server/function_table.ts";
import { serveHere } from "../testdata/served.ts";
import { findFunction, findFunctionAsync } from "./function_client.ts";

const SHAPE = { portCount: 2, laneCount: 64 };
const api = hostApi("math", { hypot: fn([kind.f64], kind.f64) });
const hypot = api.functions.hypot as unknown as ApiFunction;

Deno.test("findFunction() asks by name and signature", async () => {
  const { client } = serveHere(api, { hypot: Math.abs });
  const opcode = functionOpcode("math.hypot");
  assertEquals(findFunction(client, hypot, {}), opcode);
  assertEquals(await findFunctionAsync(client, hypot, { timeoutSeconds: 5 }), opcode);
  const ask = () => findFunction(client, { ...hypot, name: "math.hypo" }, {});
  const { message } = assertThrows(ask, CallError);
  assertEquals(message, "Cannot find the function math.hypo: did you mean math.hypot");
  const other = { ...hypot, text: "math.hypot()" };
  const text = "and for the caller math.hypot()";
  await assertRejects(() => findFunctionAsync(client, other, {}), CallError, text);
});

Deno.test("findFunction() tells of a server that has no functions", async () => {
  const { client } = oneThread(SHAPE);
  const text = "it was asked for the function math.hypot, and serves none by name";
  const error = assertThrows(() => findFunction(client, hypot, {}), CallError, text);
  assertEquals(error.status, Status.unhandledOpcode);
  await assertRejects(() => findFunctionAsync(client, hypot, {}), CallError, text);
});

Deno.test("findFunction() refuses answers that name no opcode of a function", () => {
  const { client, server } = oneThread(SHAPE);
  let answer: unknown;
  server[serveReserved](Opcode.findFunction, {
    handler(port) {
      recvMessage(port, { limitBytes: 1000 });
      sendMessage(port, answer instanceof Uint8Array ? answer : jsonCodec.encode(answer));
    },
  });
  const none = [undefined, 1.5, "20000", null, NaN, FUNCTION_OPCODE_FIRST - 1, USER_OPCODE_FIRST];
  for (answer of [...none.map((opcode) => ({ opcode })), null, [], 5, new Uint8Array()]) {
    const find = () => findFunction(client, hypot, {});
    assertThrows(find, RangeError, "as it is no opcode of a function");
  }
  answer = new Uint8Array(1025);
  assertThrows(() => findFunction(client, hypot, {}), LengthRefusedError);
  answer = { opcode: FUNCTION_OPCODE_FIRST };
  assertEquals(findFunction(client, hypot, {}), FUNCTION_OPCODE_FIRST);
});
