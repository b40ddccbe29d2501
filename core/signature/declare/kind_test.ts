import { assert, assertEquals } from "@std/assert";
import * as kind from "./kind.ts";
import { lengthOf } from "./length.ts";

Deno.test("kinds say what they are, and stay so", () => {
  const length = lengthOf(0);
  const struct = kind.struct({ x: kind.f64 });
  const made: readonly (readonly [object, object])[] = [
    [kind.bytes("out", length), { kind: "bytes", direction: "out", length }],
    [kind.handle("File"), { kind: "handle", name: "File", isEnd: false }],
    [kind.ends("File"), { kind: "handle", name: "File", isEnd: true }],
    [struct, { kind: "struct", fields: { x: kind.f64 } }],
    [kind.pointer("in", struct), { kind: "reference", direction: "in", struct }],
    [kind.nullable(kind.string), { kind: "nullable", of: kind.string }],
    [kind.constant(kind.i32, 3), { kind: "constant", of: kind.i32, value: 3 }],
    [kind.callback([kind.i8], kind.nothing), {
      kind: "callback",
      parameters: [kind.i8],
      result: kind.nothing,
    }],
  ];
  for (const [one, expected] of made) {
    assertEquals(one, expected);
    assert(Object.isFrozen(one));
  }
});

Deno.test("each scalar is named as it is exported, and has C's size", () => {
  for (const [name, sizeBytes] of Object.entries(kind.SCALAR_BYTES)) {
    const scalar = kind[name as kind.ScalarName];
    assertEquals(scalar, { kind: "scalar", type: name as kind.ScalarName } as typeof scalar);
    const bits = /\d+/.exec(name)?.[0];
    assertEquals(sizeBytes, bits ? Number(bits) / 8 : name === "bool" ? 1 : 8);
  }
});
