import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { LengthRefusedError } from "./limit.ts";
import { Deadline } from "../wait/deadline.ts";
import { InvariantError } from "../memory/assert.ts";
import { Channel } from "../toggle/channel.ts";
import type { ChannelShape } from "../toggle/layout.ts";
import { Client } from "../toggle/client/client.ts";
import type { ClientPort } from "../toggle/client/client_port.ts";
import { Server } from "../toggle/server/server.ts";
import { Packet } from "../memory/packet.ts";
import { PACKET_LAYOUTS, type PacketLayout, PacketViews } from "../memory/packet_views.ts";
import { laneMask } from "../memory/lane_mask.ts";
import { echoOnce } from "../testing/conformance/wave_programs.ts";
import { ECHO_LIMIT_BYTES, TestOpcode } from "../testing/conformance/services.ts";
import { TestBed } from "../testing/conformance/test_bed.ts";
import {
  recvStream,
  recvStreamAsync,
  type SendingPort,
  sendStream,
  sendStreamAsync,
} from "./stream.ts";

const SHAPES: readonly Omit<ChannelShape, "portCount">[] = [
  { laneCount: 64 },
  { laneCount: 64, packetLayout: "word-major" },
  { laneCount: 3, laneBytes: 192, packetLayout: "word-major" },
  { laneCount: 5, laneBytes: 4096 },
];

for (const shape of SHAPES) {
  Deno.test(`streams carry payloads of any lengths on any lanes: ${JSON.stringify(shape)}`, async () => {
    await using bed = await TestBed.start({ portCount: 2, ...shape });
    const client = new Client(bed.channel);
    const { laneCount, laneBytes = 64 } = shape;
    for (const fixed of [0, 1, laneBytes - 9, laneBytes - 8, laneBytes - 7, 2 * laneBytes - 8]) {
      echoOnce(client, [new Uint8Array(fixed).fill(7), new Uint8Array(fixed + 1).fill(8)]);
    }
    fc.assert(
      fc.property(payloadsOf(laneCount), (payloads) => echoOnce(client, payloads)),
      { numRuns: 30 },
    );
  });
}

/** Payloads of any lengths on some lanes, some of them not at the beginning of a word. */
function payloadsOf(laneCount: number): fc.Arbitrary<(Uint8Array | undefined)[]> {
  const payload = fc.tuple(fc.uint8Array({ maxLength: 400 }), fc.nat(3))
    .map(([bytes, start]) => bytes.subarray(start));
  const lane = fc.integer({ min: 0, max: laneCount - 1 }).map(String);
  return fc.dictionary(lane, payload, { minKeys: 1 }).map((byLane) =>
    Array.from({ length: laneCount }, (_, index) => byLane[index])
  );
}

Deno.test("sendStream() needs as many packets as LLVM's send_n", () => {
  const packetsOf = (lengthBytes: number) => {
    let packets = 0;
    const port = { send: () => packets++ };
    const head = { forEachLane: (visit: (lane: number) => void) => visit(0), mask: laneMask(0) };
    const packet = { ...head, laneWords: 16, setUint32: () => {}, writeLane: () => {} };
    sendStream({ send: (fill) => (fill(packet as never), port.send()) }, [
      new Uint8Array(lengthBytes),
    ]);
    return packets;
  };
  const expected = [[0, 1], [56, 1], [57, 2], [120, 2], [121, 3], [251, 5]];
  for (const [lengthBytes, packets] of expected) assertEquals(packetsOf(lengthBytes!), packets);
});

Deno.test("sendStream() refuses a payload for a lane that does not take part, and sends nothing", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 4 });
  using port = new Client(channel).open(TestOpcode.echo, { mask: laneMask(0, 2) });
  const payloads = [new Uint8Array(1), new Uint8Array(1)];
  assertThrows(() => sendStream(port, payloads), RangeError, "lane 1");
  const beyond = Array.from(
    { length: 65 },
    (_, lane) => lane === 64 ? new Uint8Array(1) : undefined,
  );
  assertThrows(() => sendStream(port, beyond), RangeError, "lane 64");
  assertThrows(() => sendStream(port, ["text" as never]), TypeError, "must be a Uint8Array");
  assertEquals(channel.words.load(channel.layout.clientOutboxWord), 0);
});

Deno.test("recvStream() puts payloads where its allocator says, and checks it", async () => {
  await using bed = await TestBed.start({ portCount: 2, laneCount: 2 });
  const client = new Client(bed.channel);
  const pool = new Uint8Array(200);
  const asked: number[][] = [];
  const allocate = (lengthBytes: number, lane: number) => {
    asked.push([lengthBytes, lane]);
    return pool.subarray(lane * 100, lane * 100 + lengthBytes);
  };
  using port = client.open(TestOpcode.echo);
  sendStream(port, [new Uint8Array(70).fill(1), new Uint8Array(3).fill(2)]);
  recvStream(port, { limitBytes: 100, allocate });
  assertEquals([asked, pool[69], pool[70], pool[102]], [[[70, 0], [3, 1]], 1, 0, 2]);
  using other = client.open(TestOpcode.echo, { timeoutSeconds: 1 });
  sendStream(other, [new Uint8Array(8)]);
  const wrong = { limitBytes: ECHO_LIMIT_BYTES, allocate: () => new Uint8Array(1) };
  assertThrows(() => recvStream(other, wrong), InvariantError, "allocator");
});

