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
  const texts = [cos, clock, srand, functions.scan].map((one) => signatureText("f", one));
  const scan = "f(Handle<FILE>, string or null, usize) -> string or null";
  assertEquals(texts, ["f(f64) -> f64", "f() -> i64", "f(u32) -> void", scan]);
  assertEquals(functions.sin, functions.cos);
});

const LINE = "as a line must be `names: kinds -> kind`, with single spaces and no commas: current ";
const bytes = { in: kind.nullable(kind.bytes("in")) };
const none = ["", "sin", "sin:f64 -> f64", "sin: f64", "sin: f64 ->", "sin:  -> f64", ": -> i32"];

/** Kinds and lines, and what is wrong with them. */
const REFUSALS: readonly (readonly [unknown[], typeof SyntaxError | typeof TypeError, string])[] = [
  [[{}, undefined], SyntaxError, "a line must be"],
  [[{}, 5], SyntaxError, "a line must be"],
  [[{}, ["f: -> i32"]], SyntaxError, "a line must be"],
  [[{}, "sin: double -> f64"], SyntaxError, "the word double must be a scalar"],
  [[{}, "sin: toString -> f64"], SyntaxError, "the word toString"],
  [[{}, "sin: f64 -> constructor"], SyntaxError, "the word constructor"],
  [[bytes, "read: -> in"], TypeError, 'current line is "read: -> in"'],
  [[{}, "read: nothing -> i32"], TypeError, "leave it out; current line is"],
  [[{}, "a b: -> i32", "c a: -> f64"], TypeError, "a as two lines have it"],
  [[{}, "a a: -> i32"], TypeError, "a as two lines have it"],
  [[{ ends: kind.ends("F") }, "open: -> ends"], TypeError, "a result ends no handle"],
  [[{ FILE: 5 }, "f: FILE -> i32"], TypeError, "current value is 5"],
  [[undefined], TypeError, "kinds must be an object: current value is undefined"],
  [[null], TypeError, "kinds must be an object: current value is null"],
  [[5], TypeError, "kinds must be an object: current value is 5"],
];

Deno.test("fns() says what is wrong with a line, and which of its arguments is none", () => {
  for (const line of none) assertThrows(() => fns({}, line), SyntaxError, `${LINE}line is`);
  for (const [given, type, text] of REFUSALS) {
    assertThrows(() => (fns as (...given: unknown[]) => unknown)(...given), type, text);
  }
});

Deno.test("failing() has each function fail as C's do", () => {
  const kinds = { text: kind.nullable(kind.string) };
  const lines = ["a: -> i32", "b: -> i64", "c: -> u32", "d: -> text", "e: -> f64", "f: -> string"];
  const meaningOf = () => ({ code: "EX", text: "example" });
  const functions: Functions = failing(fns(kinds, ...lines), { meaningOf });
  const failures = Object.values(functions).map(({ failsWith }) => failsWith);
  assertEquals(failures, [-1, -1n, 0, null, undefined, undefined]);
  const meanings = Object.values(functions).map((one) => one.meaningOf?.(1).code);
  assertEquals(meanings, ["EX", "EX", "EX", "EX", undefined, undefined]);
});
