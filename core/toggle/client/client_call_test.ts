import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { increment } from "../../testing/conformance/services.ts";
import type { Packet } from "../../memory/packet.ts";

const OPCODE = 40_000;
function skip(): void {}

Deno.test("Client.call() may call from its callbacks", () => {
  const { client, server } = oneThread({ portCount: 2, laneCount: 1 });
  server.operate(OPCODE, increment);
  const seen: number[] = [];
  const fill = (value: number) => (packet: Packet) => packet.setUint32(0, 0, value);
  const use = (packet: Packet) => seen.push(packet.getUint32(0, 0));
  client.call(OPCODE, {
    fill: fill(1),
    use: (packet) => {
      client.call(OPCODE, { fill: fill(10), use });
      use(packet);
    },
  });
  assertEquals(seen, [11, 2]);
});

Deno.test("A reused packet object shows the lanes of its own call only", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 4 });
  const masks: string[] = [];
  server.operate(OPCODE, ({ mask }) => masks.push(`${mask.lo}`));
  client.call(OPCODE, { fill: skip, use: skip }, { mask: laneMask(1) });
  client.call(OPCODE, { fill: skip, use: skip });
  client.call(OPCODE, { fill: skip, use: skip }, { mask: laneMask(0, 3) });
  assertEquals(masks, ["2", "15", "9"]);
});

Deno.test("Client.call() asks for what it is given, whatever it was asked for before", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 2 });
  const asked: string[] = [];
  const note = (name: string) => ({ mask }: Packet) => void asked.push(`${name} ${mask.lo}`);
  server.operate(OPCODE, note("one"));
  server.operate(OPCODE + 1, note("two"));
  const work = { fill: skip, use: skip };
  for (let round = 0; round < 2; round++) {
    client.call(OPCODE, work);
    client.call(OPCODE + 1, work);
    client.call(OPCODE, work, { mask: laneMask(1) });
    client.call(OPCODE + 1, work, { timeoutSeconds: 60 });
    assertThrows(() => client.call(-1, work), RangeError, "opcode");
    assertThrows(() => client.call(OPCODE + 2, work), CallError, "no handler");
    assertThrows(() => client.call(OPCODE, work, { timeoutSeconds: -1 }), RangeError, "-1");
    assertThrows(() => client.call(OPCODE, work, { signal: AbortSignal.abort() }), DOMException);
  }
  const round = ["one 3", "two 3", "one 2", "two 3"];
  assertEquals(asked, [...round, ...round]);
});
