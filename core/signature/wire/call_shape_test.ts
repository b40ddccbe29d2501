import { assertEquals } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { fn } from "../declare/signature.ts";
import { callShape, slotCodec } from "./call_shape.ts";

const { constant, f64, handle, i32, nothing, nullable, string, variadic } = kind;
const struct = kind.struct({ x: f64, at: kind.struct({ y: kind.i8 }) });

Deno.test("callShape() finds the calls that fit a packet, and counts what callers give", () => {
  const seven = Array<kind.Parameter>(7).fill(f64);
  const maybe = nullable(handle("F"));
  const rows: readonly (readonly [kind.Parameter[], kind.Result, number?])[] = [
    [[], nothing, 0],
    [seven, i32, 7],
    [[...seven, f64], i32],
    [[...seven, constant(i32, 1)], i32, 7],
    [[kind.ends("File")], handle("File"), 1],
    ...[string, struct, kind.bytes("in"), maybe, variadic].map((one) =>
      [[one], nothing] as [kind.Parameter[], kind.Result]
    ),
    ...[string, struct, maybe].map((result) => [[f64], result] as [kind.Parameter[], kind.Result]),
  ];
  for (const [parameters, result, flatCount] of rows) {
    assertEquals(callShape(fn(parameters, result)).flat?.length, flatCount);
  }
  const shape = callShape(fn([constant(i32, 1), string, f64, variadic], nothing));
  assertEquals([shape.argumentCount, shape.isVariadic], [2, true]);
  assertEquals(callShape(fn([string], nothing)).isVariadic, false);
  const none = [string, struct, variadic].map((one) => slotCodec(one));
  assertEquals(none, [undefined, undefined, undefined]);
  const demands = [f64, handle("F"), nothing].map((one) => slotCodec(one)?.demand);
  assertEquals(demands, ["a number", "a handle", "nothing"]);
});
