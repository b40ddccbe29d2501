/** Functions and iterators that cross, with a worker at the other end. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { connect } from "./connect.ts";
import type { Functions } from "./testdata/math_worker.ts";

const MATH = new URL("./testdata/math_worker.ts", import.meta.url);
const LIMITS = { timeoutSeconds: 30 };

Deno.test("a callback may call the worker that waits for it, as deep as that goes", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  assertEquals(math.countTo(3, (value) => math.add(value, 10)), 12);
  const deep = (depth: number): unknown => depth === 0 ? 7 : math.countTo(1, () => deep(depth - 1));
  assertEquals(deep(40), 7);
});

Deno.test("thousands of calls that call back are answered, each with its own", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const calls = Array.from(
    { length: 3000 },
    (_, at) => math.countTo.async(2, (value) => at + value),
  );
  assertEquals(await Promise.all(calls), Array.from({ length: 3000 }, (_, at) => at + 1));
});

Deno.test("a callback may return a promise where its thread does not block, and is told where it does", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const later = (value: number) => Promise.resolve(`${value}.`);
  assertEquals(await math.countLater.async(2, later), "0.,1.");
  assertEquals(await math.countTo.async(2, later), "1.");
  for (const call of [() => math.countLater(2, later), () => math.countTo(2, later)]) {
    assertThrows(call, TypeError, "call the worker by .async()");
  }
});

Deno.test("what a callback throws is thrown in the worker, and from there here", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const fail = () => {
    throw new RangeError("not I");
  };
  assertThrows(() => math.countTo(1, fail), RangeError, "not I");
  await assertRejects(() => math.countLater.async(1, fail), RangeError, "not I");
  assertThrows(() => math.countTo(1, () => Symbol("x")), TypeError, "it is a symbol");
});
