import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { FOUR_PHASE } from "../four_phase/four_phase.ts";
import { laneMask } from "../memory/lane_mask.ts";

const OPCODE = 40_000;

function begin() {
  const channel = FOUR_PHASE.create({ packetCount: 1, laneCount: 2 });
  const server = FOUR_PHASE.server(channel);
  server.operate(OPCODE, (packet) => {
    packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1));
  });
  return { channel, server, client: FOUR_PHASE.client(channel) };
}

Deno.test("PacketClient.tryPost() says no when no packet is free", () => {
  const { client } = begin();
  assert(client.tryPost(OPCODE, () => {}));
  assertEquals(client.tryPost(OPCODE, () => {}), undefined);
});

Deno.test("PacketClient: the lanes of the mask take part", () => {
  const { client, server } = begin();
  const mask = laneMask(1);
  const fill = { fill: 5 };
  const call = client.tryPost(OPCODE, ({ uint32 }) => uint32.fill(fill.fill), { mask })!;
  server.runOnce();
  call.tryFinish((packet) => {
    assertEquals([packet.uint32[0], packet.getUint32(1, 0)], [5, 6]);
  });
});

Deno.test("PacketClient rejects a bad opcode, mask or timeout at once", () => {
  const { client } = begin();
  const work = { fill: () => {}, use: () => {} };
  assertThrows(() => client.call(-1, work), RangeError, "opcode");
  assertThrows(() => client.cast(OPCODE, () => {}, { mask: laneMask(2) }), RangeError, "lane mask");
  assertThrows(() => client.call(OPCODE, work, { timeoutSeconds: -1 }), RangeError);
  assert(client.tryCast(OPCODE, () => {}), "nothing was taken");
});

Deno.test("PacketClient: a fill that throws or returns a promise takes no packet", async () => {
  const { client } = begin();
  const broken = () => {
    throw new Error("no words");
  };
  assertThrows(() => client.tryPost(OPCODE, broken), Error, "no words");
  const late = (async () => {}) as unknown as () => void;
  assertThrows(() => client.tryPost(OPCODE, late), TypeError, "promise");
  await assertRejects(() => client.callAsync(OPCODE, { fill: broken, use: () => {} }), Error);
  assert(client.tryCast(OPCODE, () => {}));
});
