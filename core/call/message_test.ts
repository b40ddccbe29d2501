import { assertEquals, assertThrows } from "@std/assert";
import { Packet } from "../memory/packet.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { Deadline } from "../wait/deadline.ts";
import { LengthRefusedError } from "./limit.ts";
import {
  checkByteArray,
  MessageReader,
  MessageWriter,
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "./message.ts";

function packetOf(laneCount: number): Packet {
  const packetWords = laneCount * 16;
  const memory = new Int32Array(packetWords);
  const packet = new Packet(new PacketViews(memory, { laneCount, packetWords, packetsWord: 0 }));
  packet.aim(0, 1, 0); // one lane takes part: a message uses all
  return packet;
}

function bytesOf(lengthBytes: number): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, byte) => byte % 251);
}

Deno.test("a message of any length comes back whole, in as few packets as hold it", () => {
  for (const laneCount of [1, 2, 64]) {
    const room = laneCount * 64;
    for (const lengthBytes of [0, 1, room - 9, room - 8, room - 7, 2 * room - 8, 2 * room - 7]) {
      const packet = packetOf(laneCount);
      const writer = new MessageWriter(bytesOf(lengthBytes));
      const reader = new MessageReader(lengthBytes);
      let packetCount = 0;
      while (!writer.isDone) {
        assertEquals(reader.isDone, false);
        writer.put(packet);
        reader.take(packet);
        packetCount++;
      }
      assertEquals([reader.isDone, reader.bytes], [true, bytesOf(lengthBytes)]);
      assertEquals(packetCount, Math.max(1, Math.ceil((lengthBytes + 8) / room)));
    }
  }
});

Deno.test("a length beyond the limit is refused before anything is allocated", () => {
  const packet = packetOf(1);
  const cases = [[5, 0, 4], [0xffffffff, 0xffffffff, 2 ** 53], [0, 1, 2 ** 32 - 1]];
  for (const [lo, hi, limitBytes] of cases) {
    packet.setUint32(0, 0, lo!);
    packet.setUint32(0, 1, hi!);
    const { message } = assertThrows(
      () => new MessageReader(limitBytes!).take(packet),
      LengthRefusedError,
      `Cannot receive ${hi! * 2 ** 32 + lo!} bytes as the limit is ${limitBytes}`,
    );
    assertEquals(message.endsWith("perhaps a packet of words"), hi! > 1);
  }
  for (const wrong of [NaN, null, -1]) {
    assertThrows(() => new MessageReader(wrong as unknown as number), RangeError, "limitBytes");
  }
});

Deno.test("sendMessage() and recvMessage() pair up, and so do their asynchronous forms", async () => {
  const packet = packetOf(1);
  const wire: Uint8Array[] = [];
  const put = (
    fill: (packet: Packet) => unknown,
  ) => (fill(packet), wire.push(packet.uint8.slice()));
  const take = (use: (packet: Packet) => unknown) => (packet.uint8.set(wire.shift()!), use(packet));
  sendMessage({ send: put }, bytesOf(300));
  assertEquals(recvMessage({ recv: take }, { limitBytes: 300 }), bytesOf(300));
  await sendMessageAsync({ sendAsync: (fill) => Promise.resolve(put(fill)) }, bytesOf(301));
  const port = { recvAsync: (use: (packet: Packet) => unknown) => Promise.resolve(take(use)) };
  assertEquals(await recvMessageAsync(port, { limitBytes: 301 }), bytesOf(301));
});

Deno.test("one deadline limits a message in all its packets, either way", async () => {
  const packet = packetOf(1);
  const limits: unknown[] = [];
  const note = (limit: unknown) => limits.push(limit);
  const options = { timeoutSeconds: 60, limitBytes: 100 };
  const fills: Uint8Array[] = [];
  const put = (fill: (packet: Packet) => unknown, limit: unknown) => {
    fill(packet);
    fills.push(packet.uint8.slice());
    note(limit);
  };
  const take = (use: (packet: Packet) => unknown, limit: unknown) => {
    packet.uint8.set(fills.shift()!);
    use(packet);
    note(limit);
  };
  sendMessage({ send: put }, bytesOf(100), options);
  recvMessage({ recv: take }, options);
  await sendMessageAsync(
    { sendAsync: (fill, limit) => Promise.resolve(put(fill, limit)) },
    bytesOf(100),
    options,
  );
  const port = { recvAsync: (use: Fill, limit: unknown) => Promise.resolve(take(use, limit)) };
  await recvMessageAsync(port, options);
  assertEquals(limits.map((limit) => limit instanceof Deadline), new Array(8).fill(true));
  assertEquals(new Set(limits).size, 4, "one for each message");
});

type Fill = (packet: Packet) => unknown;

Deno.test("a message tells its length in two words, and a reader tells how far it has come", () => {
  const packet = packetOf(1);
  packet.setUint32(0, 1, 77);
  new MessageWriter(bytesOf(3)).put(packet);
  assertEquals([packet.getUint32(0, 0), packet.getUint32(0, 1)], [3, 0]);
  const reader = new MessageReader(100);
  assertEquals([reader.isDone, reader.bytes.length], [false, 0]);
  new MessageWriter(bytesOf(100)).put(packet);
  reader.take(packet);
  assertEquals([reader.isDone, reader.bytes], [false, bytesOf(100).subarray(0, 56)]);
});

Deno.test("a message of more than 4 GiB says so in the high word", () => {
  const packet = packetOf(1);
  // Memory that large is only claimed to be there.
  const huge = Object.defineProperties(new Uint8Array(56), {
    length: { value: 3 * 2 ** 32 + 7 },
    subarray: { value: () => new Uint8Array(56) },
  });
  new MessageWriter(huge).put(packet);
  assertEquals([packet.getUint32(0, 0), packet.getUint32(0, 1)], [7, 3]);
});

Deno.test("checkByteArray() takes arrays of bytes, also those of a subclass, and nothing else", () => {
  for (const bytes of [new Uint8Array(2), new (class extends Uint8Array {})(1)]) {
    checkByteArray(bytes);
  }
  const others = [
    "text",
    [1, 2],
    new ArrayBuffer(2),
    new Uint16Array(2),
    new DataView(new ArrayBuffer(1)),
    null,
  ];
  for (const other of [...others, undefined, Symbol("none")]) {
    assertThrows(
      () => checkByteArray(other),
      TypeError,
      "must be a Uint8Array: current value is [object",
    );
  }
});
