import { assertEquals, assertThrows } from "@std/assert";
import { Client } from "../toggle/client/client.ts";
import { Server } from "../toggle/server/server.ts";
import { MappedChannel } from "./mapped_channel.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

const SHAPE = { portCount: 2, laneCount: 1 };

onLinux(
  "MappedChannel is one channel for both, also without naps where each tells of its changes",
  async () => {
    using serving = MappedChannel.create(SHAPE);
    const calling = MappedChannel.open(serving.path, SHAPE);
    calling[Symbol.dispose](); // the memory stays
    const naps = { firstMilliseconds: 60_000, longestMilliseconds: 60_000 };
    serving.words.naps = calling.words.naps = naps;
    serving.words.onNotify = () => queueMicrotask(() => calling.words.wakeSleepers());
    calling.words.onNotify = () => queueMicrotask(() => serving.words.wakeSleepers());
    const server = new Server(serving.channel);
    server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
    const served = server.runAsync();
    let sum = 0;
    await new Client(calling.channel).callAsync(40_000, {
      fill: (packet) => packet.setUint32(0, 0, 41),
      use: (packet) => void (sum = packet.getUint32(0, 0)),
    });
    serving.channel.shutDown();
    await served;
    assertEquals(sum, 42);
  },
);

onLinux(
  "MappedChannel.open() takes no channel of another shape, and nothing that is no channel",
  () => {
    using made = MappedChannel.create(SHAPE);
    const more = { portCount: 3, laneCount: 1 };
    assertThrows(() => MappedChannel.open(made.path, more), Error);
    assertThrows(() => MappedChannel.open("/proc/self/exe", SHAPE), Error);
  },
);
