import { assertEquals, assertThrows } from "@std/assert";
import { fnv1a } from "./fnv1a.ts";
import * as kind from "./kind.ts";
import { fn, functionsOf, hostApi } from "./signature.ts";

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

Deno.test("hostApi() takes what fn() made, and functionsOf() what hostApi() made", () => {
  for (const functions of [undefined, null, 5, "f"] as never[]) {
    const text = `its functions must be an object: current value is ${functions}`;
    assertThrows(() => hostApi("a", functions), TypeError, text);
  }
  for (const one of [undefined, null, 5, {}, kind.i32, () => 1, { parameters: [5] }] as never[]) {
    assertThrows(
      () => hostApi("a", { f: one }),
      TypeError,
      "declare a.f as fn() must make it, and",
    );
  }
  const f = fn([], kind.nothing);
  for (const api of [undefined, null, 5, {}, { f }, { name: "a", functions: { f } }] as never[]) {
    assertThrows(() => functionsOf(api), TypeError, "an API as hostApi() must make it: current");
  }
  assertEquals(functionsOf(hostApi("a", { f })).map(([key]) => key), ["f"]);
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
