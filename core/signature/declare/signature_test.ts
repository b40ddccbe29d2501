import { assertEquals, assertThrows } from "@std/assert";
import { fnv1a } from "./fnv1a.ts";
import * as kind from "./kind.ts";
import { fn, hostApi } from "./signature.ts";

Deno.test("hostApi() names functions and hashes their texts", () => {
  const { name, functions } = hostApi("math", { hypot: fn([kind.f64, kind.f64], kind.f64) });
  const { hypot } = functions;
  assertEquals([name, hypot.name], ["math", "math.hypot"]);
  assertEquals(hypot.hash & 0x7fffffff, fnv1a(hypot.text) & 0x7fffffff);
  assertEquals(hypot.text, "math.hypot(f64, f64) -> f64");
});

Deno.test("no hash of a signature could be the length of a stream", () => {
  const functions = Object.fromEntries(
    Array.from({ length: 64 }, (_, index) => [`f${index}`, fn([kind.string], kind.u32)]),
  );
  for (const { hash } of Object.values(hostApi("many", functions).functions)) {
    assertEquals([hash >= 2 ** 31, hash < 2 ** 32], [true, true]);
  }
});

Deno.test("hostApi() refuses names that are none", () => {
  const none = fn([], kind.nothing);
  for (const name of ["", "a.b", "1a", "_a", "a b"]) {
    assertThrows(() => hostApi(name, {}), TypeError, JSON.stringify(name));
    assertThrows(() => hostApi("a", { [name]: none }), TypeError, JSON.stringify(name));
  }
  assertThrows(() => hostApi("a", { ["__proto__"]: none }), TypeError, "__proto__");
});

Deno.test("hostApi() keeps functions apart from what every object has", () => {
  const { functions } = hostApi("a", { constructor: fn([], kind.i32) });
  assertEquals(functions.constructor.name, "a.constructor");
  assertEquals(Object.keys(functions), ["constructor"]);
});

Deno.test("fn() is what it was when it was declared", () => {
  const signature = fn([kind.f64], kind.i32, { failsWith: -1 });
  assertThrows(() => Object.assign(signature, { failsWith: 1 }), TypeError);
  assertEquals(signature.parameters.length, 1);
});
