import { assertEquals } from "@std/assert";
import { WgslText } from "./wgsl_text.ts";
import { elementType, memberType, namedType, typeText } from "./value_type.ts";

const MODULE = "alias V = vec3f; alias R = R; struct S { at: V, ids: array<V, 2> }";

/** What a type leads to, as WGSL writes it. */
function typesOf(written: string, member: string): readonly (string | undefined)[] {
  const scope = new WgslText(`${MODULE} alias Written = ${written};`);
  const type = namedType(scope, scope.declarations.aliases.get("Written")!);
  return [type, memberType(scope, type, member), elementType(type)]
    .map((one) => one && typeText(one));
}

Deno.test("a written type leads to its members and elements", () => {
  assertEquals(typesOf("V", "zx"), ["vec3<f32>", "vec2<f32>", "f32"]);
  assertEquals(typesOf("vec4<i32>", "r"), ["vec4<i32>", "i32", "i32"]);
  assertEquals(typesOf("S", "at"), ["S", "vec3<f32>", undefined]);
  assertEquals(typesOf("array<S, 2 * N>", "at"), ["array<S, 2 * N>", undefined, "S"]);
  assertEquals(typesOf("array<S, (9>>1)>", "at"), ["array<S, ( 9 >> 1 )>", undefined, "S"]);
  assertEquals(typesOf("mat2x3<f32>", "x"), ["mat2x3<f32>", undefined, "vec3<f32>"]);
  assertEquals(typesOf("array<V, 2>", "x"), ["array<V, 2>", undefined, "V"]);
  assertEquals(typesOf("R", "x"), ["R", undefined, undefined]);
});
