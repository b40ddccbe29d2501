import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import type { CallWork, Packet } from "../../memory/packet.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { connectApi } from "../client/connect_api.ts";
import * as kind from "../declare/kind.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { ApiServer } from "./api_server.ts";
import { functionOpcode } from "./function_table.ts";
import { LoopServer, meetingNames } from "../testdata/served.ts";
import { meetingService } from "./meeting_service.ts";

const [first, second] = meetingNames();
const one = hostApi("a", { [first]: fn([kind.u32], kind.u32) });
const other = hostApi("a", { [second]: fn([kind.u32], kind.u32) });
const OPCODE = functionOpcode(`a.${first}`);
const hashes = [one.functions[first]!.hash, other.functions[second]!.hash] as const;

/** What each lane gets that sends a hash and its number, to the opcode that kernels know. */
function work(lanes: readonly number[], results: number[]): CallWork {
  return {
    fill: (packet: Packet) =>
      packet.forEachLane((lane) => {
        packet.setUint32(lane, 0, lanes[lane]!);
        packet.setUint32(lane, 2, lane);
      }),
    use: (packet: Packet) => packet.forEachLane((lane) => results.push(packet.getUint32(lane, 2))),
  };
}

Deno.test("lanes that call functions of one opcode get each the result of theirs", () => {
  const { client, server } = oneThread({ portCount: 2, laneCount: 4 });
  const order: string[] = [];
  const apis = new ApiServer(server);
  apis.serve(one, { [first]: (value: number) => (order.push(`one ${value}`), 10 + value) });
  const served = apis.serve(other, {
    [second]: (value: number) => (order.push(`other ${value}`), 20 + value),
  });
  const [a, b] = hashes;
  const call = (...lanes: readonly number[]) => {
    const results: number[] = [];
    client.call(OPCODE, work(lanes, results), { mask: laneMask(...lanes.keys()) });
    return results;
  };
  assertEquals(call(b, a, b, a), [20, 11, 22, 13]);
  assertEquals(order, ["other 0", "other 2", "one 1", "one 3"]);
  assertEquals([call(a), call(b, b)], [[10], [20, 21]]);
  assertThrows(() => call(a, 5), CallError, "its caller has another signature");
  assertEquals(connectApi(client, other)[second]!(3), 23, "who asks is told an opcode of its own");
  served[Symbol.dispose]();
  assertEquals(call(a, a), [10, 11]);
  assertThrows(() => call(b), CallError, "its caller has another signature");
});

Deno.test("one of the functions of an opcode may wait", async () => {
  await using server = new LoopServer((apis) => {
    apis.serve(one, { [first]: (value: number) => 10 + value });
    apis.serveAsync(other, {
      [second]: (value: number) =>
        new Promise<number>((resolve) => setTimeout(resolve, 1, 20 + value)),
    });
  }, { shape: { portCount: 2, laneCount: 3 } });
  const results: number[] = [];
  const [a, b] = hashes;
  await server.client.callAsync(OPCODE, work([b, a, b], results));
  assertEquals(results, [20, 11, 22]);
});

Deno.test("functions of an opcode may be done later, each with lanes of its own", async () => {
  let looks = 0;
  const later = (first: number) => (value: number) =>
    new Pending({ poll: () => ++looks > 12 ? first + value : undefined });
  await using server = new LoopServer((apis) => {
    apis.serve(one, { [first]: later(10) as unknown as () => number });
    apis.serve(other, { [second]: later(20) as unknown as () => number });
  }, { shape: { portCount: 2, laneCount: 4 } });
  const results: number[] = [];
  const [a, b] = hashes;
  await server.client.callAsync(OPCODE, work([a, b, a, b], results));
  assertEquals([results, looks > 12], [[10, 21, 12, 23], true]);
});

Deno.test("meetingService() leaves an opcode to the first where one needs a stream", () => {
  const target = one.functions[first] as ApiFunction;
  const packets = { target, lanes: { operate: () => {} } };
  const streams = { target, lanes: { handler: () => {} } };
  assertEquals(meetingService([packets]), packets.lanes);
  assertEquals(meetingService([streams, packets]), streams.lanes);
  assertEquals(meetingService([packets, streams]), packets.lanes);
});
