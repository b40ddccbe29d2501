import { assertEquals, assertThrows } from "@std/assert";
import { maskOf } from "../memory/lane_mask.ts";
import { Packet } from "../memory/packet.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { writeChunk, writeFirst } from "./stream_writer.ts";

function packetOf(laneCount: number): Packet {
  const packetWords = laneCount * 16;
  const region = { laneCount, packetWords, packetsWord: 0 };
  const packet = new Packet(new PacketViews(new Int32Array(packetWords), region));
  packet.aim(0, maskOf(0).lo, 0);
  return packet;
}

Deno.test("writeFirst() says in the high word that a stream is of more than 4 GiB", () => {
  const packet = packetOf(1);
  const huge = Object.defineProperties(new Uint8Array(56), {
    length: { value: 3 * 2 ** 32 + 7 },
    subarray: { value: () => new Uint8Array(56) },
  });
  assertEquals(writeFirst(packet, [huge], () => 1).longestBytes, 3 * 2 ** 32 + 7);
  assertEquals([packet.getUint32(0, 0), packet.getUint32(0, 1)], [7, 3]);
  writeFirst(packet, [huge], () => 8);
  assertEquals([packet.getUint32(0, 0), packet.getUint32(0, 1)], [7, 3 * 2 ** 24 + 3]);
});

Deno.test("writeFirst() offers a window only where one packet does not do", () => {
  const packet = packetOf(1);
  const windows = [0, 56, 57].map((lengthBytes) =>
    writeFirst(packet, [new Uint8Array(lengthBytes)], () => 4).window
  );
  assertEquals([windows, packet.getUint32(0, 1)], [[1, 1, 4], 2 * 2 ** 24]);
});

Deno.test("writeFirst() refuses payloads of lanes that do not take part", () => {
  const payloads = [undefined, new Uint8Array(1)];
  assertThrows(() => writeFirst(packetOf(2), payloads, () => 1), RangeError, "lane 1");
});

Deno.test("writeChunk() writes a piece of each lane to its place, and nothing behind a payload's end", () => {
  const packet = packetOf(1);
  packet.uint8.fill(9);
  const bytes = Uint8Array.from({ length: 10 }, (_, byte) => byte);
  writeChunk(packet, [bytes], { offset: 6, laneByte: 16, lengthBytes: 8 });
  writeChunk(packet, [bytes], { offset: 10, laneByte: 0, lengthBytes: 8 });
  assertEquals([...packet.uint8.subarray(14, 22)], [9, 9, 6, 7, 8, 9, 9, 9]);
  assertEquals(packet.uint8[0], 9);
});
