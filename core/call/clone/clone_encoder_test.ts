import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { cloneCodec } from "../codec.ts";
import { CloneEncoder } from "./clone_encoder.ts";
import { DEPTH_MAX } from "./tags.ts";

function copy<Value>(value: Value): Value {
  return cloneCodec.decode(cloneCodec.encode(value)) as Value;
}

/** What both must agree on: types, values, holes, the order of keys, and what is the same object. */
function sameAsClone(value: unknown): void {
  const [own, engine] = [copy(value), structuredClone(value)];
  assertEquals(own, engine);
  assertEquals(Deno.inspect(own, INSPECT), Deno.inspect(engine, INSPECT));
}

const INSPECT = { depth: 50, showHidden: true, iterableLimit: 1e4, strAbbreviateSize: 1e6 };

Deno.test("CloneEncoder copies primitives as structuredClone does", () => {
  const values = [undefined, null, true, false, 0, -0, 1, 127, 128, -1, 2 ** 31 - 1, -(2 ** 31)];
  values.push(2 ** 31, 2 ** 53, 0.1, NaN, Infinity, -Infinity);
  for (const value of values) assert(Object.is(copy(value), value), String(value));
  for (const bigint of [0n, -1n, 2n ** 200n, -(2n ** 64n)]) assertEquals(copy(bigint), bigint);
  const texts = ["", "a", "ä€😀", "\ud800", "\udc00\ud800", "\ufeffmark", "\0", "x".repeat(31)];
  texts.push("x".repeat(32), "é".repeat(5000), "x".repeat(70_000), "😀".repeat(3000) + "\udfff");
  assertEquals(copy(texts), texts);
  for (const text of texts) assertEquals(copy(text), text);
});

Deno.test("CloneEncoder copies objects of every kind as structuredClone does", () => {
  const { buffer } = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  const sparse = [1, , 3, , undefined]; // deno-lint-ignore-line no-sparse-arrays
  const named = Object.assign([1, 2], { index: 3, "01": 4 });
  const both = Object.assign([1, , 3], { more: 1 }); // deno-lint-ignore-line no-sparse-arrays
  const longArray: unknown[] = [];
  longArray[4_000_000] = 1;
  class Point {
    x = 1;
    static y = 2;
    get z() {
      return 3;
    }
  }
  const values = [
    {},
    { a: 1, b: { a: 2 }, 3: 4, "": 5 },
    [{ a: 1, b: 2 }, { a: 3, b: 4 }, { b: 5, a: 6 }],
    JSON.parse('{"__proto__": 1, "x": {"__proto__": null}}'),
    Object.create(null, { a: { value: 1, enumerable: true }, hidden: { value: 2 } }),
    new Point(),
    {
      get computed() {
        return [1];
      },
    }, // deno-fmt-ignore-line
    { [Symbol("left out")]: 1, kept: 2 },
    [],
    sparse,
    named,
    both,
    longArray,
    /a(?<name>b)/dgimsuy.exec("ab") ?? "ab".match(/a(?<name>b)/),
    new Date(3),
    new Date(NaN),
    /a\/b[/]/giu,
    new Map<unknown, unknown>([[1, new Map([[NaN, -0]])], [{ a: 1 }, [2]]]),
    new Set([1, "1", new Set([undefined])]),
    [Object(true), Object(1.5), Object("text"), Object(2n)],
    buffer,
    new Uint8Array(buffer, 3, 2),
    [new Float64Array(buffer), new DataView(buffer, 2, 5), new BigInt64Array(buffer, 8)],
    ["Int8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"]
      .map((name) => Reflect.construct(Reflect.get(globalThis, name), [buffer, 4, 1])),
    [new Float32Array([0.5]), new Float16Array([0.5]), new BigUint64Array([2n ** 63n])],
    new Uint8Array(0),
  ];
  for (const value of values) sameAsClone(value);
  sameAsClone(values);
});

Deno.test("CloneEncoder keeps which objects are the same, also in cycles", () => {
  const shared = { bytes: new Uint8Array(4) };
  const root: Record<string, unknown> = {
    shared,
    again: shared,
    view: new Uint16Array(shared.bytes.buffer),
  };
  root.self = root;
  root.map = new Map<unknown, unknown>([[root, root]]);
  root.set = new Set([root, shared]);
  root.list = [root, [shared]];
  const error = new Error("cyclic");
  error.cause = { error };
  root.error = error;
  const date = new Date(1);
  root.dates = [date, date, /x/, Object(1)];
  // deno-lint-ignore no-explicit-any
  const own: any = copy(root);
  assert(own !== root && own.self === own && own.again === own.shared);
  assert(own.map.get(own) === own && own.set.has(own) && own.list[0] === own);
  assert(own.view.buffer === own.shared.bytes.buffer);
  assert(own.error.cause.error === own.error);
  assert(own.dates[0] === own.dates[1]);
  assertEquals(copy([date, date, shared, date]), [date, date, shared, date]);
});

