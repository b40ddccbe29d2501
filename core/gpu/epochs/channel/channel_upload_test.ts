import { assertEquals } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { devicePlaces, PARAMS_WORDS } from "../../wgsl/layout_constants.ts";
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
  const [buffer, params] = ["buffer", "params"] as unknown as [GPUBuffer, GPUBuffer];
  const tails = new StreamTails(channel);
  const upload = new ChannelUpload(channel, { queue, buffer, params }, tails);
  const giveBack = (index: number) =>
    channel.words.store(channel.layout.serverOutboxWord + index, 1);
  /** What the next parameters tell of ports, four to a word. */
  const told = () => {
    writes.length = 0;
    upload.writeParams([1, 2, 3]);
    assertEquals(writes.map(({ target, byte }) => [target, byte]), [["params", 0]]);
    const { words } = writes.pop()!;
    assertEquals(words.slice(0, PARAMS_WORDS), [1, 2, 3, 0, 0, 0, 0, 0]);
    return words.slice(PARAMS_WORDS);
  };
  return { channel, upload, tails, writes, giveBack, told };
}

function unexpected(index: number): never {
  throw new Error(`port ${index} was not refused`);
}

Deno.test("ChannelUpload begins with the whole channel but its locks", () => {
  const { channel, writes, told } = setUp(5);
  const { clientOutboxWord, payloadWord, totalWords } = devicePlaces(channel.layout);
  assertEquals(writes.map(({ target, byte, words }) => [target, byte, words.length]), [
    ["buffer", clientOutboxWord * 4, 5],
    ["buffer", payloadWord * 4, totalWords - payloadWord],
  ]);
  assertEquals(told(), [0, 0], "all ports, of a new channel");
});

Deno.test("ChannelUpload.put() brings what the server has given back, once", () => {
  const { channel, upload, writes, giveBack, told } = setUp(8);
  const { layout: { packetsWord, headersWord, packetWords } } = channel;
  told();
  for (const index of [1, 2]) giveBack(index);
  assertEquals([upload.hasReturned(1), upload.hasReturned(2)], [false, true]);
  assertEquals(upload.put(3, unexpected).returnedCount, 2);
  const word = devicePlaces(channel.layout).payloadWord + packetsWord - headersWord + packetWords;
  assertEquals(writes.map(({ byte, words }) => [byte, words.length]), [[
    word * 4,
    2 * packetWords,
  ]]);
  assertEquals(told(), [0x010100]);
  assertEquals([upload.hasReturned(3), upload.put(3, unexpected).returnedCount], [false, 0]);
  assertEquals(writes, []);
  assertEquals(told(), [], "the device knows");
});

Deno.test("ChannelUpload.put() tells the device how a call was refused", () => {
  const { channel, upload, giveBack, told } = setUp(2);
  const { headersWord } = channel.layout;
  channel.words.plain[headersWord + 3] = 5;
  channel.words.plain[headersWord + HEADER_WORDS + 3] = 128; // no status, as a kernel may write
  for (const index of [0, 1]) giveBack(index);
  const refused: number[] = [];
  upload.put(2, (index) => refused.push(index));
  assertEquals(refused, [0, 1]);
  assertEquals(told(), [0xff0b]);
});

Deno.test("ChannelUpload.put() joins many ranges into one", () => {
  const { upload, writes, giveBack } = setUp(32);
  writes.length = 0;
  for (let index = 0; index < 32; index += 3) giveBack(index);
  assertEquals(upload.put(32, unexpected).returnedCount, 11);
  assertEquals(writes.length, 1);
});

Deno.test("ChannelUpload.repairMailbox() writes the host's value", () => {
  const { channel, upload, writes } = setUp(4);
  writes.length = 0;
  upload.repairMailbox(3);
  const byte = (devicePlaces(channel.layout).clientOutboxWord + 3) * 4;
  assertEquals(writes, [{ target: "buffer", byte, words: [0] }]);
});

Deno.test("ChannelUpload.put() sends what follows in a stream, and brings the answer to all of it", () => {
  const { channel, upload, tails, writes, giveBack, told } = setUp(4);
  const { clientOutboxWord, packetWords } = channel.layout;
  told();
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
  assertEquals(told(), [1 << 16]);
  upload.repairMailbox(2);
  const byte = (devicePlaces(channel.layout).clientOutboxWord + 2) * 4;
  assertEquals(writes, [{ target: "buffer", byte, words: [1] }]);
});
