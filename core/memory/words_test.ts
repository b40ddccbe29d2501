import { assert, assertEquals } from "@std/assert";
import { MappedWords, SharedWords } from "./words.ts";

Deno.test("SharedWords: updates return what was there, and touch one word", () => {
  const words = new SharedWords(new SharedArrayBuffer(16));
  words.store(1, 6);
  assertEquals([words.exchange(1, 5), words.load(1)], [6, 5]);
  assertEquals([words.add(1, -7), words.peek(1)], [5, -2]);
  assertEquals([words.and(1, 0xf0), words.or(1, 3), words.load(1)], [-2, 0xf0, 0xf3]);
  assertEquals([words.compareExchange(1, 1, 9), words.load(1)], [0xf3, 0xf3]);
  assertEquals([words.compareExchange(1, 0xf3, 9), words.load(1)], [0xf3, 9]);
  assertEquals([words.xor(1, 3), words.load(1)], [9, 10]);
  assertEquals([...words.plain], [0, 10, 0, 0]);
});

Deno.test("SharedWords.wait() returns from another value and at its limit", () => {
  const words = new SharedWords(new SharedArrayBuffer(16));
  words.wait(0, 1, 60_000);
  const start = performance.now();
  words.wait(0, 0, 10);
  assert(performance.now() - start >= 9);
});

Deno.test("SharedWords.waitAsync() settles on a notify", async () => {
  const words = new SharedWords(new SharedArrayBuffer(16));
  const woken = words.waitAsync(0, 0, 60_000);
  words.store(0, 1);
  words.notify(0);
  await woken;
  await words.waitAsync(0, 0, 60_000);
});

Deno.test("SharedWords.waitAsync() ends in time, and leaves no long wait to the engine", async () => {
  const words = new SharedWords(new SharedArrayBuffer(16));
  const { waitAsync } = Atomics;
  const left: (number | undefined)[] = [];
  Atomics.waitAsync = ((...args: Parameters<typeof waitAsync>) => {
    left.push(args[3]);
    return waitAsync(...args);
  }) as typeof waitAsync;
  try {
    await words.waitAsync(0, 0, 1);
    await words.waitAsync(0, 0, 20);
    const endless = [2 ** 31, Infinity].map((milliseconds) => words.waitAsync(0, 0, milliseconds));
    let isOver = false;
    endless.forEach((wait) => wait.then(() => isOver = true));
    await new Promise((resolve) => setTimeout(resolve, 5));
    assertEquals(isOver, false, "a time that no timer takes is no short one");
    words.notify(0);
    await Promise.all(endless);
  } finally {
    Atomics.waitAsync = waitAsync;
  }
  assertEquals(left, [1, Infinity, Infinity, Infinity]);
});

Deno.test("MappedWords see a store that nobody tells of, and end a sleep at its time or by a notify", async () => {
  const buffer = new SharedArrayBuffer(8);
  const sleeper = new MappedWords(buffer, 8, true);
  let naps = 0;
  sleeper.onNap = () => {
    if (++naps === 3) sleeper.plain[0] = 1; // as another process would: without a notify
  };
  sleeper.wait(0, 0, Infinity);
  assertEquals(naps, 3);
  naps = 0;
  await sleeper.waitAsync(0, 1, 3);
  assertEquals([naps > 0, sleeper.load(0)], [true, 1]);
  sleeper.onNap = () => {};
  sleeper.plain[1] = 5;
  const slept = sleeper.waitAsync(1, 5, Infinity);
  sleeper.notify(1);
  await slept;
  sleeper.wait(1, 5, 2);
});

Deno.test("MappedWords whose peers do not ring end each sleep with its first nap", async () => {
  const words = new MappedWords(new SharedArrayBuffer(4), 4, false);
  let naps = 0;
  words.onNap = () => void naps++;
  words.wait(0, 0, Infinity);
  await words.waitAsync(0, 0, Infinity);
  assertEquals(naps, 2);
});

Deno.test("MappedWords tell of each notify, and wake here who is notified elsewhere", async () => {
  const words = new MappedWords(new SharedArrayBuffer(8), 8, true);
  words.naps = { firstMilliseconds: 60_000, longestMilliseconds: 60_000 };
  let toldCount = 0;
  words.onNotify = () => void toldCount++;
  words.notify(0);
  const slept = [words.waitAsync(1, 0, Infinity), words.waitAsync(1, 0, Infinity)];
  words.wakeSleepers();
  await Promise.all(slept);
  words.wakeSleepers();
  assertEquals(toldCount, 1);
});
