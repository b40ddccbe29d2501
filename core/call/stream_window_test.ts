/** Streams with several parts of a packet under way, between workers and against peers that break off. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { laneMask } from "../memory/lane_mask.ts";
import type { Packet } from "../memory/packet.ts";
import { Status } from "../memory/status.ts";
import { meddledChannel } from "../testing/fixtures/meddled_words.ts";
import { statusOf } from "../testing/fixtures/status_of.ts";
import { PARTS_LIMIT_BYTES, TestOpcode } from "../testing/conformance/services.ts";
import { TestBed } from "../testing/conformance/test_bed.ts";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import type { ClientPort } from "../toggle/client/client_port.ts";
import type { ChannelShape } from "../toggle/layout.ts";
import { Server } from "../toggle/server/server.ts";
import { CallAbandonedError } from "../toggle/server/server_side.ts";
import { recvStream, recvStreamAsync, sendStream } from "./stream.ts";
import { checkWindow } from "./stream_packets.ts";

const OPCODE = 40_000;

const SHAPES: readonly Omit<ChannelShape, "portCount">[] = [
  { laneCount: 1 },
  { laneCount: 3, laneBytes: 128, packetLayout: "word-major" },
  { laneCount: 2, laneBytes: 4096 },
  { laneCount: 1, portLock: "fetch-or", mailboxWidth: "bit", mailboxUpdate: "fetch-xor" },
];

function echo(client: Client, payloads: readonly (Uint8Array | undefined)[], window: number): void {
  const lanes = payloads.flatMap((bytes, lane) => bytes ? [lane] : []);
  using port = client.open(TestOpcode.echoInParts, { mask: laneMask(...lanes) });
  sendStream(port, payloads, { window });
  const answers = recvStream(port, { limitBytes: PARTS_LIMIT_BYTES });
  for (const lane of lanes) assertEquals(answers[lane], payloads[lane]!.slice());
}

for (const shape of SHAPES) {
  for (const waiter of ["adaptive", "park"] as const) {
    Deno.test(`windows carry payloads of any lengths, ${waiter}: ${JSON.stringify(shape)}`, async () => {
      await using bed = await TestBed.start({ portCount: 1, waiter, ...shape });
      const client = new Client(bed.channel, { waiter });
      const { laneCount, laneBytes = 64 } = shape;
      const numbered = (length: number) => Uint8Array.from({ length }, (_, byte) => byte * 31 >> 3);
      for (const window of [1, 2, 4, 8]) {
        const edges = [0, 1, laneBytes - 9, laneBytes - 8, laneBytes - 7, 2 * laneBytes - 8];
        for (const length of [...edges, 5 * laneBytes + 1]) {
          echo(client, [numbered(length)], window);
        }
      }
      const lane = fc.option(fc.nat(9 * laneBytes), { nil: undefined });
      const lengths = fc.array(lane, { minLength: laneCount, maxLength: laneCount })
        .filter((all) => all.some((length) => length !== undefined));
      fc.assert(
        fc.property(lengths, fc.constantFrom(2, 4, 8), (all, window) => {
          echo(
            client,
            all.map((length) => length === undefined ? length : numbered(length)),
            window,
          );
        }),
        { numRuns: 15 },
      );
    });
  }
}

Deno.test("a mebibyte goes there and back in parts", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 2, laneBytes: 65_536 });
  const bytes = Uint8Array.from({ length: (1 << 20) + 3 }, (_, byte) => byte * 7 >> 4);
  echo(new Client(bed.channel), [bytes, new Uint8Array(5)], 2);
});

Deno.test("a side that cannot take parts gets packets, and the other side notices", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const bytes = Uint8Array.from({ length: 300 }, (_, byte) => byte);
  using port = new Client(bed.channel).open(TestOpcode.echoInParts);
  sendStream(port, [bytes], { window: 2 });
  const plain = { recv: port.recv.bind(port) as never };
  assertEquals(recvStream(plain, { limitBytes: 300 }), [bytes]);
  const server = new Server(channel);
  const got: unknown[] = [];
  server.operatePortAsync(40_000, async (one) => {
    got.push(await recvStreamAsync(one, { limitBytes: 300 }));
  });
  const serving = server.runAsync();
  const sending = await new Client(channel).openAsync(40_000);
  let sent = sending.send((packet) => packet.uint32.set([100, 1 << 24]));
  for (const _ of [1, 2]) sent = await sent.sendAsync(() => {});
  sending.close();
  channel.shutDown();
  await serving;
  assertEquals((got[0] as Uint8Array[])[0]!.length, 100);
});

Deno.test("an offer of parts that nobody took is no answer to the next one on the port", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  const bytes = Uint8Array.from({ length: 2000 }, (_, byte) => byte);
  // A service of one packet: its client offers parts, and is told that the call is over.
  const whole = () => {
    using port = client.open(TestOpcode.increment);
    port.declareForm = () => {}; // a client that does not say that it sends a stream
    sendStream(port, [bytes], { window: 2 });
  };
  assertEquals(statusOf(whole), Status.outOfStep);
  // The server offers parts now, to a client that takes none.
  using port = client.open(TestOpcode.echoInParts);
  sendStream(port, [bytes]);
  assertEquals(await recvStreamAsync(port, { limitBytes: 2000 }), [bytes]);
});

Deno.test("a receiver whose sender left behind its offer takes nothing of the next client's for an answer", () => {
  const { channel, words, layout } = meddledChannel(1);
  const server = new Server(channel, { waiter: "park" });
  const [leaving, next] = [new Client(channel), new Client(channel)];
  const offer = (port: ClientPort<"fresh">) =>
    port.send((packet) => {
      port.offerParts();
      packet.uint32.set([60, 1 << 24]); // one part behind the first packet, in windows of two
    });
  const left = offer(leaving.open(OPCODE));
  words.onSleep = () => {
    words.onSleep = () => {};
    left.close();
    offer(next.open(OPCODE));
  };
  const port = server.tryOpen()!;
  assertThrows(() => recvStream(port, { limitBytes: 60 }), CallAbandonedError);
  assertEquals(words.plain[layout.packetsWord], 60, "the next client's request is as it was");
  const counts = [layout.clientPartsWord, layout.serverPartsWord].map((word) => words.load(word));
  assertEquals(counts[0] === counts[1], false, "the offer is still open");
});

Deno.test("a stream beyond the limit is refused where parts are offered, too", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  const long = new Uint8Array(PARTS_LIMIT_BYTES + 1);
  const refused = statusOf(() => echo(client, [long], 8));
  assertEquals(refused, Status.lengthRefused);
  echo(client, [new Uint8Array(500)], 4);
});

/** Ends the client's side of a stream early, by words that no client of this version writes. */
const BREAKS: Readonly<Record<string, (words: Channel["words"], word: number) => void>> = {
  "counts backwards": (words, word) => words.store(word, words.load(word) - 1),
  "counts more than there are": (words, word) => words.store(word, words.load(word) + 1000),
  "counts nothing": () => {},
};

