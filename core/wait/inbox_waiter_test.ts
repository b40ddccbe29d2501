import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client } from "../toggle/client/client.ts";
import { TestOpcode } from "../testing/conformance/services.ts";
import { TestBed } from "../testing/conformance/test_bed.ts";
import { MeddledWords } from "../testing/fixtures/meddled_words.ts";
import { InboxWaiter, type WaitGuard } from "./inbox_waiter.ts";
import { WAITER_NAMES } from "./strategy.ts";

const INBOX = 0;
const PARKED_WORD = 2;
const PARKED = 1;
/** A bit of the parked word that is not the waiter's. */
const OTHER = 2;
/** More polls than any strategy takes between two looks at its guard. */
const LOADS_MAX = 10_000;

function waiterOf(name: (typeof WAITER_NAMES)[number]) {
  const words = new MeddledWords(new SharedArrayBuffer(64));
  words.store(PARKED_WORD, OTHER);
  const boxes = { inboxWord: INBOX, parkedWord: PARKED_WORD };
  return { words, waiter: new InboxWaiter(words, boxes, name) };
}

function guardOf(check: () => void, leftMilliseconds = Infinity): WaitGuard {
  return { check, leftMilliseconds };
}

for (const name of WAITER_NAMES) {
  Deno.test(`InboxWaiter: the guard ends a wait by ${name}, before it sleeps and again after`, () => {
    const { words, waiter } = waiterOf(name);
    let loadCount = 0;
    words.afterLoad = () => {
      if (++loadCount > LOADS_MAX) words.store(INBOX, 1); // the wait would never end
    };
    words.onSleep = () => {};
    let checkCount = 0;
    const guard = guardOf(() => {
      if (++checkCount === 3) throw new Error("enough");
    });
    assertThrows(() => waiter.wait(0, 0, guard), Error, "enough");
    assertEquals(words.load(PARKED_WORD), OTHER);
  });
}

for (const name of WAITER_NAMES) {
  Deno.test(`InboxWaiter by ${name} returns from an ordered look, so that the packet is visible`, async () => {
    const { words, waiter } = waiterOf(name);
    let lookCount = 0;
    words.afterLoad = (word) => void (lookCount += Number(word === INBOX));
    words.store(INBOX, 1);
    waiter.wait(0, 0, guardOf(() => {}));
    await waiter.waitAsync(0, 0, guardOf(() => {}));
    assertEquals(lookCount, 2);
  });
}

Deno.test("InboxWaiter announces its sleep, looks again, and sleeps no longer than its guard lets it", () => {
  const { words, waiter } = waiterOf("park");
  const steps: unknown[] = [];
  const guard = guardOf(() => steps.push(["check", words.peek(PARKED_WORD)]), 17);
  words.afterLoad = (word) => {
    if (steps.length > 0 && word === INBOX) steps.push("look");
  };
  words.onSleep = (word, milliseconds) => {
    steps.push(["sleep", word, milliseconds]);
    words.store(INBOX, 1);
  };
  waiter.wait(0, 0, guard);
  const announced = PARKED | OTHER;
  assertEquals(steps, [["check", announced], "look", ["sleep", PARKED_WORD, 17], "look"]);
  assertEquals(words.load(PARKED_WORD), OTHER);
});

Deno.test("InboxWaiter looks in a burst before it sleeps, as long as its strategy has it", () => {
  for (const [name, lookCount] of [["adaptive", 2000], ["park", 1]] as const) {
    const { words, waiter } = waiterOf(name);
    let looks = 0;
    words.afterLoad = (word) => void (looks += Number(word === INBOX));
    words.onSleep = () => words.store(INBOX, 1);
    let looksAtCheck = 0;
    waiter.wait(0, 0, guardOf(() => looksAtCheck ||= looks));
    // A look or two more, as the long wait begins.
    assert(looksAtCheck >= lookCount && looksAtCheck <= lookCount + 2, `${looksAtCheck} looks`);
  }
});

Deno.test("InboxWaiter asks its guard now and then while it spins, and not at every look", () => {
  for (const name of ["spin", "spin-pause", "backoff"] as const) {
    const { words, waiter } = waiterOf(name);
    let looks = 0;
    words.afterLoad = () => void looks++;
    const looksAtChecks: number[] = [];
    const guard = guardOf(() => {
      looksAtChecks.push(looks);
      if (looksAtChecks.length === 3) words.store(INBOX, 1);
    });
    waiter.wait(0, 0, guard);
    const [first, second, third] = looksAtChecks as [number, number, number];
    assertEquals([second - first, third - second], [256, 256]);
  }
});

