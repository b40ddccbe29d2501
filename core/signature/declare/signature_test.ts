import { assertEquals, assertThrows } from "@std/assert";
import { fnv1a } from "./fnv1a.ts";
import * as kind from "./kind.ts";
import { lengthOf } from "./length.ts";
import { fn, functionsOf, hostApi, signatureText } from "./signature.ts";

const { f64, i32, nothing, string, u64 } = kind;

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

Deno.test("signatureText() tells each kind by its own words", () => {
  const struct = kind.struct({ x: f64, at: kind.struct({ y: i32 }) });
  const signature = fn([
    f64,
    kind.bytes("in"),
    kind.bytes("inout", lengthOf(0 + 4).times(8).plus(1)),
    string,
    u64,
    kind.handle("File"),
    kind.ends("File"),
    kind.nullable(kind.pointer("out", struct)),
    kind.constant(i32, -3),
    kind.callback([i32, f64], nothing),
    kind.variadic,
  ], struct);
  const structText = "{ x: f64, at: { y: i32 } }";
  assertEquals(
    signatureText("a.f", signature),
    "a.f(f64, in bytes, inout bytes[#4 * 8 + 1], string, u64, Handle<File>, ends Handle<File>, " +
      `out *${structText} or null, i32 = -3, (i32, f64) => void, ...) -> ${structText}`,
  );
});

Deno.test("signatureText() tells how a function fails, and what it may give back", () => {
  const closing = fn(
    [kind.ends("F", { when: 0 }), kind.nullable(kind.ends("F", { unless: -1 }))],
    i32,
  );
  assertEquals(
    signatureText("a.f", closing),
    "a.f(ends Handle<F> when 0, ends Handle<F> unless -1 or null) -> i32",
  );
  assertEquals(signatureText("a.f", fn([], i32, { failsWith: -1 })), "a.f() -> i32, -1 on failure");
  const none = fn([], kind.nullable(string), { failsWith: null });
  assertEquals(signatureText("a.f", none), "a.f() -> string or null, null on failure");
});
