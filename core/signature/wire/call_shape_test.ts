import { assertEquals } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { fn } from "../declare/signature.ts";
import {
  callShape,
  requestLimitBytes,
  requestSlots,
  resultSlots,
  slotCodec,
} from "./call_shape.ts";

const { f64, i32, nothing, string } = kind;
const struct = kind.struct({ x: f64, at: kind.struct({ y: kind.i8 }) });

Deno.test("callShape() finds the calls that fit a packet", () => {
  const flatCount = (parameters: readonly kind.Parameter[], result: kind.Result) =>
    callShape(fn(parameters, result)).flat?.length;
  assertEquals(flatCount([], nothing), 0);
  assertEquals(flatCount(Array(7).fill(f64), i32), 7);
  assertEquals(flatCount(Array(8).fill(f64), i32), undefined);
  assertEquals(flatCount([...Array(7).fill(f64), kind.constant(i32, 1)], i32), 7);
  assertEquals(flatCount([kind.ends("File")], kind.handle("File")), 1);
  const streamed = [
    string,
    struct,
    kind.bytes("in"),
    kind.nullable(kind.handle("F")),
    kind.variadic,
  ];
  for (const parameter of streamed) assertEquals(flatCount([parameter], nothing), undefined);
  for (const result of [string, struct, kind.nullable(kind.handle("F"))]) {
    assertEquals(flatCount([f64], result), undefined);
  }
});

Deno.test("callShape() counts the arguments that callers give", () => {
  const shape = callShape(fn([kind.constant(i32, 1), string, f64, kind.variadic], nothing));
  assertEquals([shape.argumentCount, shape.isVariadic], [2, true]);
  assertEquals(callShape(fn([string], nothing)).isVariadic, false);
});

Deno.test("slotCodec() is there for what is one slot", () => {
  const kinds = [f64, kind.handle("F"), nothing, string, struct, kind.variadic];
  assertEquals(kinds.map((one) => slotCodec(one)?.demand), [
    "a number",
    "a handle",
    "nothing",
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("requestSlots() and resultSlots() are what the formats say", () => {
  const reference = kind.pointer("inout", struct);
  const parameters = [
    f64,
    string,
    kind.constant(i32, 1),
    struct,
    reference,
    kind.pointer("out", struct),
  ];
  assertEquals(parameters.map(requestSlots), [1, 1, 0, 2, 2, 0]);
  const nullables = [kind.string, reference, kind.pointer("out", struct)];
  assertEquals(nullables.map((of) => requestSlots(kind.nullable(of))), [1, 3, 1]);
  assertEquals([nothing, i32, string, struct].map(resultSlots), [0, 1, 1, 2]);
});

Deno.test("requestLimitBytes() leaves room for slots and for what fills payloads up", () => {
  assertEquals(requestLimitBytes(fn([], nothing), 100), 108);
  assertEquals(requestLimitBytes(fn([string, struct], nothing), 100), 8 + 16 + 24 + 100);
});
