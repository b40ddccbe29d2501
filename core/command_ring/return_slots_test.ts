import { assertEquals } from "@std/assert";
import { Status } from "../memory/status.ts";
import { COMMAND_RING } from "./command_ring.ts";
import { ReturnSlots, SlotState } from "./return_slots.ts";

function begin(slotCount: number) {
  const channel = COMMAND_RING.create({ slotCount, cellCount: 1 });
  const { words, layout: { slotStateWord } } = channel;
  const slots = new ReturnSlots(channel, "spin");
  const state = (slot: number) => words.load(slotStateWord + slot);
  return { channel, slots, state };
}

Deno.test("ReturnSlots: any number of them, each taken once", () => {
  for (const count of [1, 65, 4096]) {
    const { slots } = begin(count);
    const taken = Array.from({ length: count }, () => slots.tryAcquire());
    assertEquals(new Set(taken).size, count);
    assertEquals([slots.tryAcquire(), taken.includes(undefined)], [undefined, false]);
    slots.release(taken[count >> 1]!);
    assertEquals(slots.tryAcquire(), taken[count >> 1]);
  }
});

Deno.test("ReturnSlots: a result of 64 bits comes back, 0 and negative ones too", () => {
  const { slots, state } = begin(1);
  for (const value of [0n, -1n, 2n ** 63n, 0x1234_5678_9abc_def0n]) {
    const slot = slots.tryAcquire()!;
    assertEquals([state(slot), slots.isAnswered(slot)], [SlotState.pending, false]);
    assertEquals(slots.answer(slot, { status: Status.ok, result: value }), true);
    assertEquals([state(slot), slots.isAnswered(slot)], [SlotState.done, true]);
    assertEquals(slots.resultOf({ index: slot }), BigInt.asUintN(64, value));
    slots.release(slot);
  }
});

Deno.test("ReturnSlots: whoever comes last frees a slot that was left", () => {
  const { slots, state } = begin(1);
  for (const isAnsweredFirst of [true, false]) {
    const slot = slots.tryAcquire()!;
    const answer = () => slots.answer(slot, { status: Status.ok, result: 1n });
    if (isAnsweredFirst) answer();
    slots.leave(slot);
    if (!isAnsweredFirst) answer();
    assertEquals(state(slot), SlotState.free);
  }
});

Deno.test("ReturnSlots.answer() writes only to slots that wait for a result", () => {
  const { slots } = begin(2);
  const outcome = { status: Status.ok, result: 7n };
  for (const slot of [0, 1, 2, -1, -2, 1 << 30, 0.5]) {
    assertEquals(slots.answer(slot, outcome), false, `${slot}`);
  }
  assertEquals([0, 1].map((index) => slots.resultOf({ index })), [0n, 0n]);
});

Deno.test("ReturnSlots.leave() frees a slot that is answered while it is left", () => {
  const { channel: { words }, slots, state } = begin(1);
  const slot = slots.tryAcquire()!;
  const { load, compareExchange } = words;
  // Behind the first look at the slot, or at the latest before it is changed.
  const answerOnce = () => {
    Object.assign(words, { load, compareExchange });
    slots.answer(slot, { status: Status.ok, result: 1n });
  };
  words.load = (word) => {
    const value = load.call(words, word);
    answerOnce();
    return value;
  };
  words.compareExchange = (word, expected, next) => {
    answerOnce();
    return words.compareExchange(word, expected, next);
  };
  slots.leave(slot);
  assertEquals([state(slot), slots.tryAcquire()], [SlotState.free, slot]);
});
