import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";
import { meddledChannel } from "../testing/fixtures/meddled_words.ts";
import { LEAVE_SLOTS, type LeaveRequests } from "./leave_requests.ts";

function requests() {
  return Channel.create({ portCount: 1, laneCount: 1 }).leaveRequests;
}

Deno.test("LeaveRequests: an answer in time, seen and settled, frees the slot", () => {
  const leaving = requests();
  const slot = leaving.ask(7);
  assertEquals([leaving.ask(7), leaving.isAsked(7), leaving.isAsked(8)], [slot, true, false]);
  assertEquals([leaving.stateOf(slot), leaving.answer(7), leaving.stateOf(slot)], [
    "asked",
    true,
    "left",
  ]);
  assertEquals([leaving.giveUp(slot, 7), leaving.isGivenUp(7)], [false, false]);
  leaving.settle(slot, 7);
  assertEquals([leaving.isAsked(7), leaving.answer(7)], [false, false]);
});

Deno.test("LeaveRequests: who answers too late learns it, and frees the slot itself", () => {
  const leaving = requests();
  const slot = leaving.ask(7);
  assertEquals([leaving.hasGivenUp(), leaving.giveUp(slot, 7), leaving.hasGivenUp()], [
    false,
    true,
    true,
  ]);
  assertEquals([leaving.isGivenUp(7), leaving.isAsked(7), leaving.answer(7)], [true, true, false]);
  assertEquals([leaving.isGivenUp(7), leaving.hasGivenUp()], [false, false]);
});

Deno.test("LeaveRequests.forget() frees the slot of one that was given up on, and no other", () => {
  const leaving = requests();
  const slot = leaving.ask(7);
  assertEquals([leaving.forget(7), leaving.forget(8)], [false, false]);
  leaving.giveUp(slot, 7);
  assertEquals([leaving.forget(7), leaving.isAsked(7)], [true, false]);
});

Deno.test("LeaveRequests.mayHaveRoom() until every slot is with one who never answered", () => {
  const leaving = requests();
  for (let id = 1; id <= LEAVE_SLOTS; id++) leaving.ask(id);
  for (let id = 1; id <= LEAVE_SLOTS; id++) {
    assertEquals([leaving.tryAsk(99), leaving.mayHaveRoom()], [undefined, true]);
    leaving.giveUp(id - 1, id);
  }
  assertEquals([leaving.tryAsk(99), leaving.mayHaveRoom()], [undefined, false]);
  leaving.answer(3);
  assertEquals([leaving.mayHaveRoom(), leaving.tryAsk(99)], [true, 2]);
});

Deno.test("LeaveRequests: there are so many slots and no more", () => {
  const leaving = requests();
  for (let id = 1; id <= LEAVE_SLOTS; id++) assertEquals(leaving.ask(id), id - 1);
  assertThrows(() => leaving.ask(99), RangeError, "Cannot ask 99 to leave");
  leaving.answer(5);
  leaving.settle(4, 6); // not its slot
  assertThrows(() => leaving.ask(99), RangeError);
  leaving.settle(4, 5);
  assertEquals(leaving.ask(99), 4);
});

type Step = (leaving: LeaveRequests, slot: number) => boolean;
const STEPS = {
  answer: (leaving) => leaving.answer(7),
  giveUp: (leaving, slot) => leaving.giveUp(slot, 7),
  settle: (leaving, slot) => leaving.settle(slot, 7),
  forget: (leaving) => leaving.forget(7),
} satisfies Record<string, Step>;

for (
  const [name, first, second, before] of [
    ["an answer and the end of the wait", "answer", "giveUp", undefined],
    ["the end of the wait and an answer", "giveUp", "answer", undefined],
    ["two who take notice of an answer", "settle", "settle", "answer"],
    ["two who know that it is dead", "forget", "forget", "giveUp"],
  ] as const
) {
  Deno.test(`LeaveRequests: of ${name} one comes first, at whatever moment they meet`, () => {
    for (let moment = 1; moment <= 4; moment++) {
      const { channel: { leaveRequests }, words, layout } = meddledChannel();
      const slot = leaveRequests.ask(7);
      if (before) STEPS[before](leaveRequests, slot);
      const outcomes: boolean[] = [];
      let lookCount = 0;
      words.afterLoad = (word) => {
        if (word !== layout.leaveWord + slot || ++lookCount !== moment) return;
        outcomes.push(STEPS[second](leaveRequests, slot));
      };
      outcomes.push(STEPS[first](leaveRequests, slot));
      const isMet = outcomes.length === 2;
      assertEquals(outcomes.filter((isFirst) => isFirst).length, 1, `${moment}, ${isMet}`);
    }
  });
}

