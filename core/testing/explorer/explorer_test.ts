import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { exploreAll, exploreRandom } from "./explorer.ts";
import type { MemoryRules, Model, Program } from "./model.ts";
import type { ScheduledWords } from "./scheduled_words.ts";

const LIMIT = { stateCountMax: 10_000 };
const NO_RULES: MemoryRules = {
  objection: () => undefined,
  isSettled: () => false,
  isPrivate: () => false,
};

/** A model of four words without rules, but for what is given. */
function modelOf(programs: readonly Program[], parts: Partial<Model> = {}): Model {
  return {
    initialMemory: new Int32Array(4),
    stateWords: [0, 1, 2, 3],
    programs,
    rulesOf: () => NO_RULES,
    faultAtEnd: () => undefined,
    ...parts,
  };
}

function addTwice(words: ScheduledWords): void {
  words.add(0, 1);
  words.add(0, 1);
}

function addUnguarded(words: ScheduledWords): void {
  words.store(0, words.load(0) + 1);
}

function isSum(sum: number) {
  return (memory: Int32Array) => memory[0] === sum ? undefined : `The sum is ${memory[0]}`;
}

Deno.test("exploreAll() visits each state once, and sees each result", () => {
  const stores = (word: number): Program => (words) => {
    words.store(word, 1);
    words.store(word, 2);
  };
  const apart = exploreAll(modelOf([stores(0), stores(1), stores(2)]), LIMIT);
  assertEquals([apart.stateCount, apart.localStepCount], [3 ** 3, 3 * 2]);
  const model = modelOf([addTwice, addTwice], { faultAtEnd: isSum(4) });
  const { stateCount, localStepCount, ends, violation } = exploreAll(model, LIMIT);
  // By hand: 1 + 1 + 1, 1 + 2 + 3, 1 + 3 + 1 states; a thread sees 0 to 2 first, then more, up to 3.
  assertEquals([stateCount, localStepCount], [14, 2 * (3 + 3 + 2 + 1)]);
  assertEquals([[...ends], violation], [["4,0,0,0"], undefined]);
});

Deno.test("exploreAll() finds a lost update, by a shortest schedule", () => {
  const two = modelOf([addUnguarded, addUnguarded], { faultAtEnd: isSum(2) });
  assertEquals(
    exploreAll(two, LIMIT).violation,
    "The sum is 1\n0: load 0\n1: load 0\n0: store 0 1\n1: store 0 1",
  );
});

Deno.test("exploreAll() finds a deadlock, and what each thread waits for", () => {
  const take = (words: ScheduledWords, word: number) => {
    const outcome = (memory: Int32Array) => Number(memory[word] === 0);
    words.until({ text: `${word} is free`, words: [word], outcome });
    words.store(word, 1);
  };
  const program = (first: number, second: number): Program => (words) => {
    take(words, first);
    take(words, second);
    words.store(second, 0);
    words.store(first, 0);
  };
  const { violation = "" } = exploreAll(modelOf([program(0, 1), program(1, 0)]), LIMIT);
  assertStringIncludes(violation, "Deadlock: until 0 is free; until 1 is free\n");
});

Deno.test("exploreAll() finds a lost wake, and none where the sleeper compares", () => {
  const waker: Program = (words) => {
    words.store(0, 1);
    words.notify(0);
  };
  const looksOnce: Program = (words) => {
    if (words.load(0) === 0) words.wait(1, 0);
  };
  const compares: Program = (words) => words.wait(0, 0);
  const lost = exploreAll(modelOf([waker, looksOnce]), LIMIT);
  assertStringIncludes(lost.violation ?? "", "Deadlock: wait 1 0");
  assertEquals(exploreAll(modelOf([waker, compares]), LIMIT).violation, undefined);
  const onAnotherWord: Program = (words) => {
    words.wait(2, 0);
    words.violate("woken by a notify of another word");
  };
  const asleep = exploreAll(modelOf([waker, onAnotherWord]), { ...LIMIT, findsAll: true });
  assertEquals([...asleep.violations], ["Deadlock: wait 2 0"]);
});

