import { assertEquals } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { deviceLayout, devicePlaces, PARAMS_WORDS } from "../../wgsl/layout_constants.ts";
import { ChannelUpload } from "./channel_upload.ts";
import { StreamTails } from "./stream_tails.ts";

/** A queue that only remembers what was written: these rules need no GPU. */
function setUp(portCount: number, mailboxWidth: "word" | "beside" = "word") {
  const writes: { target: string; byte: number; words: number[] }[] = [];
  const queue = {
    writeBuffer(target: string, byte: number, ...source: [Int32Array, number, number]) {
      const [words, word = 0, count = words.length] = source;
      writes.push({ target, byte, words: [...words.subarray(word, word + count)] });
    },
  } as unknown as GPUQueue;
  const channel = Channel.create({ portCount, laneCount: 1, mailboxWidth });
  const [buffer, params] = ["buffer", "params"] as unknown as [GPUBuffer, GPUBuffer];
  const tails = new StreamTails(channel);
  const upload = new ChannelUpload(channel, { queue, buffer, params }, tails);
  const { serverOutboxWord, mailboxStride } = channel.layout;
  const giveBack = (index: number) =>
    channel.words.store(serverOutboxWord + index * mailboxStride, 1);
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
  for (const mailboxWidth of ["word", "beside"] as const) {
    const { channel, writes, told } = setUp(5, mailboxWidth);
    const { clientOutboxWord, payloadWord } = devicePlaces(channel.layout);
    const { packetsWord, headersWord } = deviceLayout(channel.layout);
    assertEquals(writes.map(({ target, byte, words }) => [target, byte, words.length]), [
      ["buffer", clientOutboxWord * 4, 5],
      ["buffer", payloadWord * 4, 5 * HEADER_WORDS],
      ["buffer", (payloadWord + packetsWord - headersWord) * 4, 5 * 16],
    ]);
    assertEquals(told(), [0, 0], "all ports, of a new channel");
  }
});

Deno.test("ChannelUpload.put() brings what the server has given back, once", () => {
  for (const mailboxWidth of ["word", "beside"] as const) checkPut(mailboxWidth);
});

function checkPut(mailboxWidth: "word" | "beside"): void {
  const { channel, upload, writes, giveBack, told } = setUp(8, mailboxWidth);
  const { packetsWord, headersWord, packetWords } = deviceLayout(channel.layout);
  for (const index of [1, 2]) {
    channel.words.plain.fill(index, ...packetOf(channel, index));
  }
  told();
  for (const index of [1, 2]) giveBack(index);
  assertEquals([upload.hasReturned(1), upload.hasReturned(2)], [false, true]);
  assertEquals(upload.put(3, unexpected).returnedCount, 2);
  const word = devicePlaces(channel.layout).payloadWord + packetsWord - headersWord + packetWords;
  const packets = [1, 2].flatMap((index) => new Array<number>(packetWords).fill(index));
  assertEquals(writes.map(({ byte, words }) => [byte, words]), [[word * 4, packets]]);
  assertEquals(told(), [0x010100]);
  assertEquals([upload.hasReturned(3), upload.put(3, unexpected).returnedCount], [false, 0]);
  assertEquals(writes, []);
  assertEquals(told(), [], "the device knows");
}

/** The first word of a port's packet, and the one behind it. */
function packetOf({ layout }: Channel, index: number): [number, number] {
  const word = layout.packetsWord + index * layout.packetStride;
  return [word, word + layout.packetWords];
}

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
