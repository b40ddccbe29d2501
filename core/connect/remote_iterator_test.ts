/** Functions and iterators that cross, with a worker at the other end. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { connect } from "./connect.ts";
import type { RemoteIterator } from "./remote_iterator.ts";
import type { Functions } from "./testdata/math_worker.ts";

const MATH = new URL("./testdata/math_worker.ts", import.meta.url);
const LIMITS = { timeoutSeconds: 30 };

Deno.test("a result is iterated with and without blocking, one member when it is asked for", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  assertEquals([...math.count(4)], [0, 1, 2, 3]);
  assertEquals([...math.countSlowly(3)], [0, 1, 2]);
  for (const make of [() => math.count.async(3), () => math.countSlowly.async(3)]) {
    const heard: number[] = [];
    for await (const value of await make()) heard.push(value);
    assertEquals(heard, [0, 1, 2]);
  }
  const [before] = math.iterated();
  const numbers = math.count(1000);
  await numbers.next();
  await numbers.next();
  assertEquals(math.iterated()[0], before! + 2);
});

Deno.test("leaving a loop ends the iterator there", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  for (const value of math.count(9)) if (value === 2) break;
  assertEquals(math.iterated()[1], 2);
  for await (const value of math.countSlowly(9)) if (value === 2) break;
  assertEquals(math.iterated()[1], 9);
  {
    using numbers = math.count(9);
    assertEquals((await numbers.next()).value, 0);
  }
  assertEquals(math.iterated()[1], 0);
});

Deno.test("an error in the middle of an iteration is thrown by it, and ends it", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const numbers = math.countSlowly(5, 1);
  assertEquals((await numbers.next()).value, 0);
  await assertRejects(() => numbers.next(), RangeError, "no 1");
  assertEquals(await numbers.next(), { done: true, value: undefined });
  assertThrows(() => [...math.countSlowly(5, 1)], RangeError, "no 1");
  const thrown = math.count(5);
  await thrown.next();
  await assertRejects(() => thrown.throw(new TypeError("from here")), TypeError, "from here");
});

Deno.test("iterators go the other way, too", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  function* numbers() {
    yield* [1, 2, 3];
  }
  assertEquals(math.sumOf(numbers()), 6);
  assertEquals(await math.sumOf.async(new Map([[1, 2], [3, 4]]).keys()), 4);
  const stream = ReadableStream.from([5, 6]) as unknown as Iterable<number>;
  assertEquals(await math.sumOf.async(stream), 11);
  const back = math.echo(numbers()) as unknown as RemoteIterator<number>;
  assertEquals([...back], [1, 2, 3]);
});

Deno.test("an object that somebody wrote as an iterator, or to be iterated, is iterated there", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  let last = 0;
  const values = {
    next: () => ({ value: ++last, done: last > 3 }),
    [Symbol.iterator]: () => values,
  };
  assertEquals(math.sumOf(values), 6);
  const later = {
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve(7);
    },
  };
  const back = await math.echo.async(later) as unknown as AsyncIterable<number>;
  assertEquals(await Array.fromAsync(back), [7]);
});
