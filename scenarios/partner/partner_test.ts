import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { SharedWords } from "../../core/memory/words.ts";
import { Partner, type PreparedWork } from "./partner.ts";
import { CountingWord } from "./testdata/counting_work.ts";

const moduleUrl = new URL("./testdata/counting_work.ts", import.meta.url).href;

async function assignCounting(partner: Partner, words: SharedWords): Promise<PreparedWork> {
  return await partner.assign({
    moduleUrl,
    init: words.plain.buffer,
    signalRest: () => words.store(CountingWord.stop, 1),
  });
}

Deno.test("Partner runs its work once for each wake, that of the assignment that woke it", async () => {
  await using partner = new Partner();
  const [first, second] = [64, 64].map((bytes) => new SharedWords(new SharedArrayBuffer(bytes)));
  const works = [await assignCounting(partner, first!), await assignCounting(partner, second!)];
  for (const work of [works[0]!, works[1]!, works[0]!]) {
    first!.store(CountingWord.stop, 0);
    second!.store(CountingWord.stop, 0);
    work.wake();
    work.rest();
  }
  assertEquals(first!.load(CountingWord.rounds), 2);
  assertEquals(second!.load(CountingWord.rounds), 1);
});

Deno.test("Partner says what its work threw", async () => {
  await using partner = new Partner();
  const words = new SharedWords(new SharedArrayBuffer(64));
  const work = await assignCounting(partner, words);
  words.store(CountingWord.throws, 1);
  assertThrows(
    () => {
      work.wake();
      work.rest();
    },
    Error,
    "told to throw",
  );
  assertThrows(() => partner.throwIfFailed(), Error, "told to throw");
});

Deno.test("Partner.assign() rejects when there is no such module", async () => {
  await using partner = new Partner();
  const moduleUrl = new URL("./testdata/nowhere.ts", import.meta.url).href;
  await assertRejects(
    () => partner.assign({ moduleUrl, init: undefined, signalRest: () => {} }),
    Error,
    "nowhere.ts",
  );
});

Deno.test("Partner.allocatedBytes() grows, and is 0 before the Worker starts", async () => {
  await using partner = new Partner();
  assertEquals(await partner.allocatedBytes(), 0);
  await assignCounting(partner, new SharedWords(new SharedArrayBuffer(64)));
  assert(await partner.allocatedBytes() > 0);
});
