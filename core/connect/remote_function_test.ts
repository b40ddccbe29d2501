/** Functions and iterators that cross, with a worker at the other end. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { WorkerEndedError } from "./answer.ts";
import { connect } from "./connect.ts";
import type { SentFunction } from "./remote_function.ts";
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
  assertThrows(() => other(1), TypeError, "Cannot call a function as it was released");
  const [first, second] = math.echo([math.makeCounter(), math.makeCounter()]) as SentFunction<
    [number],
    number
  >[];
  assertEquals([first!(1), first!(1), second!(1)], [1, 2, 1]);
});

Deno.test("a function that nobody refers to any more is released", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  using math = await connect<Functions>(MATH, LIMITS);
  const references = Array.from({ length: 20 }, () => new WeakRef(math.makeCounter()));
  const areThere = () => references.some((reference) => reference.deref() !== undefined);
  for (let round = 0; round < 100 && areThere(); round++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    collect();
  }
  assertEquals(areThere(), false);
});

Deno.test("a stack has the lines of both sides and none of what lies between", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const fail = () => math.fail("no");
  const values = [1, () => math.fail("in a callback")] as const;
  for (const call of [fail, () => math.fail.async("no"), () => math.countTo(...values)]) {
    const error = await assertRejects(async () => await call(), RangeError);
    assert(error.stack!.includes("math_worker"), error.stack);
    assertEquals(/call_server|call_end|answer\.ts/.exec(error.stack!), null, error.stack);
  }
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