Deno.test("streams compile in their natural order, on both sides", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  server.operatePort(40_000, (port) => {
    const bytes = recvStream(port, { limitBytes: 10 });
    sendStream(port, bytes);
  });
  server.operatePortAsync(40_001, async (port) => {
    const mine = await port.recvAsync(() => {});
    sendStream(mine, [new Uint8Array(2)]);
    await mine.sendAsync((packet) => packet.setUint32(0, 0, 5));
  });
  const served = server.runAsync();
  const client = new Client(channel);
  {
    using port = await client.openAsync(40_000);
    sendStream(port, [new Uint8Array([1, 2])]);
    await port.recvAsync((packet) => assertEquals([...packet.uint32.subarray(0, 2)], [2, 0]));
  }
  using port = await client.openAsync(40_001);
  const sent = port.send(() => {});
  const lengths: number[] = [];
  const use = (packet: Packet) => void lengths.push(packet.getUint32(0, 0));
  await (await sent.recvAsync(use)).recvAsync(use);
  assertEquals(lengths, [2, 5]);
  channel.shutDown();
  port.close();
  await served;
  // The blocking order, which needs a server in another thread, compiles as well.
  const _natural = (port: ClientPort<"fresh">) => {
    sendStream(port, [new Uint8Array(1)]);
    port.recv(() => {}).send(() => {}).recv(() => {});
    sendStream(port, []);
    return recvStream(port, { limitBytes: 1 });
  };
});

/** Packets that one side fills and the other reads, and the limits that both were given. */
function wire(laneCount: number, mask = laneMask(0), packetLayout: PacketLayout = "lane-major") {
  const packetWords = laneCount * 16;
  const region = { laneCount, packetWords, packetsWord: 0, packetLayout };
  const packet = new Packet(new PacketViews(new Int32Array(packetWords), region));
  packet.aim(0, mask.lo, mask.hi);
  const packets: Uint8Array[] = [];
  const limits: unknown[] = [];
  return {
    packet,
    limits,
    send(fill: (packet: Packet) => unknown, limit?: unknown) {
      fill(packet);
      packets.push(packet.uint8.slice());
      limits.push(limit);
    },
    recv(use: (packet: Packet) => unknown, limit?: unknown) {
      packet.uint8.set(packets.shift()!);
      use(packet);
      limits.push(limit);
    },
  };
}

Deno.test("one deadline limits a stream in all its packets, either way", async () => {
  const port = wire(1);
  const options = { timeoutSeconds: 60, limitBytes: 200 };
  sendStream(port as SendingPort, [new Uint8Array(150)], options);
  recvStream(port, options);
  const { send, recv } = port;
  const sendAsync = (...given: Parameters<typeof send>) => Promise.resolve(send(...given));
  const recvAsync = (...given: Parameters<typeof recv>) => Promise.resolve(recv(...given));
  await sendStreamAsync({ sendAsync }, [new Uint8Array(150)], options);
  await recvStreamAsync({ recvAsync }, options);
  assertEquals(port.limits.map((limit) => limit instanceof Deadline), new Array(12).fill(true));
  assertEquals(new Set(port.limits).size, 4, "one for each stream");
});

Deno.test("a length is a u64: its high word counts, and is written", () => {
  const port = wire(1);
  port.packet.setUint32(0, 1, 9);
  sendStream(port as SendingPort, [new Uint8Array(3)]);
  assertEquals([port.packet.getUint32(0, 0), port.packet.getUint32(0, 1)], [3, 0]);
  const huge = wire(1);
  huge.send((packet) => packet.setUint32(0, 1, 1)); // 2 to the 32 bytes
  assertThrows(
    () => recvStream(huge, { limitBytes: 2 ** 32 - 1 }),
    LengthRefusedError,
    "a stream of 4294967296 bytes on lane 0",
  );
});

for (const packetLayout of PACKET_LAYOUTS) {
  Deno.test(`${packetLayout}: streams keep to their lanes, and lanes that do not take part have none`, () => {
    const port = wire(4, laneMask(1, 3), packetLayout);
    const long = Uint8Array.from({ length: 130 }, (_, byte) => byte);
    port.packet.uint8.fill(99);
    sendStream(port as SendingPort, [undefined, long, undefined, undefined]);
    for (let word = 0; word < 16; word++) {
      assertEquals([port.packet.getUint32(0, word), port.packet.getUint32(2, word)], [
        NINES,
        NINES,
      ]);
    }
    const bytesByLane = recvStream(port, { limitBytes: 130 });
    assertEquals(bytesByLane, [undefined, long, undefined, new Uint8Array(0)]);
  });
}

const NINES = 99 * 0x01010101;

Deno.test("streams of both directions go through one event loop, without blocking it", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 3, laneBytes: 128 });
  const server = new Server(channel);
  const limit = { limitBytes: 1000 };
  server.operatePortAsync(TestOpcode.echo, async (port) => {
    await sendStreamAsync(port, await recvStreamAsync(port, limit));
  });
  const served = server.runAsync();
  const client = new Client(channel);
  const lengths = [[0, 0], [120, 121], [1000, 7], [248, 249]] as const;
  for (const [first, second] of lengths) {
    const payloads = [new Uint8Array(first).fill(1), undefined, new Uint8Array(second).fill(2)];
    using port = await client.openAsync(TestOpcode.echo, { mask: laneMask(0, 2) });
    await sendStreamAsync(port, payloads);
    assertEquals(await recvStreamAsync(port, limit), payloads);
  }
  using port = await client.openAsync(TestOpcode.echo, { mask: laneMask(0, 2) });
  await assertRejects(
    () => sendStreamAsync(port, [undefined, new Uint8Array(1)]),
    RangeError,
    "lane 1",
  );
  channel.shutDown();
  port.close();
  await served;
});
