import { assertEquals } from "@std/assert";
import { COMMAND_RING } from "../command_ring/command_ring.ts";
import { FOUR_PHASE } from "../four_phase/four_phase.ts";
import { GWHT } from "../gwht/gwht.ts";
import { PACKET_STACKS } from "../packet_stacks/packet_stacks.ts";
import { ControlWord } from "./packet_channel.ts";

const SHAPE = { packetCount: 3, laneCount: 2 };

Deno.test("PacketChannel.wake() clears the mark of a sleeper, stop() those of all", () => {
  const channel = FOUR_PHASE.create(SHAPE);
  const { words, layout: { parkedWord, controlWord } } = channel;
  const marks = () => [0, 1, 2].map((index) => words.load(parkedWord + index));
  for (const index of [0, 1, 2]) words.store(parkedWord + index, 1);
  channel.wake(1);
  assertEquals(marks(), [1, 0, 1]);
  channel.stop();
  assertEquals(marks(), [0, 0, 0]);
  assertEquals(words.load(controlWord + ControlWord.state), 1);
});

const PROTOCOLS = { FOUR_PHASE, GWHT, COMMAND_RING, PACKET_STACKS };
for (const [name, protocol] of Object.entries(PROTOCOLS)) {
  Deno.test(`${name}.stop() wakes all who sleep, whatever was written over their marks`, () => {
    const channel = protocol.create({ ...SHAPE, slotCount: 3, cellCount: 3 });
    const { words, layout } = channel;
    const woken: number[] = [];
    words.notify = (word) => void woken.push(word);
    channel.stop();
    const bells = [ControlWord.workBell, ControlWord.freeBell].map((bell) =>
      layout.controlWord + bell
    );
    const parked = [0, 1, 2].map((index) => layout.parkedWord + index);
    assertEquals(woken.toSorted(), [...bells, ...parked].toSorted());
  });
}
