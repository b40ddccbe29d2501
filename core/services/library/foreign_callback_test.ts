import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as s from "../../signature/mod.ts";
import { callbackPointer, callSymbol } from "./foreign_callback.ts";
import { callbackDefinition } from "./foreign_types.ts";

/** What C would do with the pointer of a callback. */
function inC(kind: s.Callback, work: s.AnyFunction): (...values: unknown[]) => unknown {
  const definition = callbackDefinition(kind) as never;
  const pointer = new Deno.UnsafeFnPointer(callbackPointer(kind, work) as never, definition) as {
    call(...values: unknown[]): unknown;
  };
  return (...values) => pointer.call(...values);
}

const toInt = s.callback([s.i32], s.i32);

Deno.test("a callback has one pointer for each form, which C may keep", () => {
  const work = (value: number) => value;
  const first = callbackPointer(toInt, work);
  assertStrictEquals(callbackPointer(toInt, work), first);
  const other = callbackPointer(s.callback([s.f64], s.i32), work);
  assertEquals(other === first, false);
});

Deno.test("a callback that gives what C cannot have fails the call, and ends no process", () => {
  const call = (result: s.Scalar | s.Void, answer: unknown) =>
    callSymbol("c.f", inC(s.callback([], result), () => answer), []);
  assertEquals([call(s.i32, -5), call(s.u64, 2n ** 63n), call(s.bool, true)], [
    -5,
    2n ** 63n,
    true,
  ]);
  assertEquals([call(s.f64, 0.5), call(s.nothing, 5n)], [0.5, null as never]);
  for (const answer of [5n, Symbol("x"), "text", 0.5, 2 ** 31, undefined]) {
    assertThrows(() => call(s.i32, answer), Error, "must return an integer from -2147483648");
  }
  assertThrows(() => call(s.f64, 1n), Error, "must return a number: current value is 1");
  assertThrows(() => call(s.i64, 1), Error, "must return a bigint");
  for (const result of [s.i32, s.nothing]) {
    assertThrows(() => call(result, Promise.reject(1)), Error, "returns a promise");
  }
});

Deno.test("the first throw of a callback fails its call, and C sees zeros from there", () => {
  for (const [result, zero] of [[s.i32, 0], [s.u64, 0n], [s.f64, 0], [s.bool, false]] as const) {
    const seen: unknown[] = [];
    const thrown = new RangeError("third");
    let count = 0;
    const values: Record<string, unknown> = { i32: 7, u64: 7n, f64: 7, bool: true };
    const first = inC(s.callback([], result), function counting() {
      if (++count === 3) throw thrown;
      return values[result.type] as never;
    });
    const second = inC(s.callback([], result), () => assertEquals(count, 2, "not run any more"));
    const error = assertThrows(
      () =>
        callSymbol("c.f", () => {
          for (const call of [first, first, first, first, second]) seen.push(call());
        }, []),
      Error,
      "Cannot answer c.f as its callback counting threw: third",
    );
    assertStrictEquals(error.cause, thrown);
    assertEquals(count, 3);
    assertEquals(seen, [values[result.type], values[result.type], zero, zero, zero]);
    // The next call is another.
    count = -9;
    assertEquals(callSymbol("c.f", first, []), values[result.type]);
  }
});

Deno.test("a throw belongs to the innermost call, whose caller may catch it", () => {
  const fails = inC(toInt, () => {
    throw new Error("inside");
  });
  const nested = (isCaught: boolean) =>
    inC(toInt, (value: number) => {
      try {
        return callSymbol("c.inner", fails, [value]) as number;
      } catch (error) {
        if (isCaught) return -value;
        throw error;
      }
    });
  assertEquals(callSymbol("c.outer", nested(true), [4]), -4);
  const error = assertThrows(() => callSymbol("c.outer", nested(false), [4]), Error, "c.outer as");
  assertEquals(
    (error.cause as Error).message,
    "Cannot answer c.inner as its callback  threw: inside",
  );
  assertEquals(callSymbol("c.outer", nested(true), [5]), -5);
});

Deno.test("a callback that C kept fails the call that it is called in, and runs in none else", () => {
  let count = 0;
  const kept = inC(toInt, (value: number) => {
    count++;
    if (value < 0) throw new Error("negative");
    return value + 1;
  });
  assertEquals([kept(1), count], [0, 0]);
  assertEquals([callSymbol("c.later", kept, [1]), count], [2, 1]);
  assertThrows(() => callSymbol("c.later", kept, [-1]), Error, "c.later as its callback");
  assertEquals([kept(1), count], [0, 2]);
});
