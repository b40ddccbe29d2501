import { assertEquals } from "@std/assert";
import { WAITER_NAMES } from "../../wait/strategy.ts";
import { TestBed } from "./test_bed.ts";

const WAVES = { portCount: 64, laneCount: 32 };

Deno.test("L1, L2: every thread of the grid counts to its number, then the halves diverge", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  const calls = await bed.run("countUp", 2);
  // The longest lane of a wave decides: 10 + 10 x 31 or 10 x 63, plus 10 for each block before it.
  const longest = Array.from({ length: 8 }, (_, block) => 330 + 640 + 20 * block - 10);
  assertEquals(calls[0]! + calls[1]!, longest.reduce((sum, count) => sum + count));
});

Deno.test("L3: data does not cross lanes", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  assertEquals(await bed.run("laneIds", 2), [1000, 1000]);
});

for (const waiter of WAITER_NAMES) {
  Deno.test(`L4: sends and receives in every order, waiting by ${waiter}`, async () => {
    await using bed = await TestBed.start({ portCount: 1, laneCount: 1, waiter });
    assertEquals(await bed.run("walkInterface"), [6]);
  });
}

Deno.test("L5: every lane echoes a string of 251 bytes", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  assertEquals(await bed.run("echoStrings", 2), [8, 8]);
});

Deno.test("L6: lanes of one wave echo payloads of 0 to 127 bytes", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  assertEquals(await bed.run("echoDivergent", 2), [8, 8]);
});

Deno.test("L8: lanes that call at random each count their own calls", async () => {
  await using bed = await TestBed.start({ portCount: 4, laneCount: 32, serverCount: 2 });
  const iterations = await bed.run("callAtRandom", 4);
  assertEquals(iterations.every((count) => count >= 128 && count < 256), true);
});

Deno.test("H8: 1024 calls on 64 ports, a third of them asynchronous, are 1024 served", async () => {
  await using bed = await TestBed.start({ portCount: 64, laneCount: 1 });
  // The last call is answered when the asynchronous ones may still be under way, so the server's
  // count is asked for once more by a call that needs every port back.
  await bed.run("mixedCalls");
  assertEquals(await settledCount(bed), 1025);
});

Deno.test("H9: whole pages of many clients and servers never mix", async () => {
  await using bed = await TestBed.start({ portCount: 128, laneCount: 64, serverCount: 2 });
  assertEquals(await bed.run("stressPages", 4), [8192, 8192, 8192, 8192]);
});

/** Asks for the server's count until no asynchronous call is left that it could have missed. */
async function settledCount(bed: TestBed): Promise<number> {
  const { clientOutboxWord, serverOutboxWord, portCount } = bed.channel.layout;
  const { words } = bed.channel;
  const isPending = (index: number) =>
    words.load(clientOutboxWord + index) !== words.load(serverOutboxWord + index);
  while (Array.from({ length: portCount }, (_, index) => index).some(isPending)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const [count] = await bed.run("countOnce");
  return count!;
}
