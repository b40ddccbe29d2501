import { assertEquals, assertThrows } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { callShape } from "../wire/call_shape.ts";
import { checkCount, valuesByParameter } from "./arguments.ts";

function declared(...parameters: kind.Parameter[]): ApiFunction {
  return hostApi("a", { f: fn(parameters, kind.nothing) }).functions.f as ApiFunction;
}

function values(target: ApiFunction, ...given: unknown[]): unknown[] {
  return valuesByParameter(target, callShape(target.signature), given);
}

Deno.test("valuesByParameter() puts constants where they belong, and the rest into one list", () => {
  const { constant, f64, i32, variadic } = kind;
  const target = declared(constant(i32, 1), f64, constant(i32, 2), f64, variadic);
  assertEquals(values(target, 10, 20), [1, 10, 2, 20, []]);
  assertEquals(values(target, 10, 20, "a", 3n), [1, 10, 2, 20, ["a", 3n]]);
  assertEquals(values(declared(constant(i32, 1))), [1]);
});

Deno.test("checkCount() refuses too few and too many", () => {
  const two = declared(kind.f64, kind.constant(kind.i32, 1), kind.f64);
  const more = declared(kind.f64, kind.variadic);
  assertThrows(() => values(two, 1), TypeError, "Cannot call a.f with 1 arguments as it takes 2");
  assertThrows(() => values(two, 1, 2, 3), TypeError, "with 3 arguments as it takes 2");
  assertThrows(() => values(more), TypeError, "with 0 arguments as it takes at least 1");
  checkCount(more, callShape(more.signature), [1, 2, 3]);
  checkCount(two, callShape(two.signature), [undefined, undefined]);
});
