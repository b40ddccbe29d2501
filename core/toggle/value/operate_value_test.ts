import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { jsonCodec } from "../../call/codec.ts";
import { Channel } from "../channel.ts";
import { callValueAsync } from "./call_value.ts";
import { Client } from "../client/client.ts";
import { operateValue, operateValueAsync } from "./operate_value.ts";
import { Server } from "../server/server.ts";

const OPTIONS = { codec: jsonCodec, limitBytes: 1000 };

Deno.test("operateValue() and operateValueAsync() answer with values, and refuse promises and bad limits", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  operateValue(server, 40_000, { ...OPTIONS, work: (value) => [value] });
  operateValue(server, 40_001, { ...OPTIONS, work: () => Promise.resolve(1) });
  operateValueAsync(server, 40_002, { ...OPTIONS, work: (value) => Promise.resolve([value]) });
  for (const limitBytes of [NaN, undefined as never]) {
    const service = { ...OPTIONS, limitBytes, work: () => 1 };
    assertThrows(() => operateValue(server, 40_003, service), RangeError);
    assertThrows(() => operateValueAsync(server, 40_003, service), RangeError);
  }
  for (const operate of [operateValue, operateValueAsync]) {
    const service = { ...OPTIONS, work: undefined as never };
    assertThrows(() => operate(server, 40_003, service), TypeError, "opcode 40003");
  }
  const served = server.serveAsync();
  const client = new Client(channel);
  const ask = (opcode: number) => callValueAsync(client, { opcode, value: "x" }, OPTIONS);
  assertEquals([await ask(40_000), await ask(40_002)], [["x"], ["x"]]);
  await assertRejects(() => ask(40_001), CallError, "must be synchronous");
  channel.shutDown();
  await served;
});
