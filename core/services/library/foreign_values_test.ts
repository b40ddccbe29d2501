import * as s from "../../signature/mod.ts";
import type { AnyFunction, Callback, Scalar, Void } from "../../signature/declaration_types.ts";
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  callbackDefinition,
  callbackPointer,
  callSymbol,
  ForeignCallMemory,
  foreignFunction,
  foreignValue,
  hostResult,
} from "./foreign_values.ts";
import { FencePool } from "./fenced_memory.ts";

Deno.test("foreignFunction() has the types of C for each kind", () => {
  const inner = s.struct({ flag: s.u8 });
  const outer = s.struct({ inner, size: s.usize });
  const every = s.fn([
    s.i32,
    s.constant(s.u64, 1n),
    s.bytes("in"),
    s.string,
    s.handle("File"),
    s.ends("File"),
    outer,
    s.pointer("out", outer),
    s.nullable(s.handle("File")),
    s.nullable(s.string),
    s.callback([s.f64], s.nothing),
  ], s.nullable(s.string));
  const struct = { struct: [{ struct: ["u8"] }, "usize"] } as const;
  assertEquals(foreignFunction(every), {
    parameters: [
      "i32",
      "u64",
      "buffer",
      "buffer",
      "u64",
      "u64",
      struct,
      "buffer",
      "u64",
      "buffer",
      "function",
    ],
    result: "pointer",
  });
  assertEquals(
    [s.fn([], s.nothing), s.fn([], s.f32), s.fn([], outer)].map(foreignFunction).map(
      ({ result }) => result,
    ),
    ["void", "f32", struct],
  );
  const holding = s.struct({ flag: s.u8, file: s.nullable(s.handle("File")) });
  assertEquals(foreignFunction(s.fn([holding], s.nullable(s.handle("File")))), {
    parameters: [{ struct: ["u8", "u64"] }],
    result: "u64",
  });
  assertThrows(() => foreignFunction(s.fn([s.variadic], s.nothing)), TypeError, "variadic");
});

Deno.test("callbackDefinition() is what C calls", () => {
  assertEquals(callbackDefinition(s.callback([s.i32, s.f64], s.bool)), {
    parameters: ["i32", "f64"],
    result: "bool",
  });
});

const pair = s.struct({ left: s.i32, right: s.i32 });

Deno.test("foreignValue() gives texts a NUL, structs their bytes, and notes those that come back", () => {
  using pool = new FencePool();
  using memory = new ForeignCallMemory(pool, "c.f");
  assertEquals(foreignValue(s.string, "ab", memory), new Uint8Array([97, 98, 0]));
  assertEquals(foreignValue(s.nullable(s.string), null, memory), null);
  const value = { left: 1, right: -1 };
  const bytes = foreignValue(pair, value, memory);
  assertEquals(bytes, new Uint8Array([1, 0, 0, 0, 255, 255, 255, 255]));
  (foreignValue(s.pointer("in", pair), value, memory) as Uint8Array)[0] = 9;
  const written = foreignValue(s.pointer("inout", pair), value, memory) as Uint8Array;
  written[0] = 7;
  memory.takeBack();
  assertEquals(value, { left: 7, right: -1 });
  assertThrows(
    () => foreignValue(pair, { left: 1 }, memory),
    TypeError,
    "its field right is no i32",
  );
});

Deno.test("hostResult() reads structs, and keeps null", () => {
  assertEquals(hostResult(pair, new Uint8Array([2, 0, 0, 0, 3, 0, 0, 0])), { left: 2, right: 3 });
  assertEquals(hostResult(s.nullable(s.string), null), null);
  assertStrictEquals(hostResult(s.i32, 5), 5);
});

Deno.test("handles are addresses in C, in structs as well, and 0 where there is none", () => {
  const file = s.nullable(s.handle("File"));
  const inner = s.struct({ file });
  const holding = s.struct({ log: s.handle("Log"), inner });
  using pool = new FencePool();
  using memory = new ForeignCallMemory(pool, "c.f");
  assertEquals([foreignValue(file, null, memory), foreignValue(file, 5n, memory)], [0n, 5n]);
  assertEquals([hostResult(file, 0n), hostResult(file, 5n)], [null, 5n]);
  const bytes = foreignValue(
    holding,
    { log: 2n ** 63n, inner: { file: null } },
    memory,
  ) as Uint8Array;
  assertEquals([...bytes], [0, 0, 0, 0, 0, 0, 0, 128, ...new Uint8Array(8)]);
  const target = { log: null, inner: { file: null } };
  const written = foreignValue(s.pointer("out", holding), target, memory) as Uint8Array;
  written[8] = 7;
  memory.takeBack();
  assertEquals(target, { log: null, inner: { file: 7n } } as unknown as typeof target);
});

/** What C would do with the pointer of a callback. */
function inC(kind: Callback, work: AnyFunction): (...values: unknown[]) => unknown {
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
  const call = (result: Scalar | Void, answer: unknown) =>
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
