import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { SharedWords } from "../memory/words.ts";
import { MeddledWords } from "../testing/fixtures/meddled_words.ts";
import { BellWaiter } from "./bell_waiter.ts";
import { Deadline } from "./deadline.ts";
import { Doorbell } from "./doorbell.ts";
import type { WaitGuard } from "./inbox_waiter.ts";
import { WAITER_NAMES, type WaiterName } from "./strategy.ts";

function bellOf() {
  const words = new SharedWords(new SharedArrayBuffer(8));
  return { words, bell: new Doorbell(words, { sleepersWord: 0, bellWord: 1 }) };
}

function guardOf(deadline: Deadline): WaitGuard {
  return {
    check: () => deadline.check("wait"),
    get leftMilliseconds() {
      return deadline.leftMilliseconds;
    },
    signal: deadline.signal,
  };
}

const NO_LIMIT: WaitGuard = { check: () => {}, leftMilliseconds: Infinity };

for (const name of WAITER_NAMES) {
  Deno.test(`BellWaiter.wait() repeats until the attempt succeeds: ${name}`, () => {
    const { bell } = bellOf();
    let left = 5;
    const attempt = () => {
      bell.ring();
      return --left <= 0 ? "done" : undefined;
    };
    assertEquals(new BellWaiter(bell, name).wait(attempt, NO_LIMIT), "done");
  });

  Deno.test(`BellWaiter.wait() ends at the guard's deadline: ${name}`, () => {
    const { words, bell } = bellOf();
    const guard = guardOf(new Deadline({ timeoutSeconds: 0.01 }));
    const waiter = new BellWaiter(bell, name);
    assertThrows(() => waiter.wait(() => undefined, guard), DOMException, "within 0.01 s");
    assertEquals(words.load(0), 0, "nobody counts as asleep");
  });
}

Deno.test("BellWaiter.wait() tries once more after arming, and sleeps only then", () => {
  const { words, bell } = bellOf();
  const sleepers: number[] = [];
  const attempt = () => sleepers.push(words.load(0)) === 2 ? true : undefined;
  assertEquals(new BellWaiter(bell, "park").wait(attempt, NO_LIMIT), true);
  assertEquals(sleepers, [0, 1]);
});

Deno.test("BellWaiter asks its guard once more after arming: who ended the wait before did not ring", async () => {
  const words = new MeddledWords(new SharedArrayBuffer(8));
  const waiter = new BellWaiter(new Doorbell(words, { sleepersWord: 0, bellWord: 1 }), "park");
  words.onSleep = () => assert(false, "nobody would wake it");
  const endsLater = () => {
    let isOver = false;
    const check = () => {
      if (isOver) throw new Error("over");
      isOver = true; // as soon as the guard was asked, and before anybody counts as a sleeper
    };
    return { check, leftMilliseconds: 10 };
  };
  assertThrows(() => waiter.wait(() => undefined, endsLater()), Error, "over");
  words.waitAsync = () => Promise.reject(new Error("nobody would wake it"));
  await assertRejects(() => waiter.waitAsync(() => undefined, endsLater()), Error, "over");
});

Deno.test("BellWaiter.waitAsync() is woken by a ring and by its signal", async () => {
  const { bell } = bellOf();
  const waiter = new BellWaiter(bell, "adaptive");
  let isThere = false;
  const rung = waiter.waitAsync(() => isThere ? true : undefined, NO_LIMIT);
  isThere = true;
  bell.ring();
  assertEquals(await rung, true);
  const controller = new AbortController();
  const guard = guardOf(new Deadline({ signal: controller.signal }));
  const aborted = waiter.waitAsync(() => undefined, guard);
  controller.abort(new Error("enough"));
  await assertRejects(() => aborted, Error, "enough");
});

Deno.test("BellWaiter rejects an unknown waiter", () => {
  assertThrows(() => new BellWaiter(bellOf().bell, "nap" as WaiterName), TypeError, "nap");
});

Deno.test("BellWaiter.waitAsync() leaves no sleeper counted, however it ends", async () => {
  const { words, bell } = bellOf();
  const waiter = new BellWaiter(bell, "park");
  for (const isThrowing of [false, true]) {
    let looks = 0;
    const attempt = () => ++looks > 4 ? looks : undefined;
    const check = () => {
      if (isThrowing && looks > 2) throw new Error("over");
    };
    await waiter.waitAsync(attempt, { check, leftMilliseconds: 1 }).catch(() => {});
    assertEquals(words.load(0), 0);
  }
});
