import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../memory/assert.ts";
import { absent, type Either, either, type Maybe, present } from "./maybe.ts";

/** Something that counts how often it was disposed of. */
function counter(): Disposable & { count: number } {
  return {
    count: 0,
    [Symbol.dispose]() {
      this.count++;
    },
  };
}

Deno.test("a Maybe gives its value to whoever looked", () => {
  const value = counter();
  const maybe = present(value);
  assertEquals(maybe.present, true);
  if (maybe.present) assertEquals(maybe.value === value, true);
  assertEquals(absent.present, false);
});

Deno.test("a Maybe's value does not compile before the look", () => {
  const hasty = (maybe: Maybe<Disposable>): Disposable => {
    // @ts-expect-error nobody knows whether it is there
    return maybe.value;
  };
  assertThrows(() => hasty(absent), InvariantError, "holds one");
});

Deno.test("a Maybe that was looked at and is empty has no value", () => {
  const maybe: Maybe<Disposable> = absent;
  assertEquals(maybe.present, false);
  // @ts-expect-error an empty Maybe holds nothing
  assertThrows(() => maybe.value, InvariantError, "holds one");
});

Deno.test("using a Maybe disposes of what it holds", () => {
  const value = counter();
  {
    using _held = present(value);
    using _absent = absent;
  }
  assertEquals(value.count, 1);
});

interface Waiting {
  readonly polls: number;
}
interface Arrived {
  readonly reply: string;
}

Deno.test("an Either tells which of the two it holds", () => {
  const waiting = either<Waiting, Arrived>(false, { polls: 1 });
  const arrived = either<Waiting, Arrived>(true, { reply: "yes" });
  assertEquals(waiting.arrived ? waiting.value.reply : waiting.value.polls, 1);
  assertEquals(arrived.arrived ? arrived.value.reply : arrived.value.polls, "yes");
});

Deno.test("an Either's value is only what both are, before the look", () => {
  const hasty = (look: Either<Waiting, Arrived>): string => {
    // @ts-expect-error it may wait still
    return look.value.reply;
  };
  assertEquals(hasty(either<Waiting, Arrived>(true, { reply: "yes" })), "yes");
});
