import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type ChannelDesign, isAnonymous, lockPlaces } from "./design/channel_design.ts";
import { type ChannelLayout, channelLayout, CONTROL_WORDS, PORT_COUNT_MAX } from "./layout.ts";
import { PACKET_LAYOUTS } from "../memory/packet_views.ts";
import { HEADER_WORDS } from "../memory/port_headers.ts";
import { placesWordCount, PORT_PLACES, REGION_BYTES } from "../memory/regions.ts";

const designs = fc.constantFrom<Partial<ChannelDesign>>(
  { mailboxWidth: "word" },
  { portLock: "fetch-or", mailboxWidth: "padded" },
  { mailboxWidth: "word", mailboxRead: "outbox" },
  { portLock: "exchange", mailboxWidth: "bit", mailboxUpdate: "fetch-xor" },
);
const shapes = fc.record({
  portCount: fc.oneof(
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 1, max: PORT_COUNT_MAX }),
  ),
  laneCount: fc.integer({ min: 1, max: 64 }),
  laneBytes: fc.integer({ min: 1, max: 64 }).map((lines) => lines * 64),
  packetLayout: fc.constantFrom(...PACKET_LAYOUTS),
  design: designs,
}).map(({ design, ...shape }) => ({ ...shape, ...design }));

/** Where each region begins and how many words it needs. */
function regionsOf(layout: ChannelLayout): { readonly word: number; readonly count: number }[] {
  const { portCount, portLock, mailboxWidth, mailboxRead } = layout;
  assert(mailboxWidth !== "beside", "a block has no regions of its own");
  const mailboxes = placesWordCount(PORT_PLACES[mailboxWidth], portCount);
  const turns = mailboxRead === "turn" ? portCount : 0;
  const locks = placesWordCount(lockPlaces(portLock), portCount);
  const marks = isAnonymous(portLock) ? portCount : 0;
  return [
    { word: layout.controlWord, count: CONTROL_WORDS },
    { word: layout.clientOutboxWord, count: mailboxes },
    { word: layout.clientParkedWord, count: portCount },
    { word: layout.serverOutboxWord, count: mailboxes },
    { word: layout.serverParkedWord, count: portCount },
    { word: layout.clientTurnWord, count: turns },
    { word: layout.serverTurnWord, count: turns },
    { word: layout.clientLockWord, count: locks },
    { word: layout.serverLockWord, count: locks },
    { word: layout.clientMarksWord, count: marks },
    { word: layout.serverMarksWord, count: marks },
    { word: layout.hintWord, count: layout.hintWordCount },
    { word: layout.headersWord, count: portCount * HEADER_WORDS },
    { word: layout.packetsWord, count: portCount * layout.packetWords },
  ];
}

Deno.test("channelLayout() gives every region its own cache lines, inside the buffer", () => {
  fc.assert(fc.property(shapes, (shape) => {
    const layout = channelLayout(shape);
    const ends = [...regionsOf(layout).slice(1).map(({ word }) => word), layout.totalBytes / 4];
    regionsOf(layout).forEach(({ word, count }, place) => {
      assertEquals((word * 4) % REGION_BYTES, 0);
      assert(word + count <= ends[place]!, "a region ends before the next");
    });
  }));
});

Deno.test("channelLayout() gives each port a block of lines, and in it each word to one thing", () => {
  fc.assert(fc.property(shapes, (shape) => {
    const layout = channelLayout({ ...shape, mailboxWidth: "beside", mailboxUpdate: "store" });
    const { clientOutboxWord, mailboxStride, headerStride, packetStride, packetWords } = layout;
    assertEquals([headerStride, packetStride, mailboxStride % 16], [
      mailboxStride,
      mailboxStride,
      0,
    ]);
    // Outboxes, header, packet follow each other in the first block, and the packet of the last is within the memory.
    const { serverOutboxWord, headersWord, packetsWord, totalBytes } = layout;
    const firsts = [clientOutboxWord, serverOutboxWord, headersWord, packetsWord];
    assertEquals(firsts.map((word) => word - clientOutboxWord), [0, 1, 2, 2 + HEADER_WORDS]);
    assertEquals([clientOutboxWord * 4 % REGION_BYTES, packetsWord % 2], [0, 0]);
    assert(packetsWord + packetWords <= clientOutboxWord + mailboxStride);
    assert(clientOutboxWord + shape.portCount * mailboxStride <= totalBytes / 4);
    const before = ["hintWord", "leaveWord", "serverLateWord", "clientTurnWord"] as const;
    assert(before.every((name) => layout[name] < clientOutboxWord));
  }));
});

Deno.test("channelLayout() has a hint bit for every port, in at most 16 words", () => {
  fc.assert(fc.property(shapes, (shape) => {
    const { hintWordCount, hintShift, portCount } = channelLayout(shape);
    assert(hintWordCount <= 16);
    assertEquals((portCount - 1) >> hintShift >> 5, hintWordCount - 1);
  }));
});

Deno.test("channelLayout() lets a hint stand for twice as many ports where 16 words would not do", () => {
  const hintsOf = (portCount: number) => {
    const { hintShift, hintWordCount } = channelLayout({ portCount, laneCount: 1 });
    return [hintShift, hintWordCount];
  };
  assertEquals([1, 32, 33, 512].map(hintsOf), [[0, 1], [0, 1], [0, 2], [0, 16]]);
  assertEquals([513, 1024, 1025, 16_384].map(hintsOf), [[1, 9], [1, 16], [2, 9], [5, 16]]);
});

Deno.test("channelLayout() sizes the largest channel as planned", () => {
  const { totalBytes, packetsWord } = channelLayout({ portCount: 16384, laneCount: 64 });
  assertEquals(totalBytes - packetsWord * 4, 16384 * 64 * 64);
});

Deno.test("channelLayout() gives each lane as many bytes as it is told, 64 when it is not", () => {
  const wordsOf = (laneBytes?: number) =>
    channelLayout({ portCount: 2, laneCount: 3, ...(laneBytes && { laneBytes }) }).packetWords;
  assertEquals([undefined, 64, 192, 65_536].map(wordsOf), [48, 48, 144, 49_152]);
});

Deno.test("channelLayout() refuses lanes and packet layouts that there are not", () => {
  const shape = { portCount: 1, laneCount: 1 };
  for (const laneBytes of [0, -64, 32, 96, 65_600, NaN, Infinity, "64" as unknown as number]) {
    assertThrows(() => channelLayout({ ...shape, laneBytes }), RangeError, `value is ${laneBytes}`);
  }
  const packetLayout = "column-major" as "word-major";
  assertThrows(
    () => channelLayout({ ...shape, packetLayout }),
    TypeError,
    "lane-major, word-major",
  );
});

Deno.test("channelLayout() refuses counts that are out of range or not integers", () => {
  const wrong = [0, -1, 1.5, NaN, Infinity, 16385, "4" as unknown as number];
  for (const portCount of wrong) {
    assertThrows(() => channelLayout({ portCount, laneCount: 1 }), RangeError, String(portCount));
  }
  for (const laneCount of [...wrong, 65]) {
    assertThrows(() => channelLayout({ portCount: 1, laneCount }), RangeError, String(laneCount));
  }
});
