import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { bytes } from "../declare/kind.ts";
import { declared } from "../testdata/served.ts";
import { decodeReply, encodeReply } from "./reply.ts";
import { writtenBytes, wroteBytes } from "./wrote_bytes.ts";

Deno.test("wroteBytes() says how much of an array goes back: the rest stays as its caller has it", () => {
  const target = declared([bytes("out"), bytes("out")]);
  for (const count of [0, 1, 7, 8, 9, 12]) {
    const values = [new Uint8Array(12).fill(1), new Uint8Array(3).fill(2)];
    wroteBytes(values[0]!, 5);
    wroteBytes(values[0]!, count);
    const reply = encodeReply(target, values, { result: undefined, errno: 0 });
    assertEquals(reply.length, 32 + 8 * Math.ceil(count / 8));
    const filled = [new Uint8Array(12).fill(9), new Uint8Array(3)];
    decodeReply(target, filled, reply);
    assertEquals(filled, [new Uint8Array(12).fill(9).fill(1, 0, count), values[1]!]);
  }
  for (const wrong of [4, -1, 1.5, NaN]) {
    assertThrows(() => wroteBytes(new Uint8Array(3), wrong), InvariantError, "lies in the array");
  }
  assertEquals(writtenBytes(new Uint8Array(3)), undefined);
});