Deno.test("CloneEncoder copies errors whole, with their own properties", () => {
  class OwnError extends RangeError {
    override name = "OwnError";
    code = 7;
  }
  const cause = Object.assign(new TypeError("deeper"), { detail: new Map([[1, 2]]) });
  const error = new OwnError("no", { cause });
  const own = copy(error);
  assert(own instanceof RangeError);
  assertEquals([own.name, own.message, own.stack, own.code], ["OwnError", "no", error.stack, 7]);
  assert(own.cause instanceof TypeError);
  assertEquals([own.cause.message, own.cause.stack], ["deeper", cause.stack]);
  assertEquals((own.cause as typeof cause).detail, new Map([[1, 2]]));
  assertEquals(Object.keys(copy(new Error("x"))), []);
  assertEquals(Object.hasOwn(copy(new Error()), "message"), false);
  const many = copy(new AggregateError([new URIError("one"), 2], "many"));
  assert(many instanceof AggregateError && many.errors[0] instanceof URIError);
  assertEquals([many.errors[1], many.message], [2, "many"]);
  const late = copy(new DOMException("late", "TimeoutError"));
  assert(late instanceof DOMException);
  assertEquals([late.name, late.message, late.code], ["TimeoutError", "late", 23]);
});

Deno.test("CloneEncoder refuses what cannot be copied, and says where it is", () => {
  const detached = new ArrayBuffer(8);
  structuredClone(detached, { transfer: [detached] });
  const refused: readonly (readonly [unknown, string])[] = [
    [() => 1, "a function"],
    [Symbol("s"), "a symbol"],
    [Promise.resolve(), "a promise: await it first"],
    [new WeakMap(), "WeakMap"],
    [new WeakRef({}), "WeakRef"],
    [new SharedArrayBuffer(8), "SharedArrayBuffer"],
    [new Uint8Array(new SharedArrayBuffer(8)), "SharedArrayBuffer"],
    [[].values(), "Array Iterator"],
    [Object(Symbol("s")), "Symbol"],
    [new ArrayBuffer(8, { maxByteLength: 16 }), "a buffer that can be resized"],
    [detached, "a buffer that was transferred"],
    [new URL("https://example.org"), "URL"],
    [new Blob([]), "Blob"],
  ];
  for (const [value, what] of refused) {
    const error = assertThrows(() => copy({ list: [0, { "a b": value }] }), TypeError);
    const { message } = error;
    assert(message.includes('the value.list[1]["a b"]'), message);
    assert(message.endsWith(`it is ${what}`), message);
  }
  assertThrows(() =>
    copy({
      get a() {
        throw new RangeError("of the getter");
      },
    }), RangeError); // deno-fmt-ignore-line
  assertEquals(copy([1]), [1], "and goes on");
});

Deno.test("CloneEncoder copies what is deep, and refuses what is too deep", () => {
  const nested = (depth: number) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
    return value;
  };
  sameDepth(nested(DEPTH_MAX));
  assertThrows(() => copy(nested(DEPTH_MAX + 1)), TypeError, "1000 objects deep");
  assertThrows(() => copy(nested(100_000)), TypeError, "1000 objects deep");
});

function sameDepth(value: unknown): void {
  let [left, right] = [copy(value), value] as unknown[];
  while (typeof right === "object") {
    [left, right] = [Object.values(left!)[0], Object.values(right!)[0]];
  }
  assertEquals(left, right);
}

Deno.test("CloneEncoder may be entered again by a getter of what it writes", () => {
  const encoder = new CloneEncoder();
  let inner = 0;
  const value = {
    get a() {
      return inner = encoder.encode("inner").headBytes;
    },
    b: "outer",
  }; // deno-fmt-ignore-line
  const { pieces } = encoder.encode(value);
  assertEquals(inner > 0, true);
  assertEquals(new TextDecoder().decode(pieces[1]).includes("outer"), true);
});

Deno.test("CloneEncoder agrees with structuredClone on any value", () => {
  const values = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withNullPrototype: true,
    withUnicodeString: true,
  });
  fc.assert(fc.property(values, (value) => sameAsClone(value)), { numRuns: 500 });
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assertEquals(copy(text), text);
  }));
});

Deno.test("CloneEncoder tells the way to what it refuses, whatever was deeper before it", () => {
  const deep = { a: { b: { c: [1, new Error("deep", { cause: {} })] } } };
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  const cases = [
    [Promise.resolve(), ""],
    [[deep, Promise.resolve()], "[1]"],
    [{ deep, here: new Map([[deep, new Set([new WeakMap()])]]) }, ".here[1][0]"],
    [{ deep, list: [deep, { shared }] }, ".list[1].shared.buffer"],
    [[deep, Object.assign(new Error("no"), { deep, place: new WeakMap() })], "[1].place"],
    [[deep, [() => 1]], "[1][0]"],
  ] as const;
  const encoder = new CloneEncoder();
  for (const [value, path] of cases) {
    assertThrows(
      () => encoder.encode(value, "it"),
      TypeError,
      `Cannot send it${path} as it cannot`,
    );
  }
});
