import { assertEquals, assertThrows } from "@std/assert";
import type { WaiterName } from "../wait/strategy.ts";
import { GWHT } from "./gwht.ts";

const OPCODE = 40_000;

function begin() {
  const channel = GWHT.create({ packetCount: 1, laneCount: 64 });
  const { words, layout: { gpuWord, waveWord, hostWord, threadWord } } = channel;
  /** GPU, WAVE, HOST, THREAD. */
  const bits = () =>
    [gpuWord, waveWord, hostWord, threadWord].map((word) => words.load(word)).join("");
  return { channel, bits, client: GWHT.client(channel), server: GWHT.server(channel) };
}

Deno.test("GWHT: one call, the four booleans in the order of the oldest text", () => {
  const { bits, client, server } = begin();
  const seen = [bits()];
  server.operate(OPCODE, () => void seen.push(bits()));
  const call = client.tryPost(OPCODE, () => void seen.push(bits()))!;
  seen.push(bits());
  server.runOnce();
  seen.push(bits());
  call.tryFinish(() => void seen.push(bits()));
  seen.push(bits());
  assertEquals(server.runOnce(), false, "only a call counts as work");
  seen.push(bits());
  //                  free, W up,   G up,   T up,   H up T down, used, G down, H down; W stays until it is needed
  assertEquals(seen, ["0000", "0100", "1100", "1101", "1110", "1110", "0110", "0100"]);
  client.tryPost(OPCODE, () => assertEquals(bits(), "0100", "W down, and up again"));
});

Deno.test("GWHT: a page has 64 lanes of 64 bytes", () => {
  const { client, server } = begin();
  server.operate(OPCODE, ({ uint32 }) => uint32.forEach((value, word) => uint32[word] = value + 1));
  const call = client.tryPost(OPCODE, ({ uint32, laneCount }) => {
    assertEquals([uint32.length * 4, laneCount], [4096, 64]);
    uint32.fill(6);
  })!;
  server.runOnce();
  call.tryFinish(({ uint32 }) => assertEquals(new Set(uint32), new Set([7])));
});

Deno.test("GWHT: what is left of an asynchronous call is ended by whoever needs the slot", () => {
  const { channel, bits, client, server } = begin();
  server.operate(OPCODE, () => {});
  assertEquals(client.tryCast(OPCODE, () => {}), true);
  const other = GWHT.client(channel);
  assertEquals([other.tryCast(OPCODE, () => {}), bits()], [false, "1100"]);
  server.runOnce();
  assertEquals([other.tryCast(OPCODE, () => {}), bits()], [false, "0110"], "G down");
  server.runOnce();
  assertEquals(
    [other.tryCast(OPCODE, () => {}), bits()],
    [true, "1100"],
    "H and W down, and again",
  );
});

Deno.test("GWHT.client() rejects an unknown waiter", () => {
  const { channel } = begin();
  assertThrows(() => GWHT.client(channel, { waiter: "nap" as WaiterName }), TypeError, "nap");
});

Deno.test("GWHT: create, attach, and the kind of its handle", () => {
  const { handle } = GWHT.create({ packetCount: 2, laneCount: 1 });
  assertEquals(handle.kind, "portlab.gwht");
  assertEquals(GWHT.attach(structuredClone(handle)).layout.packetCount, 2);
  assertThrows(() => GWHT.attach({ ...handle, kind: "portlab.channel" }), TypeError, "gwht");
});