Deno.test("InboxWaiter does not sleep when the flip comes before its last look", () => {
  const { words, waiter } = waiterOf("park");
  waiter.wait(0, 0, guardOf(() => words.store(INBOX, 1)));
  assertEquals(words.load(PARKED_WORD), OTHER);
});

Deno.test("InboxWaiter waits on the words of its own port", async () => {
  const { words, waiter } = waiterOf("park");
  words.store(INBOX + 1, 1);
  const guard = guardOf(() => {
    throw new Error("it waits");
  });
  waiter.wait(1, 0, guard);
  await waiter.waitAsync(1, 0, guard);
  assertThrows(() => waiter.wait(1, 1, guard), Error, "it waits");
  await assertRejects(() => waiter.waitAsync(1, 1, guard), Error, "it waits");
  assertEquals([words.load(PARKED_WORD), words.load(PARKED_WORD + 1)], [OTHER, 0]);
});

Deno.test("InboxWaiter.waitAsync() ends by its signal at any time, and leaves nothing behind", async () => {
  const { words, waiter } = waiterOf("park");
  const controller = new AbortController();
  const { signal } = controller;
  const guard = { check: () => signal.throwIfAborted(), leftMilliseconds: Infinity, signal };
  const waited = waiter.waitAsync(0, 0, guard);
  assertEquals(words.load(PARKED_WORD), PARKED | OTHER);
  controller.abort(new Error("called off"));
  await assertRejects(() => waited, Error, "called off");
  assertEquals([words.load(PARKED_WORD), words.notified], [OTHER, [PARKED_WORD]]);
});

Deno.test("InboxWaiter.waitAsync() that was aborted leaves the mark of the port's next waiter alone", async () => {
  const { words, waiter } = waiterOf("park");
  const controller = new AbortController();
  const wait = waiter.waitAsync(0, 0, { ...guardOf(() => {}), signal: controller.signal });
  await Promise.resolve();
  controller.abort(new Error("enough"));
  assertEquals(words.load(PARKED_WORD), OTHER);
  words.or(PARKED_WORD, PARKED); // the next one, before the first has been heard of again
  await assertRejects(() => wait, Error, "enough");
  assertEquals(words.load(PARKED_WORD), OTHER | PARKED);
});

Deno.test("InboxWaiter.waitAsync() is woken by a cleared word, and no longer listens then", async () => {
  const { words, waiter } = waiterOf("park");
  const controller = new AbortController();
  const guard = { ...guardOf(() => {}), signal: controller.signal };
  const waited = waiter.waitAsync(0, 0, guard);
  words.store(PARKED_WORD, 0);
  words.notify(PARKED_WORD); // says: look again
  await Promise.resolve();
  words.store(INBOX, 1);
  words.store(PARKED_WORD, 0);
  words.notify(PARKED_WORD);
  await waited;
  controller.abort();
  assertEquals(words.notified.length, 2);
  assert(words.load(PARKED_WORD) === 0);
});

for (const waiter of WAITER_NAMES) {
  Deno.test(`calls get through when both sides wait by ${waiter}`, async () => {
    await using bed = await TestBed.start({ portCount: 2, laneCount: 1, waiter });
    const client = new Client(bed.channel, { waiter });
    let value = 0;
    for (let call = 0; call < 300; call++) {
      client.call(TestOpcode.increment, {
        fill: (packet) => packet.setUint32(0, 0, value),
        use: (packet) => value = packet.getUint32(0, 0),
      });
    }
    assertEquals(value, 300);
  });
}

Deno.test("L16: a server that sleeps after every call misses no ring", async () => {
  await using bed = await TestBed.start({
    portCount: 4,
    laneCount: 1,
    waiter: "park",
    serverCount: 2,
  });
  const client = new Client(bed.channel, { waiter: "park" });
  for (let call = 0; call < 2000; call++) {
    if (call % 2 === 0) client.cast(TestOpcode.increment, () => {});
    client.call(TestOpcode.increment, { fill: () => {}, use: () => {} }, { timeoutSeconds: 5 });
  }
});
