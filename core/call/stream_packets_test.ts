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

function partsOf(reader: StreamReader): (number | undefined)[] {
  if (!reader.isOffered) return [];
  const { count, window } = reader.parts();
  return [count, window];
}

Deno.test("StreamReader takes parts where the sender offers them and there is something to come", () => {
  const offered = (low: number, high: number) => {
    const reader = new StreamReader({ limitBytes: 1000 });
    reader.take(packetOf([low, high]));
    return partsOf(reader);
  };
  assertEquals(offered(57, 0), []);
  assertEquals(offered(0, 1 << 24), []);
  assertEquals(offered(1, 1 << 24), [1, 2]);
  assertEquals(offered(65, 1 << 24), [3, 2]);
  assertEquals(offered(65, 3 << 24), [9, 8]);
});

Deno.test("StreamReader finds nothing but lengths in a packet that offers parts, and takes packets all the same", () => {
  const reader = new StreamReader({ limitBytes: 1000 });
  reader.take(packetOf([65, 1 << 24, ...Array(14).fill(-1)]));
  assertEquals(reader.bytesByLane, [new Uint8Array(65)]);
  for (const isDone of [false, true]) {
    reader.take(packetOf(Array(16).fill(0x0101_0101)));
    assertEquals(reader.isDone, isDone);
  }
  assertEquals(reader.bytesByLane, [new Uint8Array(65).fill(1)]);
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
  for (const [first, second, window] of [[1, 3, 2], [3, 0, 8], [0, 2, undefined]]) {
    [first, second].forEach((shown, lane) => {
      packet.setUint32(lane, 0, 100);
      packet.setUint32(lane, 1, shown! << 24);
    });
    const reader = new StreamReader({ limitBytes: 1000 });
    reader.take(packet);
    assertEquals(partsOf(reader)[1], window);
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
  packet.uint8.fill(9);
  const firsts = [0, 56, 57].map((lengthBytes) => {
    const { offset, shape } = writeFirst(packet, [new Uint8Array(lengthBytes)], () => 4);
    return [offset, shape?.window, shape?.packetBytes, shape?.isSending];
  });
  const none = [56, undefined, undefined, undefined];
  assertEquals([firsts, packet.getUint32(0, 1)], [[none, none, [0, 4, 64, true]], 2 * 2 ** 24]);
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
