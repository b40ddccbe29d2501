import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { onDevice } from "../device/on_device_test.ts";
import { Kernel } from "../epochs/kernel.ts";
import { PrintfError } from "../print/printf_error.ts";
import { withPrintf } from "../print/with_printf.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { Types } from "./inference.ts";
import { TextFault } from "./lines.ts";
import { Module } from "./module.ts";
import { refusePartPointers } from "./text_rules.ts";

/** Where a text is refused, if it is. */
function faultIn(text: string, refuse: (module: Module) => void): number | undefined {
  try {
    refuse(new Module(text));
    return undefined;
  } catch (error) {
    if (error instanceof TextFault) return error.start;
    throw error;
  }
}

const OUTSIDE = `struct S { at: vec3f, ids: array<u32, 4> }
alias P = ptr<function, u32>;
fn one(p: P) { *p = 1u; }
fn vector(p: ptr<function, vec3f>) {}
fn whole(p: ptr<function, S>, q: ptr<function, array<u32, 4>>) {}
var<private> shared_s: S;
fn at_index(p: ptr<function, array<u32, 4>>, i: u32) { (*p)[i] = 1u; }
fn private_one(p: ptr<private, u32>) {}
`;
const VARIABLES = "var s: S; var a: array<u32, 4>; var v = vec3f(); var x = 1u; var i = 1u;";

function problemOf(body: string): number | undefined {
  const text = `${OUTSIDE}fn f(pp: ptr<function, S>) { ${VARIABLES} ${body} }`;
  return faultIn(text, (module) => refusePartPointers(new Types(module)));
}

/** Each of these ends the process of Deno 2.9.6 when a pipeline is made. */
const ENDS = [
  "one(§&a[i]);",
  "one(§&s.ids[1]);",
  "one(§(&(a[1])));",
  "vector(§&s.at);",
  "vector(§&pp.at);",
  "vector(§&(*pp).at);",
  "whole(&s, §&s.ids);",
  "let p = &a[i]; one(§p);",
  "let p = &s; let q = &p.ids; let r = q; whole(p, §r);",
  "private_one(§&shared_s.ids[2]);",
];

Deno.test("refusePartPointers() refuses a pointer to a part of a variable that a function gets", () => {
  for (const marked of ENDS) {
    const start = OUTSIDE.length + "fn f(pp: ptr<function, S>) { ".length + VARIABLES.length + 1;
    assertEquals(problemOf(marked.replace("§", "")), start + marked.indexOf("§"), marked);
  }
});

/** These work. */
const RIGHT = [
  "let p = &a[i]; *p = 1u; x = *p;",
  "let p = &s.at; (*p).x = 1.0; p.y = 2.0;",
  "one(&x); one(&*&x); let p = &x; let q = p; one(q); one((&(x)));",
  "whole(pp, &a); whole(&s, &a); whole(&*pp, &a);",
  "let p = &x; { let p = &s.ids[0]; } one(p);",
  // What the message advises.
  "var part = a[i]; one(&part); a[i] = part;",
  "at_index(&a, i);",
];

onDevice("what functions may get of pointers is taken", async ({ device }) => {
  for (const body of RIGHT) {
    assertEquals(problemOf(body), undefined, body);
    const code = `${OUTSIDE}fn f(pp: ptr<function, S>) { ${VARIABLES} ${body} }
@compute @workgroup_size(1) fn main() { var s: S; f(&s); }`;
    const module = await withPrintf(code).compile(device);
    device.pushErrorScope("validation");
    device.createComputePipeline({ layout: "auto", compute: { module } });
    assertEquals(await device.popErrorScope(), null, body);
  }
});

onDevice("kernels and shaders are refused before the runtime sees them", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const kernels = [
    "fn kernel() {\n  var a: array<u32, 2>;\n  one(&a[0]); }",
    "fn step_0() {\n  var a: array<u32, 2>;\n  one(&a[0]); }",
    "fn kernel() {\n  var a: array<u32, 2>; print();\n  one(&a[0]); }",
  ];
  for (const text of kernels) {
    const source = `${OUTSIDE}${text}`;
    const error = await assertRejects(
      () => Kernel.create(gpu, { channel, waveCount: 1, source }),
      KernelCompileError,
    );
    assertEquals([error.line, error.column], [11, 7]);
    assertStringIncludes(error.message, "put the part into a var");
  }
  assertThrows(
    () => withPrintf(`${OUTSIDE}fn main() { var s: S; vector(&s.at); }`),
    PrintfError,
    "line 9, column 30",
  );
});
