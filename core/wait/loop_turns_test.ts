import { assertEquals } from "@std/assert";
import { LoopTurns } from "./loop_turns.ts";

Deno.test("LoopTurns.isDue says yes to who has worked long, and no right after a turn", async () => {
  const turns = new LoopTurns();
  let looks = 0;
  while (!turns.isDue) looks++;
  assertEquals(looks >= 31, true, "the clock is not asked at every look");
  await turns.take();
  assertEquals(Array.from({ length: 31 }, () => turns.isDue).includes(true), false);
});

Deno.test("LoopTurns asks the clock at every 32nd look, and wants a turn behind 5 milliseconds", async () => {
  const { now } = performance;
  let milliseconds = 1000;
  let lookCount = 0;
  performance.now = () => (lookCount++, milliseconds);
  try {
    const turns = new LoopTurns();
    const looks = (count: number) => Array.from({ length: count }, () => turns.isDue);
    milliseconds += 5;
    assertEquals([looks(31).includes(true), lookCount], [false, 1]);
    assertEquals(looks(2), [true, true]);
    await turns.take();
    milliseconds += 4.9;
    assertEquals(looks(32).includes(true), false);
    milliseconds += 0.1;
    assertEquals(looks(32).indexOf(true), 31);
  } finally {
    performance.now = now;
  }
});
