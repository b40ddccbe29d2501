import { assertEquals } from "@std/assert";
import { builtinType, unified } from "./builtin_types.ts";
import type { ValueType } from "./value_type.ts";

function plain(name: string): ValueType {
  return { name, args: [] };
}

function vec3(component: string): ValueType {
  return { name: "vec3", args: [plain(component)] };
}

Deno.test("unified() prefers what is written to numbers without a suffix", () => {
  const cases = [["int", "u32", "u32"], ["u32", "int", "u32"], ["int", "float", "float"]] as const;
  const others = [["float", "int", "float"], ["f32", "int", "f32"], ["int", "int", "int"]] as const;
  for (const [left, right, both] of [...cases, ...others]) {
    assertEquals(unified(plain(left), plain(right)), plain(both));
  }
  assertEquals(unified(plain("int"), vec3("f32")), vec3("f32"));
  assertEquals(unified(vec3("int"), plain("f32")), vec3("f32"));
});

Deno.test("builtinType() needs no arguments where the result is always the same", () => {
  assertEquals(builtinType("arrayLength", []), plain("u32"));
  assertEquals(builtinType("all", [undefined]), plain("bool"));
  assertEquals(builtinType("max", [undefined, plain("u32")]), undefined);
  assertEquals(builtinType("noSuchFunction", [plain("u32")]), undefined);
});
