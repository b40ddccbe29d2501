import { assertEquals, assertThrows } from "@std/assert";
import { jsonCodec, v8Codec } from "../../call/codec.ts";
import { objectCodec } from "./object_codec.ts";

const buffer = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]).buffer;

/** Values that `structuredClone` takes, each by itself. */
const DATA: Readonly<Record<string, unknown>> = {
  map: new Map<unknown, unknown>([[1, { inner: new Set([NaN, 2n]) }]]),
  date: new Date(5),
  noDate: new Date(NaN),
  pattern: /a+b/giu,
  big: -(2n ** 70n),
  numbers: [NaN, -0, Infinity, -Infinity, 0.1],
  nothing: undefined,
  property: { there: undefined, none: null },
  holes: Object.assign([1, , 3], { beside: true }), // deno-lint-ignore no-sparse-arrays
  boxes: [Object(1), Object("a"), Object(false), Object(1n)],
  bytes: new Uint8Array(buffer, 2, 3),
  doubles: new Float64Array([NaN, -0, 1.5]),
  view: new DataView(buffer, 1, 4),
  buffer,
  error: Object.assign(new RangeError("why", { cause: new TypeError("deeper") }), { code: 5 }),
  instance: new (class Point {
    x = 1;
    get y() {
      return 2;
    }
  })(),
  getter: {
    get now() {
      return 7;
    },
  },
  symbolKey: { [Symbol("hidden")]: 1, seen: 2 },
  halfPair: "\ud800",
  ownProto: JSON.parse('{"__proto__": 5}'),
};

/** What cannot be sent at all, and what its refusal names. */
const NO_DATA: readonly (readonly [unknown, string])[] = [
  [() => 1, "()"],
  [{ at: [Symbol("here")] }, "Symbol(here)"],
  [new WeakMap(), "#<WeakMap>"],
  [new WeakRef({}), "#<WeakRef>"],
  [new Proxy({}, {}), "#<Object>"],
  [(function* () {})(), "[object Generator]"],
  [new Map().keys(), "[object Map Iterator]"],
  [{ later: Promise.resolve() }, "#<Promise>"],
  [new SharedArrayBuffer(1), "#<SharedArrayBuffer>"],
];

Deno.test("objectCodec() keeps what structuredClone() keeps", () => {
  const codec = objectCodec("store");
  const copyOf = <T>(value: T) => codec.decode(codec.encode(value)) as T;
  assertEquals(codec.name, v8Codec.name);
  for (const [name, value] of Object.entries(DATA)) {
    const copy = copyOf(value);
    const clone = structuredClone(value);
    assertEquals(copy, clone, name);
    assertEquals(Deno.inspect(copy), Deno.inspect(clone), name);
    if (!ArrayBuffer.isView(copy)) continue;
    // As one that reads the buffer of an answer finds it.
    assertEquals(copy.byteOffset, (clone as Uint8Array).byteOffset, name);
    assertEquals(new Uint8Array(copy.buffer), new Uint8Array((clone as Uint8Array).buffer), name);
  }
  const shared = { self: undefined as unknown };
  shared.self = shared;
  const [left, right] = copyOf([shared, shared]) as [typeof shared, typeof shared];
  assertEquals([left === right, left.self === left], [true, true]);
});

Deno.test("objectCodec() names what cannot be sent", () => {
  const { encode } = objectCodec("store");
  for (const [value, text] of NO_DATA) {
    assertThrows(
      () => encode([value]),
      TypeError,
      `Cannot send a value from or to store by V8 serialisation as it must be data: ${text}`,
    );
  }
});

Deno.test("objectCodec() refuses what JSON would lose, by its name", () => {
  const { encode, decode } = objectCodec("store", jsonCodec);
  const kept = [undefined, null, true, -1.5, "\ud800", [[]], { a: { b: [0, "c"] } }];
  for (const value of kept) assertEquals(decode(encode(value)), value);
  const lost = Object.entries(DATA).filter(([name]) =>
    !["nothing", "instance", "getter", "symbolKey", "halfPair", "ownProto"].includes(name)
  );
  const values = [...lost.map(([, value]) => value), ...NO_DATA.map(([value]) => value)];
  for (const value of values) {
    // A proxy is what it stands for.
    if (value === NO_DATA[4]![0]) continue;
    assertThrows(() => encode({ deep: [value] }), TypeError, "or both sides take v8Codec");
  }
  assertThrows(() => encode({ ratio: NaN }), TypeError, '"ratio" must be a string, a finite');
  assertThrows(() => encode([-0]), TypeError, "current value is -0");
  assertThrows(() => encode(new Map()), TypeError, "it must be a string");
  assertThrows(() => encode([1n]), TypeError, "current value is 1");
});

Deno.test("objectCodec() is JSON's where the runtime has no other", () => {
  const { process } = globalThis as unknown as { process: { getBuiltinModule: unknown } };
  const { getBuiltinModule } = process;
  process.getBuiltinModule = () => undefined;
  try {
    assertEquals(objectCodec("store").name, jsonCodec.name);
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
});
