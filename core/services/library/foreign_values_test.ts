import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as s from "../../signature/mod.ts";
import { foreignValue, hostResult, type StructBack, takeBack } from "./foreign_values.ts";

const pair = s.struct({ left: s.i32, right: s.i32 });

Deno.test("foreignValue() gives texts a NUL, structs their bytes, and notes those that come back", () => {
  const backs: StructBack[] = [];
  assertEquals(foreignValue(s.string, "ab", backs), new Uint8Array([97, 98, 0]));
  assertEquals(foreignValue(s.nullable(s.string), null, backs), null);
  const value = { left: 1, right: -1 };
  const bytes = foreignValue(pair, value, backs);
  assertEquals(bytes, new Uint8Array([1, 0, 0, 0, 255, 255, 255, 255]));
  foreignValue(s.pointer("in", pair), value, backs);
  assertEquals(backs, []);
  const written = foreignValue(s.pointer("inout", pair), value, backs) as Uint8Array;
  written[0] = 7;
  takeBack(backs);
  assertEquals(value, { left: 7, right: -1 });
  assertThrows(
    () => foreignValue(pair, { left: 1 }, backs),
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
  assertEquals([foreignValue(file, null, []), foreignValue(file, 5n, [])], [0n, 5n]);
  assertEquals([hostResult(file, 0n), hostResult(file, 5n)], [null, 5n]);
  const bytes = foreignValue(holding, { log: 2n ** 63n, inner: { file: null } }, []) as Uint8Array;
  assertEquals([...bytes], [0, 0, 0, 0, 0, 0, 0, 128, ...new Uint8Array(8)]);
  const backs: StructBack[] = [];
  const target = { log: null, inner: { file: null } };
  const written = foreignValue(s.pointer("out", holding), target, backs) as Uint8Array;
  written[8] = 7;
  takeBack(backs);
  assertEquals(target, { log: null, inner: { file: 7n } } as unknown as typeof target);
});

Deno.test("a callback has one pointer for each form, which C may keep", () => {
  const kind = s.callback([s.i32], s.i32);
  const work = (value: number) => value;
  const first = foreignValue(kind, work, []);
  assertStrictEquals(foreignValue(kind, work, []), first);
  const other = foreignValue(s.callback([s.f64], s.i32), work, []);
  assertEquals(other === first, false);
});

Deno.test("a callback that gives what C cannot have throws, and ends no process", () => {
  const call = (result: s.Scalar | s.Void, answer: unknown) => {
    const definition = { parameters: [], result: result.kind === "void" ? "void" : result.type };
    const pointer = foreignValue(s.callback([], result), () => answer, []);
    return new Deno.UnsafeFnPointer(pointer as never, definition as never).call();
  };
  assertEquals([call(s.i32, -5), call(s.u64, 2n ** 63n), call(s.bool, true)], [
    -5,
    2n ** 63n,
    true,
  ]);
  assertEquals([call(s.f64, 0.5), call(s.nothing, 5n)], [0.5, null as never]);
  for (const answer of [5n, Symbol("x"), "text", 0.5, 2 ** 31, undefined, Promise.resolve(1)]) {
    assertThrows(() => call(s.i32, answer), TypeError, "must return an integer from -2147483648");
  }
  assertThrows(() => call(s.f64, 1n), TypeError, "must return a number: current value is 1");
  assertThrows(() => call(s.i64, 1), TypeError, "must return a bigint");
});
