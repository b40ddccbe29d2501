import { assertEquals } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { deviceLayout, devicePlaces, REPORT_WORDS } from "../../wgsl/layout_constants.ts";
import { meddledChannel } from "../../../testing/fixtures/meddled_words.ts";
import { ChannelDownload, isSparse, type MailboxReport } from "./channel_download.ts";
import { StreamTails } from "./stream_tails.ts";

/** What lies in a readback buffer is written by hand: these rules need no GPU. */
function setUp(portCount: number, mailboxWidth: "word" | "beside" = "word") {
  const channel = Channel.create({ portCount, laneCount: 1, mailboxWidth });
  const tails = new StreamTails(channel);
  const download = new ChannelDownload(channel, "buffer" as unknown as GPUBuffer, tails);
  const words = new Int32Array(download.bytesOf(portCount) / 4);
  const reports: MailboxReport[] = [];
  const take = (portBound = portCount) =>
    download.take(words, portBound, (report) => reports.push(report));
  return { channel, download, tails, words, reports, take };
}

/** Where headers and packets of all ports are in a readback buffer. */
function placesOf({ layout }: Channel): { readonly headers: number; readonly packets: number } {
  const { payloadWord, reportWord } = devicePlaces(layout);
  const { packetsWord, headersWord } = deviceLayout(layout);
  const headers = payloadWord - reportWord;
  return { headers, packets: headers + packetsWord - headersWord };
}

for (
  const [portBound, width] of [[3, "word"], [4, "word"], [3, "beside"], [4, "beside"]] as const
) {
  Deno.test(`ChannelDownload.take() brings what was sent, of ${portBound} of 4 ports, mailboxes ${width}`, () => {
    const { channel, download, words, take } = setUp(4, width);
    const { layout } = channel;
    const { clientOutboxWord, headersWord, packetsWord, packetWords } = layout;
    const behind = REPORT_WORDS + portBound;
    const { headers, packets } = portBound < 4
      ? { headers: behind, packets: behind + portBound * HEADER_WORDS }
      : placesOf(channel);
    words[REPORT_WORDS + 2] = 1;
    words[headers + 2 * HEADER_WORDS + 2] = 77;
    words[packets + 2 * packetWords] = 99;
    assertEquals(take(portBound), 1);
    assertEquals(channel.words.load(clientOutboxWord + 2 * layout.mailboxStride), 1);
    assertEquals(channel.words.plain[headersWord + 2 * layout.headerStride + 2], 77);
    assertEquals(channel.words.plain[packetsWord + 2 * layout.packetStride], 99);
    assertEquals(download.sentBelow, 3);
    assertEquals(take(portBound), 0, "nothing was sent since");
  });
}

Deno.test("ChannelDownload.take() reports and ignores what no client could write", () => {
  const { channel, download, words, take, reports } = setUp(4);
  const { clientOutboxWord, serverOutboxWord } = channel.layout;
  channel.words.store(serverOutboxWord + 1, 1); // the server owns port 1: nothing may come from it
  words[REPORT_WORDS + 1] = 1;
  words[REPORT_WORDS + 3] = -7;
  assertEquals(take(), 0);
  assertEquals(reports, [
    { portIndex: 1, value: 1, reason: "toggled while the server owned the packet" },
    { portIndex: 3, value: -7, reason: "not 0 or 1" },
  ]);
  assertEquals([1, 3].map((index) => channel.words.load(clientOutboxWord + index)), [0, 0]);
  assertEquals(download.sentBelow, 0);
});

Deno.test("ChannelDownload.take() sees mailboxes the other way round where a stream flipped them", () => {
  const { channel, tails, words, take, reports } = setUp(4);
  const { clientOutboxWord } = channel.layout;
  tails.flips.set([0, 1, 1, 1]);
  words.set([0, 1, 0, 5], REPORT_WORDS);
  assertEquals(take(), 1);
  const outboxes = [0, 1, 2, 3].map((index) => channel.words.load(clientOutboxWord + index));
  assertEquals(outboxes, [0, 0, 1, 0]);
  assertEquals(reports, [{ portIndex: 3, value: 5, reason: "not 0 or 1" }]);
});

Deno.test("ChannelDownload.copyOut() copies the ports below the bound, one behind the other", () => {
  const { channel, download } = setUp(4);
  const { headersWord, packetsWord } = channel.layout;
  const { reportWord, payloadWord } = devicePlaces(channel.layout);
  const copies: unknown[][] = [];
  download.copyOut((...copy) => copies.push(copy), 2);
  const headersByte = REPORT_WORDS * 4 + 8;
  const packetsByte = headersByte + 2 * HEADER_WORDS * 4;
  assertEquals(copies, [
    ["buffer", reportWord * 4, 0, headersByte],
    ["buffer", payloadWord * 4, headersByte, 2 * HEADER_WORDS * 4],
    ["buffer", (payloadWord + packetsWord - headersWord) * 4, packetsByte, 128],
  ]);
  assertEquals(download.bytesOf(2), packetsByte + 128);
});

Deno.test("ChannelDownload.copyOut() copies all ports at once", () => {
  const { channel, download } = setUp(4);
  const { reportWord, totalWords } = devicePlaces(channel.layout);
  const copies: unknown[][] = [];
  download.copyOut((...copy) => copies.push(copy), 4);
  assertEquals(copies, [["buffer", reportWord * 4, 0, (totalWords - reportWord) * 4]]);
});

Deno.test("ChannelDownload.sentBelow never falls, whichever ports are sent later", () => {
  const { download, words, take } = setUp(4);
  words[REPORT_WORDS + 3] = 1;
  take();
  words[REPORT_WORDS] = 1;
  take();
  assertEquals(download.sentBelow, 4);
});

Deno.test("ChannelDownload.take() tells of a port when its header and packet are there", () => {
  const { channel, words: memory, layout } = meddledChannel(4);
  const download = new ChannelDownload(channel, {} as never, new StreamTails(channel));
  const words = new Int32Array(download.bytesOf(4) / 4);
  const { headersWord, packetsWord, packetWords, clientOutboxWord } = layout;
  const header = 2 * HEADER_WORDS + 2;
  words[REPORT_WORDS + 2] = 1;
  const { headers, packets } = placesOf(channel);
  words[headers + header] = 77;
  words[packets + 2 * packetWords] = 99;
  const seen: number[][] = [];
  memory.beforeStore = (word) => {
    if (word !== clientOutboxWord + 2) return;
    seen.push([memory.plain[headersWord + header]!, memory.plain[packetsWord + 2 * packetWords]!]);
  };
  download.take(words, 4, () => {});
  assertEquals(seen, [[77, 99]]);
});

Deno.test("isSparse() is true for a few ports of many", () => {
  assertEquals([isSparse(1, 4), isSparse(1, 16), isSparse(1, 17)], [false, false, true]);
});
