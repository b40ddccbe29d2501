import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";
import { LEAVE_SLOTS } from "./leave_requests.ts";

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
