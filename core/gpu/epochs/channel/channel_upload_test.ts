import { assertEquals } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { ChannelUpload } from "./channel_upload.ts";
import { StreamTails } from "./stream_tails.ts";

/** A queue that only remembers what was written: these rules need no GPU. */
function setUp(portCount: number) {
  const writes: { target: string; byte: number; words: number[] }[] = [];
  const queue = {
    writeBuffer(target: string, byte: number, ...source: [Int32Array, number, number]) {
      const [words, word, count] = source;
      writes.push({ target, byte, words: [...words.subarray(word, word + count)] });
    },
  } as unknown as GPUQueue;
  const channel = Channel.create({ portCount, laneCount: 1 });
  const names = ["control", "payload", "mailboxes"];
  const [control, payload, serverMailboxes] = names as unknown as [GPUBuffer, GPUBuffer, GPUBuffer];
  const tails = new StreamTails(channel);
  const device = { queue, control, payload, serverMailboxes };
  const upload = new ChannelUpload(channel, device, tails);
  const giveBack = (index: number) =>
    channel.words.store(channel.layout.serverOutboxWord + index, 1);
  return { channel, upload, tails, writes, giveBack };
}

function unexpected(index: number): never {
  throw new Error(`port ${index} was not refused`);
}

Deno.test("ChannelUpload begins with the whole channel but its locks", () => {
  const { channel, writes } = setUp(4);
  const { clientOutboxWord, headersWord, totalBytes } = channel.layout;
  assertEquals(writes.map(({ target, byte, words }) => [target, byte, words.length]), [
    ["control", clientOutboxWord * 4, 4],
    ["mailboxes", 0, 4],
    ["payload", 0, totalBytes / 4 - headersWord],
  ]);
});

Deno.test("ChannelUpload.put() brings what the server has given back, once", () => {
  const { channel, upload, writes, giveBack } = setUp(4);
  writes.length = 0;
  for (const index of [1, 2]) giveBack(index);
  assertEquals(upload.put(3, unexpected).returnedCount, 2);
  assertEquals(writes.map(({ target, words }) => [target, words.length]), [
    ["mailboxes", 2],
    ["payload", 2 * channel.layout.packetWords],
  ]);
  writes.length = 0;
  assertEquals(upload.put(3, unexpected).returnedCount, 0);
  assertEquals(writes, []);
});

Deno.test("ChannelUpload.put() brings headers only when a call was refused", () => {
  const { channel, upload, writes, giveBack } = setUp(2);
  writes.length = 0;
  channel.words.plain[channel.layout.headersWord + 3] = 1;
  giveBack(0);
  const refused: number[] = [];
  upload.put(1, (index) => refused.push(index));
  assertEquals(refused, [0]);
  assertEquals(writes.map(({ words }) => words.length), [1, 16, HEADER_WORDS]);
});

Deno.test("ChannelUpload.put() joins many ranges into one", () => {
  const { upload, writes, giveBack } = setUp(32);
  writes.length = 0;
  for (let index = 0; index < 32; index += 3) giveBack(index);
  assertEquals(upload.put(32, unexpected).returnedCount, 11);
  assertEquals(writes.length, 2);
});

Deno.test("ChannelUpload.repairMailbox() writes the host's value", () => {
  const { channel, upload, writes } = setUp(4);
  writes.length = 0;
  upload.repairMailbox(3);
  const byte = (channel.layout.clientOutboxWord + 3) * 4;
  assertEquals(writes, [{ target: "control", byte, words: [0] }]);
});

Deno.test("ChannelUpload.put() sends what follows in a stream, and brings the answer to all of it", () => {
  const { channel, upload, tails, writes, giveBack } = setUp(4);
  const { clientOutboxWord, packetWords } = channel.layout;
  const read = new Int32Array(tails.bytesOf(1) / 4);
  read[packetWords] = 1 << 16 | 2;
  assertEquals(tails.take(read, 1), 1);
  channel.words.store(clientOutboxWord + 2, 1);
  giveBack(2);
  writes.length = 0;
  assertEquals(upload.hasReturned(3), true);
  assertEquals(upload.put(3, unexpected), { returnedCount: 0, continuedCount: 1 });
  assertEquals([writes, upload.hasReturned(3)], [[], false]);
  channel.words.store(channel.layout.serverOutboxWord + 2, 0);
  assertEquals(upload.hasReturned(3), true);
  assertEquals(upload.put(3, unexpected), { returnedCount: 1, continuedCount: 0 });
  assertEquals(writes[0], { target: "mailboxes", byte: 8, words: [1] });
  upload.repairMailbox(2);
  const byte = (clientOutboxWord + 2) * 4;
  assertEquals(writes.at(-1), { target: "control", byte, words: [1] });
});
