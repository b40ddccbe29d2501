/** What the explorer finds beside wrong values: runs without an end, deaths, clocks, boundaries. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { exploreAll } from "./explorer.ts";
import type { Model, Program } from "./model.ts";
import type { ScheduledWords } from "./scheduled_words.ts";

const LIMIT = { stateCountMax: 10_000, mustEnd: true };
const TIME = 3;

/** A model of four words without rules, but for what is given. */
function modelOf(programs: readonly Program[], parts: Partial<Model> = {}): Model {
  return {
    initialMemory: new Int32Array(4),
    stateWords: [0, 1, 2, 3],
    programs,
    rulesOf: () => ({ objection: () => undefined, isSettled: () => false, isPrivate: () => false }),
    faultAtEnd: () => undefined,
    ...parts,
  };
}

function polls(words: ScheduledWords): void {
  words.boundary("polls");
  while (words.load(0) === 0) words.boundary("polls");
}

Deno.test("exploreAll() passes a loop that another thread ends, and finds one that nobody ends", () => {
  const ends: Program = (words) => words.store(0, 1);
  assertEquals(exploreAll(modelOf([polls, ends]), LIMIT).violation, undefined);
  const endless = exploreAll(modelOf([polls]), LIMIT);
  assertEquals(endless.violation, "It can go on for ever");
  assertEquals(exploreAll(modelOf([polls]), { ...LIMIT, mustEnd: false }).violation, undefined);
});

Deno.test("exploreAll() finds two threads that give way to each other for ever", () => {
  const givesWay = (own: number): Program => (words) => {
    for (;;) {
      words.boundary("wants");
      words.store(own, 1);
      if (words.load(1 - own) === 0) return;
      words.boundary("gives way");
      words.store(own, 0);
    }
  };
  assertStringIncludes(
    exploreAll(modelOf([givesWay(0), givesWay(1)]), LIMIT).violation ?? "",
    "It can go on for ever",
  );
});

Deno.test("exploreAll() ends a thread at each of its steps", () => {
  const mortal: Program = (words) => {
    words.add(0, 1);
    words.add(0, 1);
  };
  const killer: Program = (words) => {
    words.end(0);
    words.store(1, words.load(0) + 1);
  };
  const { ends, violation } = exploreAll(modelOf([mortal, killer], { mortals: [0] }), LIMIT);
  assertEquals(violation, undefined);
  assertEquals([...ends].sort(), ["0,1,0,0", "1,2,0,0", "2,3,0,0"]);
});

Deno.test("exploreAll() ends a sleep by the clock, and no sleep without a limit", () => {
  const clock: Program = (words) => void words.add(TIME, 1);
  const sleeps = (seconds: number): Program => (words) => words.wait(0, 0, seconds * 1000);
  const explore = (seconds: number) =>
    exploreAll(modelOf([sleeps(seconds), clock], { timeWord: TIME }), LIMIT).violation ?? "";
  assertEquals(explore(1), "");
  assertStringIncludes(explore(2), "Deadlock: wait 0 0 to 2 s");
  assertStringIncludes(explore(Infinity), "Deadlock: wait 0 0");
});

Deno.test("exploreAll() finds a boundary that leaves something out", () => {
  const writes: Program = (words) => words.store(0, 1);
  const forgets = (remembers: boolean): Program => (words) => {
    const seen = words.load(0);
    if (remembers) words.remember("seen", seen);
    words.boundary("seen");
    words.load(1);
    words.store(2, seen);
  };
  const explore = (remembers: boolean) => {
    const options = { ...LIMIT, checksBoundaries: true };
    return exploreAll(modelOf([forgets(remembers), writes]), options).violation;
  };
  assertEquals(explore(true), undefined);
  assertStringIncludes(explore(false) ?? "", 'After "seen" comes store 2');
});
