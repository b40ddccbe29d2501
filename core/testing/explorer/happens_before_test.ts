import { assertEquals } from "@std/assert";
import { exploreAll } from "./explorer.ts";
import type { Program } from "./model.ts";
import type { ScheduledWords } from "./scheduled_words.ts";

const WORD = { data: 0, flag: 1, other: 2, box: 3 } as const;

/** All that is wrong with the order of accesses: `data` is plain, no look at `box` may be stale. */
function racesOf(...programs: readonly Program[]): string[] {
  const { violations } = exploreAll({
    initialMemory: new Int32Array(4),
    stateWords: [0, 1, 2, 3],
    programs,
    rulesOf: () => ({
      objection: () => undefined,
      isSettled: () => false,
      isPrivate: () => false,
    }),
    orderingOf: () => ({
      placeCount: 2,
      atomicWords: [WORD.flag, WORD.other, WORD.box],
      placeOf: (word) => word === WORD.data ? 0 : word === WORD.box ? 1 : undefined,
      isPlain: (word) => word === WORD.data,
      mayBeStale: (_thread, _word, site) => site === "Stale.look",
    }),
    faultAtEnd: () => undefined,
  }, { stateCountMax: 10_000, findsAll: true });
  return [...violations].sort();
}

function publish(words: ScheduledWords): void {
  words.plain[WORD.data] = 7;
  words.store(WORD.flag, 1);
}

class Stale {
  look(words: ScheduledWords): number {
    return words.peek(WORD.flag);
  }
}

Deno.test("HappensBefore: a store and the load that sees it order what is around them", () => {
  const receive: Program = (words) => {
    if (words.load(WORD.flag) === 1) words.plain[WORD.data] = words.plain[WORD.data]! + 1;
  };
  assertEquals(racesOf(publish, receive), []);
});

Deno.test("HappensBefore: a load that does not see the store orders nothing", () => {
  const receive: Program = (words) => void (words.load(WORD.flag), words.plain[WORD.data]);
  assertEquals(racesOf(publish, receive), ["Data race: read 0", "Data race: write 0 7"]);
});

Deno.test("HappensBefore: a look without order orders nothing, and must be listed", () => {
  const stale: Program = (words) => {
    if (new Stale().look(words) === 1) words.plain[WORD.data];
  };
  const unlisted: Program = (words) => void words.peek(WORD.flag);
  assertEquals(racesOf(publish, stale), ["Data race: read 0"]);
  assertEquals(racesOf(publish, unlisted), ["Not ordered: peek 1 in unlisted"]);
});

Deno.test("HappensBefore: a plain access of an atomic word is found", () => {
  assertEquals(racesOf((words) => void words.plain[WORD.flag]), ["Not atomic: read 1"]);
  assertEquals(racesOf((words) => words.plain[WORD.flag] = 1), ["Not atomic: write 1 1"]);
});

Deno.test("HappensBefore: a write must be ordered with reads, too, but reads not with reads", () => {
  const read: Program = (words) => void words.plain[WORD.data];
  const write: Program = (words) => words.plain[WORD.data] = 1;
  assertEquals(racesOf(read, read), []);
  assertEquals(racesOf(read, write), ["Data race: read 0", "Data race: write 0 1"]);
  assertEquals(racesOf(write, write), ["Data race: write 0 1"]);
});

Deno.test("HappensBefore: a lock hands on what its last holder has heard", () => {
  const locked: Program = (words) => {
    if (words.compareExchange(WORD.flag, 0, 1) !== 0) return;
    words.plain[WORD.data] = words.plain[WORD.data]! + 1;
    words.exchange(WORD.flag, 0);
  };
  assertEquals(racesOf(locked, locked, locked), []);
});

Deno.test("HappensBefore: a failed compareExchange hears and tells nothing of its own", () => {
  const fail: Program = (words) => {
    words.plain[WORD.data] = 1;
    words.compareExchange(WORD.flag, 9, 1);
    words.store(WORD.other, 1);
  };
  const receive: Program = (words) => {
    if (words.load(WORD.other) === 1 && words.load(WORD.flag) === 0) words.plain[WORD.data];
  };
  const misled: Program = (words) => {
    words.load(WORD.flag);
    words.plain[WORD.data];
  };
  assertEquals(racesOf(fail, receive), []);
  assertEquals(racesOf(fail, misled), ["Data race: read 0", "Data race: write 0 1"]);
});

Deno.test("HappensBefore: a store puts what its thread has heard in the place of what the word had", () => {
  const after = (goOn: Program): Program => (words) => {
    if (new Stale().look(words) === 1) goOn(words);
  };
  const receive: Program = (words) => {
    if (words.load(WORD.flag) === 2) words.plain[WORD.data];
  };
  const overwrite = after((words) => words.store(WORD.flag, 2));
  const add = after((words) => void words.add(WORD.flag, 1));
  assertEquals(racesOf(publish, overwrite, receive), ["Data race: read 0"]);
  assertEquals(racesOf(publish, add, receive), []);
});

Deno.test("HappensBefore: a look that must not be stale is ordered with each write", () => {
  const look: Program = (words) => void words.peek(WORD.box);
  const flip: Program = (words) => words.store(WORD.box, 1);
  const both: Program = (words) => words.store(WORD.box, words.peek(WORD.box) ^ 1);
  assertEquals(racesOf(look, flip), ["Data race: peek 3", "Data race: store 3 1"]);
  assertEquals(racesOf(look, look, both).slice(0, 1), ["Data race: peek 3"]);
  assertEquals(racesOf(flip, flip), []);
  assertEquals(racesOf(both), []);
});
