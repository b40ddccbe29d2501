import { SharedWords } from "../../../core/memory/words.ts";
import type { Work } from "../partner.ts";

/** Words of the memory that the test and this work share. */
export const CountingWord = { rounds: 0, stop: 1, throws: 2 } as const;

/** Work for the tests of `Partner`: counts how often it ran, throws when it is told to. */
export function prepareWork(buffer: SharedArrayBuffer): Work {
  const words = new SharedWords(buffer);
  return () => {
    words.add(CountingWord.rounds, 1);
    if (words.load(CountingWord.throws) === 1) throw new Error("told to throw");
    while (words.load(CountingWord.stop) === 0) words.wait(CountingWord.stop, 0, 1);
  };
}
