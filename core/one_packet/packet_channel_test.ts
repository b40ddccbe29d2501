import { assertEquals, assertThrows } from "@std/assert";
import { Channel as RingChannel } from "../command_ring/channel.ts";
import { Channel } from "../four_phase/channel.ts";
import { Channel as GwhtChannel } from "../gwht/channel.ts";
import { Channel as StacksChannel } from "../packet_stacks/channel.ts";
import {
  ControlWord,
  type PacketChannel,
  type PacketHandle,
  type PacketMemory,
} from "./packet_channel.ts";

const SHAPE = { packetCount: 3, laneCount: 2 };

Deno.test("PacketChannel: a handle leads to the same memory", () => {
  const channel = Channel.create(SHAPE);
  const other = Channel.attach(structuredClone(channel.handle));
  assertEquals(other.layout, channel.layout);
  channel.stop();
  assertEquals(other.isStopped, true);
});

Deno.test("PacketChannel: the control region begins with the version and the shape", () => {
  const { words, layout: { controlWord } } = Channel.create(SHAPE);
  assertEquals([1, 2, 3].map((word) => words.load(controlWord + word)), [1, 3, 2]);
});

Deno.test("PacketChannel.attach() refuses what is no handle, or does not fit its memory", () => {
  const { handle } = Channel.create(SHAPE);
  const wrong: readonly PacketHandle[] = [
    { ...handle, kind: "portlab.channel" },
    { ...handle, packetCount: 4 },
    { ...handle, laneCount: 1 },
    { ...handle, buffer: new ArrayBuffer(8) as unknown as SharedArrayBuffer },
    { ...handle, buffer: new SharedArrayBuffer(handle.buffer.byteLength) },
  ];
  for (const one of wrong) assertThrows(() => Channel.attach(one), TypeError, "Cannot attach");
  assertThrows(() => Channel.attach({ ...handle, laneCount: 0 }), RangeError, "laneCount");
});

const PROTOCOLS = { Channel, GwhtChannel, RingChannel, StacksChannel };
for (const [name, protocol] of Object.entries(PROTOCOLS)) {
  Deno.test(`${name}.attach() says of what is no handle which one it must be`, () => {
    for (const one of [null, undefined, 5, {}, { kind: "portlab.channel" }, { kind: Symbol() }]) {
      const attach = () => protocol.attach(one as never);
      assertThrows(attach, TypeError, "Cannot attach to a channel as the handle must be one of");
    }
  });
}

Deno.test("PacketChannel.wake() clears the mark of a sleeper, stop() those of all", () => {
  const channel = Channel.create(SHAPE);
  const { words, layout: { parkedWord, controlWord } } = channel;
  const marks = () => [0, 1, 2].map((index) => words.load(parkedWord + index));
  for (const index of [0, 1, 2]) words.store(parkedWord + index, 1);
  channel.wake(1);
  assertEquals(marks(), [1, 0, 1]);
  channel.stop();
  assertEquals(marks(), [0, 0, 0]);
  assertEquals(words.load(controlWord + ControlWord.state), 1);
});

for (const [name, protocol] of Object.entries(PROTOCOLS)) {
  Deno.test(`${name}.stop() wakes all who sleep, whatever was written over their marks`, () => {
    const create = protocol.create as (shape: object) => PacketChannel<PacketMemory>;
    const channel = create({ ...SHAPE, slotCount: 3, cellCount: 3 });
    const { words, layout } = channel;
    const woken: number[] = [];
    words.notify = (word) => void woken.push(word);
    channel.stop();
    const bells = [ControlWord.workBell, ControlWord.freeBell].map((bell) =>
      layout.controlWord + bell
    );
    const parked = [0, 1, 2].map((index) => layout.parkedWord + index);
    const answerBells = "answerWord" in layout ? [layout.answerWord as number + 1] : [];
    assertEquals(woken.toSorted(), [...bells, ...parked, ...answerBells].toSorted());
  });
}
