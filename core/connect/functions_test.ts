/** Functions and iterators that cross, with a worker at the other end. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { WorkerEndedError } from "./call_end.ts";
import { connect } from "./connect.ts";
import { keepHere } from "./keep_here.ts";
import type { SentFunction } from "./remote_function.ts";
import type { RemoteIterator } from "./remote_iterator.ts";
import { KnownError } from "./testdata/known_error.ts";
import type { Functions } from "./testdata/math_worker.ts";

const MATH = new URL("./testdata/math_worker.ts", import.meta.url);
const LIMITS = { timeoutSeconds: 30 };

Deno.test("a function is called back while its thread blocks in a call, and while it does not", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const heard: number[] = [];
  const tell = (value: number) => heard.push(value);
  assertEquals(math.countTo(3, tell), 3);
  assertEquals(await math.countTo.async(3, tell), 6);
  assertEquals(heard, [0, 1, 2, 0, 1, 2]);
  assertEquals(await math.countLater.async(3, (value) => `${value}!`), "0!,1!,2!");
  assertEquals(math.countLater(3, (value) => `${value}?`), "0?,1?,2?");
});

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

Deno.test("a function that is returned is called there, and released once", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const other = math.makeCounter();
  {
    using add = math.makeCounter();
    assertEquals([add(2), await add.async(3), other(1)], [2, 5, 1]);
    assertEquals(add.with({ timeoutSeconds: 5 })(1), 6);
    other[Symbol.dispose]();
  }
  other[Symbol.dispose]();
  assertThrows(() => other(1), TypeError, "as it was released");
  const [first, second] = math.echo([math.makeCounter(), math.makeCounter()]) as SentFunction<
    [number],
    number
  >[];
  assertEquals([first!(1), first!(1), second!(1)], [1, 2, 1]);
});

Deno.test("a function that the worker keeps is called between calls, until it is released", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const heard: number[] = [];
  await math.keep.async((value) => void heard.push(value));
  assertEquals(await math.tellKept.async(1), "told");
  assertEquals(math.tellKept(2), "told");
  math.releaseKept();
  assertEquals([math.tellKept(3), heard], ["told", [1, 2]]);
});

Deno.test("one function in a message is one function there", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const tell = () => 1;
  const [first, second] = math.echo([tell, tell]) as unknown[];
  assert(first === second);
});

Deno.test("the end of a connection ends its functions", async () => {
  const math = await connect<Functions>(MATH, LIMITS);
  const add = math.makeCounter();
  const slow = math.countSlowly(5);
  assertEquals((await slow.next()).value, 0);
  await math[Symbol.asyncDispose]();
  assertThrows(() => add(1), WorkerEndedError);
  await assertRejects(() => slow.next(), WorkerEndedError);
  add[Symbol.dispose]();
});

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

Deno.test("an object stays in its thread, and its methods are called there", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const [store, other] = [math.openStore(), math.openStore()];
  store.set("a", 7);
  assertEquals([store.get("a"), await store.get.async("a"), other.get("a")], [7, 7, undefined]);
  assertThrows(() => keepHere({ size: 3 }), TypeError, "no methods that could be called");
});

Deno.test("errors of a class that both sides were given keep it, both ways", async () => {
  using math = await connect<Functions>(MATH, { ...LIMITS, errors: [KnownError] });
  for (const call of [() => math.failKnown(), () => math.failKnown.async()]) {
    const error = await assertRejects(async () => await call(), KnownError, "known");
    assertEquals([error.name, error.code, Object.prototype.toString.call(error)], [
      "KnownError",
      7,
      "[object Error]",
    ]);
    assert(error instanceof RangeError && error.stack?.includes("math_worker"));
  }
  assertEquals(
    math.catchKnown(() => {
      throw new KnownError("from here");
    }),
    true,
  );
  using without = await connect<Functions>(MATH, LIMITS);
  const plain = assertThrows(() => without.failKnown(), Error, "known");
  assertEquals([plain instanceof KnownError, plain.name], [false, "KnownError"]);
  for (const wrong of [[Map], ["Error"], 7, Array(201).fill(KnownError)]) {
    await assertRejects(
      () => connect(MATH, { errors: wrong as never }),
      TypeError,
      "errors must be a list",
    );
  }
});
