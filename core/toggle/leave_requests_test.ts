import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";
import { LEAVE_SLOTS } from "./leave_requests.ts";

function skip(): void {}

function requests() {
  return Channel.create({ portCount: 1, laneCount: 1 }).leaveRequests;
}

Deno.test("LeaveRequests: an answer in time, seen and settled, frees the slot", () => {
  const leaving = requests();
  const slot = leaving.ask(7);
  assertEquals([leaving.ask(7), leaving.isAsked(7), leaving.isAsked(8)], [slot, true, false]);
  assertEquals([leaving.stateOf(slot), leaving.answer(7, skip), leaving.stateOf(slot)], [
    "asked",
    true,
    "left",
  ]);
  assertEquals([leaving.giveUp(slot, 7), leaving.isGivenUp(7)], [false, false]);
  leaving.settle(slot);
  assertEquals([leaving.isAsked(7), leaving.answer(7, skip)], [false, false]);
});

Deno.test("LeaveRequests: who answers too late learns it, and frees the slot itself", () => {
  const leaving = requests();
  const slot = leaving.ask(7);
  assertEquals([leaving.hasGivenUp(), leaving.giveUp(slot, 7), leaving.hasGivenUp()], [
    false,
    true,
    true,
  ]);
  assertEquals([leaving.isGivenUp(7), leaving.isAsked(7), leaving.answer(7, skip)], [
    true,
    true,
    false,
  ]);
  assertEquals([leaving.isGivenUp(7), leaving.hasGivenUp()], [false, false]);
});

Deno.test("LeaveRequests: there are so many slots and no more", () => {
  const leaving = requests();
  for (let id = 1; id <= LEAVE_SLOTS; id++) assertEquals(leaving.ask(id), id - 1);
  assertThrows(() => leaving.ask(99), RangeError, "Cannot ask 99 to leave");
  leaving.answer(5, skip);
  leaving.settle(4);
  assertEquals(leaving.ask(99), 4);
});

Deno.test("LeaveRequests: who leaves has done everything before anybody may end its thread", () => {
  const leaving = requests();
  const slot = leaving.ask(7);
  const seen: unknown[] = [];
  leaving.answer(7, () => seen.push(leaving.stateOf(slot), leaving.giveUp(slot, 7)));
  assertEquals([...seen, leaving.stateOf(slot)], ["asked", false, "left"]);
});

Deno.test("LeaveRequests: who was given up on was counted out by others", () => {
  const leaving = requests();
  leaving.giveUp(leaving.ask(7), 7);
  let countedOut = false;
  leaving.answer(7, () => countedOut = true);
  assertEquals(countedOut, false);
});
