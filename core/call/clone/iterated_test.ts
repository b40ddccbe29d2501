import { assertEquals, assertThrows } from "@std/assert";
import { isIterated, stepsOf } from "./iterated.ts";

Deno.test("isIterated() knows iterators, and what is iterated asynchronously", () => {
  async function* later() {}
  const iterated = [[].values(), new Map().keys(), later(), new ReadableStream(), {
    [Symbol.asyncIterator]: later,
  }];
  assertEquals(iterated.map(isIterated), [true, true, true, true, true]);
  const not = [[], new Map(), new Set(), {}, { next() {} }, new Uint8Array(1), new Date()];
  assertEquals(not.map(isIterated), not.map(() => false));
});

Deno.test("stepsOf() takes steps of an iterator, also those that it has not", () => {
  let isClosed = false;
  function* numbers() {
    try {
      yield 1;
      yield 2;
    } finally {
      isClosed = true;
    }
  }
  const take = stepsOf(numbers());
  assertEquals([take("next"), take("return", 7), isClosed], [
    { done: false, value: 1 },
    { done: true, value: 7 },
    true,
  ]);
  const poor = stepsOf([1].values());
  assertEquals(poor("return", 5), { done: true, value: 5 });
  assertThrows(() => poor("throw", new TypeError("mine")), TypeError, "mine");
  assertThrows(() => poor("constructor"), RangeError, "no such step");
});
