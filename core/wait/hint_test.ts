import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Channel } from "../toggle/channel.ts";
import { Hints, NO_PORT } from "./hint.ts";

function hintsOf(portCount: number) {
  const { words, layout } = Channel.create({ portCount, laneCount: 1 });
  return { words, layout, hints: new Hints(words, layout) };
}

/** The first of the ports at or after `start`, in cyclic order: what find() has to return. */
function firstAtOrAfter(ports: readonly number[], start: number): number {
  const sorted = ports.toSorted((left, right) => left - right);
  return sorted.find((port) => port >= start) ?? sorted[0] ?? NO_PORT;
}

Deno.test("Hints.find() finds the marked and ready port that is next in cyclic order", () => {
  const cases = fc.integer({ min: 1, max: 16384 }).chain((portCount) => {
    const port = fc.integer({ min: 0, max: portCount - 1 });
    return fc.record({
      portCount: fc.constant(portCount),
      marked: fc.uniqueArray(port, { maxLength: 20 }),
      unready: fc.uniqueArray(port, { maxLength: 5 }),
      start: port,
    });
  });
  fc.assert(fc.property(cases, ({ portCount, marked, unready, start }) => {
    const { hints } = hintsOf(portCount);
    for (const port of marked) hints.mark(port);
    const ready = marked.filter((port) => !unready.includes(port));
    const found = hints.find(start, { looksReady: (index) => ready.includes(index) });
    assertEquals(found, firstAtOrAfter(ready, start));
  }));
});

Deno.test("Hints.mark() says once that the bit was clear", () => {
  const { hints } = hintsOf(256);
  for (let index = 0; index < 256; index++) assertEquals(hints.mark(index), true);
  for (let index = 0; index < 256; index++) assertEquals(hints.mark(index), false);
});

Deno.test("H4: 256 bits are claimed to all ones and released to all zeros", () => {
  const { words, layout, hints } = hintsOf(256);
  const wordsOfHints = () =>
    Array.from({ length: layout.hintWordCount }, (_, word) => words.load(layout.hintWord + word));
  for (let index = 0; index < 256; index++) hints.mark(index);
  assertEquals(wordsOfHints(), new Array(8).fill(-1));
  hints.clearAll();
  assertEquals(wordsOfHints(), new Array(8).fill(0));
  for (const index of [0, 3, 63, 64, 65, 126, 127]) {
    hints.mark(index);
    assertEquals(hints.find(0, { looksReady: () => true }), index);
    hints.clearAll();
  }
});

Deno.test("Hints.clearIdle() keeps what is active, and what got work meanwhile", () => {
  const { layout, hints } = hintsOf(64);
  for (const index of [1, 40, 63]) hints.mark(index);
  const active = new Uint32Array(layout.hintWordCount);
  hints.noteActive(active, 1);
  hints.clearIdle(active, { owns: (index) => index === 63 });
  assertEquals([1, 40, 63].map((index) => hints.mark(index)), [false, true, false]);
});
