import { assert, assertEquals } from "@std/assert";
import { Packet } from "../memory/packet.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { StreamParts } from "./stream_parts.ts";

function packetOf(packetBytes: number): Packet {
  const packetWords = packetBytes / 4;
  const region = { laneCount: 1, packetWords, packetsWord: 0 };
  const packet = new Packet(new PacketViews(new Int32Array(packetWords), region));
  packet.aim(0, 1, 0);
  return packet;
}

function numbered(lengthBytes: number, first: number): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, byte) => first + byte);
}

for (const window of [2, 4, 8]) {
  for (const packetBytes of [64, 192, 4096]) {
    Deno.test(`StreamParts carries payloads of any lengths: ${window} parts in ${packetBytes} bytes`, () => {
      for (const lengths of [[1], [64], [63, 1, 9], [0, 7, 0], [packetBytes, 3], [1000, 1001]]) {
        const payloads = [undefined, ...lengths.map((length, lane) => numbered(length, lane))];
        const targets = payloads.map((bytes) => bytes && new Uint8Array(bytes.length));
        const shape = { window, packetBytes };
        const sending = new StreamParts(payloads, { ...shape, isSending: true });
        const taking = new StreamParts(targets, { ...shape, isSending: false });
        assertEquals([sending.count, sending.window], [taking.count, window]);
        const packet = packetOf(packetBytes);
        for (let part = 0; part < sending.count; part++) {
          sending.use(packet, part);
          taking.use(packet, part);
        }
        assertEquals(targets, payloads);
      }
    });
  }
}

Deno.test("StreamParts has about four parts of whole lines, and none beyond 64 KiB", () => {
  const countOf = (lengthBytes: number) => {
    const shape = { window: 2, packetBytes: 1 << 20, isSending: true };
    return new StreamParts([new Uint8Array(lengthBytes)], shape).count;
  };
  assertEquals([1, 64, 256, 257, 4 << 16, (4 << 16) + 1].map(countOf), [1, 1, 4, 3, 4, 5]);
});

Deno.test("StreamParts fills its place of the packet, and no other", () => {
  const packet = packetOf(256);
  packet.uint8.fill(9);
  const shape = { window: 4, packetBytes: 256, isSending: true };
  const parts = new StreamParts([new Uint8Array(300)], shape);
  parts.use(packet, 1);
  assertEquals(packet.uint8.indexOf(0), 64);
  assertEquals(packet.uint8.lastIndexOf(0), 127);
});

Deno.test("StreamParts begins each payload at a multiple of 8 bytes", () => {
  const packet = packetOf(64);
  const shape = { window: 2, packetBytes: 64, isSending: true };
  new StreamParts([numbered(3, 1), numbered(2, 5)], shape).use(packet, 0);
  assertEquals([...packet.uint8.subarray(0, 10)], [1, 2, 3, 0, 0, 0, 0, 0, 5, 6]);
});

Deno.test("StreamParts stores to each line that was read, and to none that was not", () => {
  const packet = packetOf(1024);
  packet.uint8.fill(9);
  const shape = { window: 2, packetBytes: 1024, isSending: false };
  const parts = new StreamParts([new Uint8Array(1000)], shape);
  parts.use(packet, 0);
  parts.use(packet, 1);
  const stored = Array.from(packet.uint32.keys()).filter((word) => packet.uint32[word] === 0);
  assertEquals(stored, [0, 16, 32, 48, 64, 80, 96, 112]);
  const sent = new StreamParts([numbered(256, 1)], { ...shape, isSending: true });
  sent.use(packet, 0);
  assert(packet.uint8.subarray(0, 64).every((byte) => byte !== 0));
});
