import { assertEquals } from "@std/assert";
import { Channel } from "../toggle/channel.ts";
import type { ChannelShape } from "../toggle/layout.ts";
import { maskOf } from "./lane_mask.ts";
import { Packet } from "./packet.ts";
import { PacketViews } from "./packet_views.ts";

function packetOf(shape: Omit<ChannelShape, "portCount">, index: number) {
  const { words, layout } = Channel.create({ portCount: 3, ...shape });
  const packet = new Packet(new PacketViews(words.plain, layout));
  packet.aim(index, 1, 0);
  return { packet };
}

Deno.test("Packet: one that lost its memory keeps its layout", () => {
  const { packet } = packetOf({ laneCount: 4, packetLayout: "word-major" }, 2);
  packet.detach();
  assertEquals([packet.index, packet.isDetached, packet.column(3).length], [0, true, 4]);
});

Deno.test("Packet: walks the lanes of full and of sparse masks", () => {
  const { packet } = packetOf({ laneCount: 40 }, 0);
  const visited = () => {
    const lanes: number[] = [];
    packet.forEachLane((lane) => lanes.push(lane));
    return lanes;
  };
  const sparse = maskOf(3, 17, 31, 39);
  packet.aim(0, sparse.lo, sparse.hi);
  assertEquals([packet.isFull, packet.isMaskGood, visited()], [false, true, [3, 17, 31, 39]]);
  packet.aim(0, -1, 0xff);
  assertEquals([packet.isFull, packet.isMaskGood, visited().length], [true, true, 40]);
  packet.aim(0, 0, 0);
  assertEquals([packet.isMaskGood, visited()], [false, []]);
  packet.aim(0, 1, 0x100);
  assertEquals(packet.isMaskGood, false);
});
