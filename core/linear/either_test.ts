import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../memory/assert.ts";
import { type Either, either, guardedEither } from "./either.ts";

interface Waiting {
  readonly polls: number;
}
interface Arrived {
  readonly reply: string;
}

Deno.test("an Either tells which of the two it holds", () => {
  for (const make of [either<Waiting, Arrived>, guardedEither<Waiting, Arrived>]) {
    const waiting = make(false, { polls: 1 });
    const arrived = make(true, { reply: "yes" });
    assertEquals(waiting.arrived ? waiting.value.reply : waiting.value.polls, 1);
    assertEquals(arrived.arrived ? arrived.value.reply : arrived.value.polls, "yes");
  }
});

Deno.test("an Either's value is only what both are, before the look", () => {
  const hasty = (look: Either<Waiting, Arrived>): string => {
    // @ts-expect-error it may wait still
    return look.value.reply;
  };
  assertEquals(hasty(either<Waiting, Arrived>(true, { reply: "yes" })), "yes");
  const guarded = guardedEither<Waiting, Arrived>(true, { reply: "yes" });
  assertThrows(() => hasty(guarded), InvariantError, "'arrived' was looked at");
});
