import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { HEADER_WORDS } from "../../toggle/layout.ts";
import type { GpuDevice } from "../device/device.ts";
import { DeviceChannel, type MailboxFault } from "./device_channel.ts";
import { REPORT_WORDS } from "../wgsl/layout_constants.ts";

/** A device that only remembers what was written to it: these rules need no GPU. */
function recorder() {
  const writes: { label: string; byte: number; words: number[] }[] = [];
  const big = 2 ** 30;
  const device = {
    limits: { maxBufferSize: big, maxStorageBufferBindingSize: big },
    createBuffer: ({ label }: GPUBufferDescriptor) => ({ label, destroy: () => {} }),
    queue: {
      writeBuffer(
        target: GPUBuffer,
        byte: number,
        source: Int32Array,
        word: number,
        count: number,
      ) {
        writes.push({ label: target.label, byte, words: [...source.subarray(word, word + count)] });
      },
    },
  };
  const gpu = { device, adapterName: "", isSoftware: true, lostReason: undefined };
  return { gpu: gpu as unknown as GpuDevice, writes };
}

function setUp(portCount: number) {
  const { gpu, writes } = recorder();
  const channel = Channel.create({ portCount, laneCount: 1 });
  const deviceChannel = new DeviceChannel(gpu, channel);
  writes.length = 0;
  const words = new Int32Array(deviceChannel.outBytes(portCount) / 4);
  const faults: MailboxFault[] = [];
  const take = () => deviceChannel.take(words, portCount, (fault) => faults.push(fault));
  return { channel, deviceChannel, writes, words, faults, take };
}

Deno.test("DeviceChannel.take() brings header, packet and mailbox of what was sent", () => {
  const { channel, words, take } = setUp(4);
  const { clientOutboxWord, headersWord, packetsWord, packetWords } = channel.layout;
  words[REPORT_WORDS + 2] = 1;
  words[REPORT_WORDS + 4 + 2 * HEADER_WORDS + 2] = 77;
  words[REPORT_WORDS + 4 + 4 * HEADER_WORDS + 2 * packetWords] = 99;
  assertEquals(take(), 1);
  assertEquals(channel.words.load(clientOutboxWord + 2), 1);
  assertEquals(channel.words.plain[headersWord + 2 * HEADER_WORDS + 2], 77);
  assertEquals(channel.words.plain[packetsWord + 2 * packetWords], 99);
  assertEquals(take(), 0, "nothing was sent since");
});

Deno.test("DeviceChannel.take() reports and repairs what no client could write", () => {
  const { channel, deviceChannel, words, take, faults, writes } = setUp(4);
  const { clientOutboxWord, serverOutboxWord } = channel.layout;
  channel.words.store(serverOutboxWord + 1, 1); // the server owns port 1: nothing may come from it
  words[REPORT_WORDS + 1] = 1;
  words[REPORT_WORDS + 3] = -7;
  assertEquals(take(), 0);
  assertEquals(faults.map(({ portIndex, value }) => [portIndex, value]), [[1, 1], [3, -7]]);
  assertEquals(channel.words.load(clientOutboxWord + 3), 0);
  deviceChannel.put();
  assertEquals(
    writes,
    [1, 3].map((index) => ({
      label: "channel",
      byte: (clientOutboxWord + index) * 4,
      words: [0],
    })),
  );
});

Deno.test("DeviceChannel.put() brings back what the server has given, once", () => {
  const { channel, deviceChannel, words, take, writes } = setUp(4);
  const { serverOutboxWord, packetWords } = channel.layout;
  for (const index of [1, 2]) words[REPORT_WORDS + index] = 1;
  take();
  for (const index of [1, 2]) channel.words.store(serverOutboxWord + index, 1);
  assertEquals(deviceChannel.put(), 2);
  assertEquals(writes.map(({ label, words }) => [label, words.length]), [
    ["channel", 2],
    ["payload", 2 * packetWords],
  ]);
  writes.length = 0;
  assertEquals(deviceChannel.put(), 0);
  assertEquals(writes, []);
});

Deno.test("DeviceChannel.put() brings headers only when a call was refused", () => {
  const { channel, deviceChannel, words, take, writes } = setUp(2);
  const { serverOutboxWord, headersWord } = channel.layout;
  words[REPORT_WORDS] = 1;
  take();
  channel.words.plain[headersWord + 3] = 1;
  channel.words.store(serverOutboxWord, 1);
  deviceChannel.put();
  assertEquals(writes.map(({ words }) => words.length), [1, 16, HEADER_WORDS]);
});

Deno.test("DeviceChannel.put() joins many stretches into one", () => {
  const { channel, deviceChannel, words, take, writes } = setUp(32);
  const { serverOutboxWord } = channel.layout;
  for (let index = 0; index < 32; index += 3) words[REPORT_WORDS + index] = 1;
  take();
  for (let index = 0; index < 32; index += 3) channel.words.store(serverOutboxWord + index, 1);
  deviceChannel.put();
  assertEquals(writes.length, 2);
});

Deno.test("DeviceChannel is a channel's only client, until it is destroyed", () => {
  const { gpu } = recorder();
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const first = new DeviceChannel(gpu, channel);
  assertThrows(() => new DeviceChannel(gpu, channel), TypeError, "holds its port 0");
  first.destroy();
  new DeviceChannel(gpu, channel).destroy();
});
