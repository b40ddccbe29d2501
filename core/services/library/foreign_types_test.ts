import { assertEquals, assertThrows } from "@std/assert";
import * as s from "../../signature/mod.ts";
import { callbackDefinition, foreignFunction } from "./foreign_types.ts";

Deno.test("foreignFunction() has the types of C for each kind", () => {
  const inner = s.struct({ flag: s.u8 });
  const outer = s.struct({ inner, size: s.usize });
  const every = s.fn([
    s.i32,
    s.constant(s.u64, 1n),
    s.bytes("in"),
    s.string,
    s.handle("File"),
    s.ends("File"),
    outer,
    s.pointer("out", outer),
    s.nullable(s.handle("File")),
    s.nullable(s.string),
    s.callback([s.f64], s.nothing),
  ], s.nullable(s.string));
  const struct = { struct: [{ struct: ["u8"] }, "usize"] } as const;
  assertEquals(foreignFunction(every), {
    parameters: [
      "i32",
      "u64",
      "buffer",
      "buffer",
      "u64",
      "u64",
      struct,
      "buffer",
      "u64",
      "buffer",
      "function",
    ],
    result: "pointer",
  });
  assertEquals(
    [s.fn([], s.nothing), s.fn([], s.f32), s.fn([], outer)].map(foreignFunction).map(
      ({ result }) => result,
    ),
    ["void", "f32", struct],
  );
  const holding = s.struct({ flag: s.u8, file: s.nullable(s.handle("File")) });
  assertEquals(foreignFunction(s.fn([holding], s.nullable(s.handle("File")))), {
    parameters: [{ struct: ["u8", "u64"] }],
    result: "u64",
  });
  assertThrows(() => foreignFunction(s.fn([s.variadic], s.nothing)), TypeError, "variadic");
});

Deno.test("callbackDefinition() is what C calls", () => {
  assertEquals(callbackDefinition(s.callback([s.i32, s.f64], s.bool)), {
    parameters: ["i32", "f64"],
    result: "bool",
  });
});