Deno.test("LeaveRequests.ask() gives two who ask a slot each, at whatever moment they meet", () => {
  for (let moment = 1; moment <= 4; moment++) {
    const { channel: { leaveRequests }, words, layout } = meddledChannel();
    const others: number[] = [];
    let lookCount = 0;
    words.afterLoad = (word) => {
      if (word === layout.leaveWord && ++lookCount === moment) others.push(leaveRequests.ask(8));
    };
    const slot = leaveRequests.ask(7);
    assertEquals([others.includes(slot), leaveRequests.isAsked(7)], [false, true]);
    assertEquals(leaveRequests.isAsked(8), others.length > 0);
  }
});

Deno.test("LeaveRequests: what is done in a later slot touches no other", async () => {
  const { channel: { leaveRequests }, words, layout } = meddledChannel();
  const ids = [5, 6, 7, 8];
  const slots = ids.map((id) => leaveRequests.ask(id));
  const held = () => [0, 1, 2, 3].map((slot) => words.load(layout.leaveWord + slot));
  const [left, givenUp] = [1 << 30, 1 << 29];
  const waits: unknown[] = [];
  words.waitAsync = (...wait) => Promise.resolve(void waits.push(wait));
  await leaveRequests.awaitAnswer(2, 7, 9);
  assertEquals([slots, waits], [[0, 1, 2, 3], [[layout.leaveWord + 2, 7, 9]]]);
  assertEquals([leaveRequests.answer(7), leaveRequests.giveUp(1, 6)], [true, true]);
  assertEquals(held(), [5, 6 | givenUp, 7 | left, 8]);
  assertEquals(words.notified, [layout.leaveWord + 2]);
  assertEquals(slots.map((slot) => leaveRequests.stateOf(slot)), [
    "asked",
    "given up",
    "left",
    "asked",
  ]);
  assertEquals(ids.map((id) => leaveRequests.hasLeft(id)), [false, false, false, false]);
  assertEquals([leaveRequests.settle(2, 7), leaveRequests.settle(3, 8)], [true, false]);
  assertEquals([leaveRequests.forget(6), leaveRequests.forget(8)], [true, false]);
  assertEquals(held(), [5, 0, 0, 8]);
  assertEquals(ids.map((id) => leaveRequests.hasLeft(id)), [false, true, true, false]);
  assertEquals([leaveRequests.noteEnded(7), leaveRequests.noteEnded(8)], [false, true]);
});

Deno.test("LeaveRequests: an answer wakes who waits for it, in time or not, and 0 is nobody's id", async () => {
  const { channel: { leaveRequests }, words, layout } = meddledChannel();
  const slot = leaveRequests.ask(7);
  const waited = leaveRequests.awaitAnswer(slot, 7, 60_000);
  assertEquals(leaveRequests.answer(7), true);
  await waited;
  leaveRequests.settle(slot, 7);
  leaveRequests.giveUp(leaveRequests.ask(9), 9);
  assertEquals(leaveRequests.answer(9), false);
  assertEquals(words.notified, [layout.leaveWord + slot, layout.leaveWord]);
  assertEquals([leaveRequests.isAsked(0), leaveRequests.isGivenUp(0)], [false, false]);
  assertEquals([leaveRequests.answer(0), leaveRequests.forget(0)], [false, false]);
});

Deno.test("LeaveRequests finds a request in the last slot, too", () => {
  const leaving = requests();
  for (let id = 1; id <= LEAVE_SLOTS; id++) leaving.ask(id);
  assertEquals([leaving.isAsked(LEAVE_SLOTS), leaving.hasGivenUp()], [true, false]);
  leaving.giveUp(LEAVE_SLOTS - 1, LEAVE_SLOTS);
  assertEquals([leaving.isGivenUp(LEAVE_SLOTS), leaving.hasGivenUp()], [true, true]);
});
