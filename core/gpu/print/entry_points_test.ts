import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { entryPoints } from "./entry_points.ts";
import { printfCalls, PrintfError } from "../printf/printf_calls.ts";

function entries(source: string) {
  const text = new WgslText(source);
  return entryPoints({ text, calls: printfCalls(text), prefix: "p_" });
}

function edited(source: string): string {
  return new WgslText(source).edited(entries(source).edits);
}

const COMPUTE = "@compute @workgroup_size(1) ";
const PLACE = "p_place = vec2<u32>(LANE, GROUP.x + COUNT.x * (GROUP.y + COUNT.y * GROUP.z));";

function place(lane: string, group: string, count: string): string {
  return PLACE.replace("LANE", lane).replaceAll("GROUP", group).replaceAll("COUNT", count);
}

const ADDED = place("p_local_invocation_index", "p_workgroup_id", "p_num_workgroups");
const PARAMETERS = "@builtin(local_invocation_index) p_local_invocation_index: u32, " +
  "@builtin(workgroup_id) p_workgroup_id: vec3<u32>, @builtin(num_workgroups) p_num_workgroups: vec3<u32>";

Deno.test("an entry point that prints notes where it runs", () => {
  assertEquals(
    edited(`${COMPUTE}fn m() { printf("a"); }`),
    `${COMPUTE}fn m(${PARAMETERS}) { ${ADDED} printf("a"); }`,
  );
  assertEquals(
    edited(`${COMPUTE}fn m(@builtin(global_invocation_id) i: vec3u,) { printf("a"); }`),
    `${COMPUTE}fn m(@builtin(global_invocation_id) i: vec3u,${PARAMETERS}) { ${ADDED} printf("a"); }`,
  );
});

Deno.test("builtins that the entry point has are taken from it, out of structs as well", () => {
  const struct =
    "struct S { @builtin(local_invocation_index) l: u32, @builtin(workgroup_id) g: vec3u }";
  assertEquals(
    edited(`${struct} ${COMPUTE}fn m(s: S, @builtin(num_workgroups) n: vec3u) { printf("a"); }`),
    `${struct} ${COMPUTE}fn m(s: S, @builtin(num_workgroups) n: vec3u) { ${
      place("s.l", "s.g", "n")
    } printf("a"); }`,
  );
});

Deno.test("a struct is found through an alias", () => {
  const struct = "struct S { @builtin(position) at: vec4f } alias T = S;";
  assertStringIncludes(
    edited(`${struct} @fragment fn m(t: T) { printf("a"); }`),
    "fn m(t: T) { p_place = vec2<u32>(0x800u, (u32(t.at.y) << 16u) | u32(t.at.x));",
  );
});

Deno.test("a function that prints is found through others, in any order, and in circles", () => {
  const helpers = 'fn c() { a(); b(); } fn a() { b(); } fn b() { printf("x"); c(); }';
  assertEquals(edited(`${COMPUTE}fn m() { c(); } ${helpers}`).includes(ADDED), true);
  assertEquals(edited(`${helpers} ${COMPUTE}fn m() { let b = 1; }`).includes(ADDED), false);
  const circle = "fn a() { b(); } fn b() { a(); }";
  assertEquals(edited(`${circle} ${COMPUTE}fn m() { a(); }`).includes(ADDED), false);
});

Deno.test("a compute entry point that does not print mentions the ring", () => {
  assertEquals(edited(`${COMPUTE}fn m() {}`), `${COMPUTE}fn m() { _ = &p_ring; _ = p_dispatch.x;}`);
});

Deno.test("a fragment that prints notes its pixel, and one that does not is left alone", () => {
  const added = "p_place = vec2<u32>(0x800u, (u32(p_position.y) << 16u) | u32(p_position.x));";
  assertEquals(
    edited('@fragment fn m() { printf("a"); }'),
    `@fragment fn m(@builtin(position) p_position: vec4<f32>) { ${added} printf("a"); }`,
  );
  assertEquals(edited("@fragment fn m() {}"), "@fragment fn m() {}");
  assertEquals(entries("@fragment fn m() {}").printing, []);
  assertEquals(entries('@fragment fn m() { printf("a"); }').printing, [{
    name: "m",
    stage: "fragment",
  }]);
});

Deno.test("a vertex stage that prints is refused, with the way to the call", () => {
  const source =
    '@vertex fn v() -> @builtin(position) vec4f { a(); return b; }\nfn a() { c(); }\nfn c() { printf("a"); }';
  const error = assertThrows(() => entries(source), PrintfError, "the vertex stage of v > a > c");
  assertEquals([error.line, error.column], [3, 10]);
});
