import { assert } from "@std/assert";
import { AlikeThreads } from "./alike_threads.ts";
import { Machine } from "../explorer/machine.ts";
import type { Model } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { StateTable } from "../explorer/state_table.ts";

const LOCK = 0;
const DATA = 1;
const IDS = 2;

/** Takes the lock, when it is free, for an access of the plain word. */
function program(words: ScheduledWords): void {
  const ownerId = words.setUp(() => words.add(IDS, 1)) + 1;
  words.boundary("start");
  if (words.compareExchange(LOCK, 0, ownerId) !== 0) return;
  words.boundary("locked");
  words.plain[DATA] = 1;
  words.boundary("written");
  words.store(LOCK, 0);
}

const symmetry = { threads: [1, 2, 3], ownerWords: [LOCK] };
const model: Model = {
  initialMemory: new Int32Array(3),
  stateWords: [LOCK, DATA, IDS],
  programs: [(words) => void words.setUp(() => words.add(IDS, 1)), program, program, program],
  rulesOf: () => ({ objection: () => undefined, isSettled: () => false, isPrivate: () => false }),
  orderingOf: () => ({
    placeCount: 1,
    atomicWords: [LOCK],
    placeOf: (word) => word === DATA ? 0 : undefined,
    isPlain: (word) => word === DATA,
    mayBeStale: () => false,
  }),
  symmetry,
  faultAtEnd: () => undefined,
};

function allStates(machine: Machine): Int32Array[] {
  const table = new StateTable(machine.stateLength);
  const states: Int32Array[] = [];
  const keep = () => {
    const state = new Int32Array(machine.stateLength);
    machine.save(state);
    if (table.add(state)) states.push(state);
  };
  machine.start();
  keep();
  for (const state of states) {
    machine.load(state);
    for (const thread of machine.readyThreads()) {
      machine.load(state);
      machine.step(thread);
      keep();
    }
  }
  return states;
}

Deno.test("AlikeThreads brings each state into the form of a state that can be reached, too", () => {
  const machine = new Machine(model, { isStepwise: true });
  const alike = new AlikeThreads(model, { symmetry, order: machine.order });
  const states = allStates(machine);
  const known = new Set(states.map(String));
  const forms = new Set<string>();
  for (const state of states) {
    const form = state.slice();
    alike.toCanonical(form);
    assert(known.has(String(form)), `${state} became ${form}`);
    forms.add(String(form));
    alike.toCanonical(form);
    assert(forms.has(String(form)), "the form of a form is itself");
  }
  assert(forms.size < states.length / 2, `${forms.size} forms of ${states.length} states`);
});
