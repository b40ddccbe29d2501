import { assertEquals } from "@std/assert";
import { Types } from "../../text/inference.ts";
import { Module } from "../../text/module.ts";
import { Printer } from "../../text/printer.ts";
import { entryHeads, type PrintingStage } from "./entry_heads.ts";

/** A text in which the entry point `m` prints. */
function edited(source: string, stage: PrintingStage): string {
  const module = new Module(source);
  const printing = [{ name: "m", stage }];
  const heads = entryHeads(new Types(module), { printing, prefix: "p_" });
  return new Printer(source, () => undefined, heads).module(module.globals).text;
}

const COMPUTE = "@compute @workgroup_size(1) ";
function place(lane: string, group: string, count: string): string {
  return `p_place = vec2<u32>(${lane}, ${group}.x + ${count}.x * (${group}.y + ${count}.y * ${group}.z));`;
}

const ADDED = place("p_local_invocation_index", "p_workgroup_id", "p_num_workgroups");
const PARAMETERS = "@builtin(local_invocation_index) p_local_invocation_index: u32, " +
  "@builtin(workgroup_id) p_workgroup_id: vec3<u32>, @builtin(num_workgroups) p_num_workgroups: vec3<u32>";
const GLOBAL = "@builtin(global_invocation_id) i: vec3u";
const STRUCT =
  "struct S { @builtin(local_invocation_index) l: u32, @builtin(workgroup_id) g: vec3u } ";
const OWN = `${STRUCT}${COMPUTE}fn m(s: S, @builtin(num_workgroups) n: vec3u) {`;
const PIXEL = "p_place = vec2<u32>(0x800u, (u32(AT.y) << 16u) | u32(AT.x));";
const ALIAS = "struct S { @builtin(position) at: vec4f } alias T = S; ";

Deno.test("an entry point that prints notes where it runs, and others mention the ring", () => {
  const cases: readonly (readonly [PrintingStage, source: string, wanted: string])[] = [
    ["compute", `${COMPUTE}fn m() { }`, `${COMPUTE}fn m(${PARAMETERS}) { ${ADDED} }`],
    [
      "compute",
      `${COMPUTE}fn m(${GLOBAL}, /* , */) { }`,
      `${COMPUTE}fn m(${GLOBAL},${PARAMETERS} /* , */) { ${ADDED} }`,
    ],
    [
      "compute",
      `${COMPUTE}fn m(${GLOBAL}) { }`,
      `${COMPUTE}fn m(${GLOBAL}, ${PARAMETERS}) { ${ADDED} }`,
    ],
    ["compute", `${OWN} }`, `${OWN} ${place("s.l", "s.g", "n")} }`],
    ["compute", `${COMPUTE}fn n() {}`, `${COMPUTE}fn n() { _ = &p_ring; _ = p_dispatch.x;}`],
    [
      "fragment",
      "@fragment fn m() { }",
      `@fragment fn m(@builtin(position) p_position: vec4<f32>) { ${
        PIXEL.replaceAll("AT", "p_position")
      } }`,
    ],
    [
      "fragment",
      `${ALIAS}@fragment fn m(t: T) { }`,
      `${ALIAS}@fragment fn m(t: T) { ${PIXEL.replaceAll("AT", "t.at")} }`,
    ],
    ["fragment", "@fragment fn n() {}", "@fragment fn n() {}"],
  ];
  for (const [stage, source, wanted] of cases) assertEquals(edited(source, stage), wanted);
});
