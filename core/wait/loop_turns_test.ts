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