for (const [name, meddle] of Object.entries(BREAKS)) {
  Deno.test(`a client that breaks off and ${name} gets no answer, and the next one does`, async () => {
    await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
    const { words, layout } = bed.channel;
    const client = new Client(bed.channel);
    using port = client.open(TestOpcode.echoInParts, { timeoutSeconds: 20 });
    const first = (packet: Packet) => packet.uint32.set([1000, 2 << 24]);
    const sent = port.send((packet) => (port.offerParts(), first(packet)));
    sent.send(() => meddle(words, layout.clientPartsWord));
    const status = statusOf(() => sent.send(() => {}).recv(() => {}));
    assertEquals(status, Status.outOfStep);
    port.close();
    echo(client, [new Uint8Array(500).fill(3)], 4);
  });
}

Deno.test("a server that stops while parts are under way ends the wait of its client", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  using port = client.open(TestOpcode.echoInParts, { timeoutSeconds: 20 });
  sendStream(port, [new Uint8Array(1000)], { window: 4 });
  port.recv(() => {});
  bed.channel.stop();
  // A server that has not seen the stop yet might take the packet first, and answer.
  await bed.servers[0]!.done;
  assertEquals(statusOf(() => port.recv(() => {}).recv(() => {})), Status.serverGone);
});

Deno.test("sendStream() refuses a window that there is not, and sends nothing", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  using port = new Client(channel).open(TestOpcode.echo);
  for (const window of [0, 3, 16, NaN, "2" as unknown as number]) {
    assertThrows(() => sendStream(port, [], { window }), RangeError, `value is ${window}`);
  }
  assertEquals(channel.words.load(channel.layout.clientOutboxWord), 0);
  [1, 2, 4, 8].forEach(checkWindow);
});

Deno.test("a client that breaks off leaves its packet to the server, until that has noticed", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const { words, layout } = channel;
  const client = new Client(channel);
  const server = new Server(channel, { waiter: "park" });
  const port = client.open(OPCODE);
  port.send(() => void port.offerParts());
  const serving = server.tryOpen()!.recv(() => {});
  words.store(layout.serverPartsWord, words.load(layout.clientPartsWord));
  const given = serving.send(() => {});
  const use = () => {
    throw new Error("broken");
  };
  assertThrows(() => port.sendParts({ count: 2, window: 2, use }), Error, "broken");
  port.close();
  assertEquals(client.tryOpen(OPCODE), undefined, "the server may still store to the packet");
  given.close();
  assert(server.runOnce(), "what is left of the call is refused");
  client.tryOpen(OPCODE)!.close();
});
