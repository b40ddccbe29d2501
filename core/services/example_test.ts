import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { oneThread } from "../testing/fixtures/one_thread.ts";
import { addServices } from "./example.ts";

Deno.test("the example's services answer, and refuse bytes beyond their limit", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 64 });
  addServices(server);
  const options = { limitBytes: 10 };
  assertEquals(client.callMessage(40_002, new Uint8Array([1, 2]), options), new Uint8Array([2, 1]));
  const fill = ({ uint32 }: { uint32: Uint32Array }) => uint32.set([(1 << 20) + 1, 0]);
  assertThrows(() => client.call(40_001, { fill, use() {} }), CallError, "limit is 1048576");
  assertThrows(() => client.call(40_002, { fill, use() {} }), CallError, "limit is 1048576");
});
