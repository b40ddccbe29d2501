import { assertEquals, assertThrows } from "@std/assert";
import { laneMask } from "../memory/lane_mask.ts";
import { Packet } from "../memory/packet.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { LengthRefusedError } from "./limit.ts";
import { StreamReader, writeChunk, writeFirst } from "./stream_packets.ts";

function packetOf(words: readonly number[]): Packet {
  const region = { laneCount: 1, packetWords: 16, packetsWord: 0 };
  const packet = new Packet(new PacketViews(new Int32Array(16), region));
  packet.aim(0, laneMask(0).lo, 0);
  packet.uint32.set(words);
  return packet;
}

Deno.test("StreamReader takes parts where the sender offers them and there is something left", () => {
  const partsOf = (low: number, high: number) => {
    const reader = new StreamReader({ limitBytes: 1000 });
    reader.take(packetOf([low, high]));
    const { count, window } = reader.parts ?? {};
    return [count, window];
  };
  assertEquals(partsOf(57, 0), [undefined, undefined]);
  assertEquals(partsOf(56, 1 << 24), [undefined, undefined]);
  assertEquals(partsOf(57, 1 << 24), [1, 2]);
  assertEquals(partsOf(56 + 33, 1 << 24), [2, 2]);
  assertEquals(partsOf(56 + 33, 3 << 24), [5, 8]);
});

Deno.test("StreamReader takes the bits of a window that there is not for some of the length", () => {
  for (const high of [4 * 2 ** 24, 0xff000000, 0xffffffff, 0x01000001]) {
    const reader = new StreamReader({ limitBytes: 2 ** 32 - 1 });
    assertThrows(() => reader.take(packetOf([1, high])), LengthRefusedError);
    assertEquals(reader.bytesByLane, []);
  }
});

Deno.test("StreamReader takes the window of the first lane, whatever the others say", () => {
  const region = { laneCount: 2, packetWords: 32, packetsWord: 0 };
  const packet = new Packet(new PacketViews(new Int32Array(32), region));
  packet.aim(0, laneMask(0, 1).lo, 0);
  for (const [first, second, window] of [[1, 3, 2], [3, 0, 8], [0, 2, undefined]] as const) {
    [first, second].forEach((shown, lane) => {
      packet.setUint32(lane, 0, 100);
      packet.setUint32(lane, 1, shown << 24);
    });
    const reader = new StreamReader({ limitBytes: 1000 });
    reader.take(packet);
    assertEquals(reader.parts?.window, window);
  }
});

Deno.test("StreamReader checks the lengths of all lanes before it allocates for any", () => {
  const packet = new Packet(
    new PacketViews(new Int32Array(32), { laneCount: 2, packetWords: 32, packetsWord: 0 }),
  );
  packet.aim(0, laneMask(0, 1).lo, 0);
  packet.setUint32(0, 0, 5);
  packet.setUint32(1, 0, 11);
  const allocate = (): never => {
    throw new Error("allocated");
  };
  const reader = new StreamReader({ limitBytes: 10, allocate });
  assertThrows(() => reader.take(packet), LengthRefusedError, "11 bytes on lane 1");
});

Deno.test("StreamReader puts parts into the payload where they belong", () => {
  const reader = new StreamReader({ limitBytes: 1000 });
  reader.take(packetOf([56 + 40, 1 << 24]));
  const parts = reader.parts!;
  const packet = packetOf([]);
  packet.uint8.fill(1, 0, 32);
  packet.uint8.fill(2, 32, 64);
  for (let part = 0; part < parts.count; part++) parts.use(packet, part);
  const bytes = reader.bytesByLane[0]!;
  assertEquals([bytes[56], bytes[87], bytes[88], bytes[95], bytes.length], [1, 1, 2, 2, 96]);
});

/** A packet whose other side changes each word as soon as it was read. */
class ChangingPacket extends Packet {
  override getUint32(lane: number, word: number): number {
    const value = super.getUint32(lane, word);
    this.setUint32(lane, word, 0x7fff_ffff);
    return value;
  }
}

Deno.test("StreamReader uses the length that it checked, whatever the other side makes of it", () => {
  const region = { laneCount: 1, packetWords: 16, packetsWord: 0 };
  const packet = new ChangingPacket(new PacketViews(new Int32Array(16), region));
  packet.aim(0, 1, 0);
  packet.uint32.set([3, 0]);
  const asked: number[] = [];
  const allocate = (lengthBytes: number) => {
    asked.push(lengthBytes);
    return new Uint8Array(Math.min(lengthBytes, 16));
  };
  const reader = new StreamReader({ limitBytes: 16, allocate });
  reader.take(packet);
  assertEquals([asked, reader.bytesByLane[0]!.length, reader.isDone], [[3], 3, true]);
});

function emptyPacket(laneCount: number): Packet {
  const packetWords = laneCount * 16;
  const region = { laneCount, packetWords, packetsWord: 0 };
  const packet = new Packet(new PacketViews(new Int32Array(packetWords), region));
  packet.aim(0, laneMask(0).lo, 0);
  return packet;
}

Deno.test("writeFirst() says in the high word that a stream is of more than 4 GiB", () => {
  const packet = emptyPacket(1);
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
  const packet = emptyPacket(1);
  const windows = [0, 56, 57].map((lengthBytes) =>
    writeFirst(packet, [new Uint8Array(lengthBytes)], () => 4).window
  );
  assertEquals([windows, packet.getUint32(0, 1)], [[1, 1, 4], 2 * 2 ** 24]);
});

Deno.test("writeFirst() refuses payloads of lanes that do not take part", () => {
  const payloads = [undefined, new Uint8Array(1)];
  assertThrows(() => writeFirst(emptyPacket(2), payloads, () => 1), RangeError, "lane 1");
});

Deno.test("writeChunk() writes a piece of each lane to its place, and nothing behind a payload's end", () => {
  const packet = emptyPacket(1);
  packet.uint8.fill(9);
  const bytes = Uint8Array.from({ length: 10 }, (_, byte) => byte);
  writeChunk(packet, [bytes], { offset: 6, laneByte: 16, lengthBytes: 8 });
  writeChunk(packet, [bytes], { offset: 10, laneByte: 0, lengthBytes: 8 });
  assertEquals([...packet.uint8.subarray(14, 22)], [9, 9, 6, 7, 8, 9, 9, 9]);
  assertEquals(packet.uint8[0], 9);
});