Deno.test("exploreAll() takes threads that are alike for one another", () => {
  const lock: Program = (words) => {
    const ownerId = words.setUp(() => words.add(1, 1)) + 1;
    words.boundary("start");
    while (words.compareExchange(0, 0, ownerId) !== 0) words.boundary("start");
    words.boundary("locked");
    words.exchange(0, 0);
    words.boundary("unlocked");
  };
  const symmetry = { threads: [0, 1, 2], ownerWords: [0] };
  const model = modelOf([lock, lock, lock], { symmetry });
  const apart = exploreAll(model, { ...LIMIT, tellsAlikeApart: true });
  const alike = exploreAll(model, LIMIT);
  assertEquals([apart.stateCount, alike.stateCount], [20, 7]);
  assertEquals([...alike.ends], [...apart.ends]);
});

Deno.test("exploreAll() goes on behind a violation when all are asked for, without that thread", () => {
  const wrong = (text: string): Program => (words) => {
    words.add(0, 1);
    words.violate(text);
  };
  const model = modelOf([wrong("first"), wrong("second"), addTwice]);
  assertEquals(exploreAll(model, LIMIT).violation, "first\n0: add 0 1");
  const all = exploreAll(model, { ...LIMIT, findsAll: true });
  assertEquals([[...all.violations].sort(), [...all.ends]], [["first", "second"], ["4,0,0,0"]]);
});

Deno.test("exploreAll() notices a violation that the program swallows, and what it throws", () => {
  const swallows: Program = (words) => {
    try {
      words.violate("swallowed");
    } catch { /* as a server does with what its handler throws */ }
    words.add(0, 1);
  };
  const throws: Program = () => {
    throw new RangeError("thrown");
  };
  assertStringIncludes(exploreAll(modelOf([swallows]), LIMIT).violation ?? "", "swallowed");
  assertEquals(exploreAll(modelOf([throws]), LIMIT).violation, "RangeError: thrown");
});

Deno.test("exploreAll() takes free steps at once, and finds who breaks what they stand on", () => {
  const own = (thread: number): Program => (words) => {
    for (let time = 0; time < 5; time++) words.store(1 + thread, words.load(1 + thread) + 1);
    words.add(0, 1);
  };
  const rules = { ...NO_RULES, isSettled: isOwn, isPrivate: isOwn };
  function isOwn(thread: number, word: number): boolean {
    return word === 1 + thread;
  }
  const parts = { rulesOf: () => rules };
  assertEquals(exploreAll(modelOf([own(0), own(1)], parts), LIMIT).stateCount, 4);
  const looks: Program = (words) => void words.load(1);
  const { violation = "" } = exploreAll(modelOf([own(0), looks], parts), LIMIT);
  assertStringIncludes(
    violation,
    "A word is not left alone, though another thread counts on it: load 1",
  );
});

Deno.test("exploreAll() finds a thread that goes on for ever by itself", () => {
  const polls: Program = (words) => {
    for (;;) {
      words.boundary("again");
      words.load(0);
    }
  };
  const model = modelOf([polls, polls], { stateWords: [1] });
  assertStringIncludes(exploreAll(model, LIMIT).violation ?? "", "goes on for ever by itself");
});

Deno.test("exploreAll() finds a change of what the model holds constant", () => {
  const { violation = "" } = exploreAll(modelOf([addTwice], { stateWords: [1] }), LIMIT);
  assertStringIncludes(violation, "Word 0 is changed, which the model holds constant");
});

Deno.test("exploreAll() refuses models that are too large or whose boundaries are wrong", () => {
  const model = modelOf([addTwice, addTwice]);
  assertThrows(() => exploreAll(model, { stateCountMax: 3 }), RangeError, "more than 3 states");
  const forgets: Program = (words) => {
    const held = words.add(0, 1);
    words.boundary("known");
    words.store(1, held);
  };
  assertThrows(() => exploreAll(modelOf([forgets, forgets]), LIMIT), Error, "one operation");
});

Deno.test("exploreRandom() gives the same schedule for the same seed", () => {
  const model = modelOf([addUnguarded, addUnguarded], { faultAtEnd: isSum(2) });
  const seeds = Array.from({ length: 50 }, (_, index) => index + 1);
  const violation = exploreRandom(model, seeds) ?? "";
  assert(violation.startsWith("The sum is 1\n"), violation);
  const seed = Number(violation.split("seed ")[1]);
  assertEquals(exploreRandom(model, [seed]), violation);
  const right = modelOf([addTwice, addTwice], { faultAtEnd: isSum(4) });
  assertEquals(exploreRandom(right, seeds), undefined);
});
