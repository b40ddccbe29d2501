import { assertEquals, assertThrows } from "@std/assert";
import type { Scalar, Text, Void } from "./kind.ts";
import * as kind from "./kind.ts";
import { failing, fns } from "./fns.ts";
import { type Functions, type FunctionSignature, signatureText } from "./signature.ts";

const KINDS = { FILE: kind.handle("FILE"), constructor: kind.nullable(kind.string) } as const;

Deno.test("fns() declares the functions of each line, and the compiler knows their types", () => {
  const functions = fns(
    KINDS,
    "sin cos: f64 -> f64",
    "clock: -> i64",
    "srand: u32 -> nothing",
    "scan: FILE constructor usize -> constructor",
  );
  const cos: FunctionSignature<readonly [Scalar<"f64">], Scalar<"f64">> = functions.cos;
  const clock: FunctionSignature<readonly [], Scalar<"i64">> = functions.clock;
  const srand: FunctionSignature<readonly [Scalar<"u32">], Void> = functions.srand;
  // @ts-expect-error it takes a double
  const _wrong: FunctionSignature<readonly [Text], Scalar<"f64">> = functions.sin;
  // @ts-expect-error no line has it
  assertEquals(functions.tan, undefined);
  assertEquals(
    [cos, clock, srand, functions.scan].map((one) => signatureText("f", one)),
    [
      "f(f64) -> f64",
      "f() -> i64",
      "f(u32) -> nothing",
      "f(Handle<FILE>, string or null, usize) -> string or null",
    ].map((text) => text.replace("nothing", "void")),
  );
  assertEquals(functions.sin, functions.cos);
});

Deno.test("fns() says what is wrong with a line", () => {
  for (
    const line of [
      "",
      "sin",
      "sin:f64 -> f64",
      "sin: f64",
      "sin: f64 ->",
      "sin:  -> f64",
      ": -> i32",
    ]
  ) {
    assertThrows(
      () => fns({}, line),
      SyntaxError,
      "as a line must be `names: kinds -> kind`, with single spaces and no commas: current line is",
    );
  }
  assertThrows(
    () => fns({}, "sin: double -> f64"),
    SyntaxError,
    "the word double must be a scalar",
  );
  assertThrows(() => fns({}, "sin: toString -> f64"), SyntaxError, "the word toString");
  assertThrows(() => fns({}, "sin: f64 -> constructor"), SyntaxError, "the word constructor");
  const bytes = { in: kind.nullable(kind.bytes("in")) };
  assertThrows(() => fns(bytes, "read: -> in"), TypeError, 'current line is "read: -> in"');
  assertThrows(() => fns({}, "read: nothing -> i32"), TypeError, "leave it out; current line is");
  assertThrows(() => fns({}, "a b: -> i32", "c a: -> f64"), TypeError, "a as two lines have it");
  assertThrows(() => fns({}, "a a: -> i32"), TypeError, "a as two lines have it");
  assertThrows(
    () => fns({ ends: kind.ends("F") }, "open: -> ends"),
    TypeError,
    "a result ends no handle",
  );
});

Deno.test("fns() says which of its arguments is none", () => {
  for (const kinds of [undefined, null, 5] as never[]) {
    assertThrows(() => fns(kinds), TypeError, `kinds must be an object: current value is ${kinds}`);
  }
  for (const line of [undefined, 5, ["f: -> i32"]] as never[]) {
    assertThrows(() => fns({}, line), SyntaxError, "a line must be");
  }
  const wrong = { FILE: 5 } as never;
  assertThrows(() => fns(wrong, "f: FILE -> i32"), TypeError, "current value is 5");
});

Deno.test("failing() has each function fail as C's do", () => {
  const kinds = { text: kind.nullable(kind.string) };
  const lines = ["a: -> i32", "b: -> i64", "c: -> u32", "d: -> text", "e: -> f64", "f: -> string"];
  const meaningOf = () => ({ code: "EX", text: "example" });
  const functions: Functions = failing(fns(kinds, ...lines), { meaningOf });
  assertEquals(Object.values(functions).map(({ failsWith }) => failsWith), [
    ...[-1, -1n, 0, null],
    ...[undefined, undefined],
  ]);
  const meanings = Object.values(functions).map((one) => one.meaningOf?.(1).code);
  assertEquals(meanings, ["EX", "EX", "EX", "EX", undefined, undefined]);
});
