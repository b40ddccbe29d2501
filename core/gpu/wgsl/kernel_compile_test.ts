import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import type { GpuDevice } from "../device/device.ts";
import { Kernel } from "../epochs/kernel.ts";
import { Lines } from "../text/lines.ts";
import { tokensOf } from "../text/lexer.ts";
import { KernelCompileError, WGSL_NAMES } from "./kernel_compile.ts";
import { onDevice } from "../device/on_device_test.ts";

function errorOf(gpu: GpuDevice, source: string): Promise<KernelCompileError> {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  return assertRejects(
    () => Kernel.create(gpu, { channel, waveCount: 1, source }),
    KernelCompileError,
  );
}

onDevice("a name that does not exist is shown with the author's own line", async (gpu) => {
  const { message, line } = await errorOf(
    gpu,
    "// first\nfn step_0() {\n  packet_set(0u, laneindex);\n}",
  );
  assertEquals(line, 3);
  assertStringIncludes(message, "Cannot compile the kernel as line 3, column 18 is wrong");
  assertStringIncludes(message, "laneindex");
  assertStringIncludes(message, "3 |   packet_set(0u, laneindex);");
  const { message: other } = await errorOf(
    gpu,
    "fn halve() {}\nfn kernel() { half(); square(2); }",
  );
  assertStringIncludes(other, "`half`; did you mean halve");
  const { message: unknown } = await errorOf(gpu, "fn kernel() { square(2); }");
  assertStringIncludes(unknown, "is declared as @service fn square(x: u32) -> u32;");
});

onDevice("a wrong type is shown with the author's own line, behind texts too", async (gpu) => {
  const { line } = await errorOf(
    gpu,
    'fn step_0() {\n  put("a long text");\n  let x: i32 = 1u;\n}',
  );
  assertEquals(line, 3);
});

onDevice("a name of WGSL that the generated part uses is not declared anew", async (gpu) => {
  const cases = [
    ["max", "fn max(a: u32, b: u32) -> u32 { return 0u; }"],
    ["workgroupBarrier", "fn workgroupBarrier() {}"],
    ["u32", "alias u32 = i32;"],
    ["vec2u", "struct vec2u { x: f32 }"],
    ["select", "const select = 1;"],
  ] as const;
  for (const [name, declaration] of cases) {
    const { message, line } = await errorOf(gpu, `fn kernel() {}\n${declaration}`);
    assertEquals(line, 2, message);
    assertStringIncludes(message, `it declares ${name}, a name of WGSL that the generated part`);
  }
  // A local name hides nothing from the others.
  const { message } = await errorOf(gpu, "fn f(max: u32) { let min = max; }\nfn step_0() { g(); }");
  assertStringIncludes(message, "line 2, column 15 is wrong");
});

onDevice(
  "a name that says who runs is not changed, but a local one of that name is",
  async (gpu) => {
    const changes = [
      "lane_index = 2u;",
      "wave_index++;",
      "lane_index >>= 1u;",
      "(wave_index) += 1u;",
      "let p = &lane_index;",
      "f(&(lane_index));",
    ];
    for (const change of changes) {
      for (const head of ["fn kernel() {", "fn step_0() {"]) {
        const source = `fn f(p: ptr<private, u32>) { *p = 1u; }\n${head}\n  ${change} }`;
        const { message, line } = await errorOf(gpu, source);
        assertEquals(line, 3, message);
        assertStringIncludes(message, "_index says who runs, and cannot be changed");
      }
    }
    const source = `struct S { lane_index: u32 }
    fn f(wave_index: u32) -> u32 { var lane_index = 1u; lane_index += wave_index; return lane_index; }
    fn step_0() { var s: S; s.lane_index = 2u; let b = 7u & lane_index; if lane_index == 1u {} }`;
    const channel = Channel.create({ portCount: 1, laneCount: 1 });
    (await Kernel.create(gpu, { channel, waveCount: 1, source })).destroy();
  },
);

/** Names that the texts of these folders use; those that they declare anywhere are none of WGSL's. */
function usedNames(folders: readonly string[]): Set<string> {
  const [used, declared] = [new Set<string>(), new Set<string>()];
  for (const folder of folders) {
    const root = new URL(`${folder}/`, import.meta.url);
    for (const { name: file } of Deno.readDirSync(root)) {
      if (!file.endsWith(".wgsl")) continue;
      const tokens = tokensOf(Deno.readTextFileSync(new URL(file, root)));
      tokens.forEach(({ kind, text }, at) => {
        const before = tokens[at - 1]?.text ?? "";
        if (kind !== "name" || /^[.@]$/.test(before)) return;
        used.add(text);
        const isDeclared = /^(?:fn|struct|const|let|var|>)$/.test(before) ||
          tokens[at + 1]?.text === ":";
        if (isDeclared) declared.add(text);
      });
    }
  }
  return used.difference(declared);
}

Deno.test("the names of WGSL that the generated part uses are all known", () => {
  const used = usedNames([".", "../heap", "../one_dispatch", "../server", "../../signature/wgsl"]);
  const others = new Set(
    `break const continuing else false fn for if let loop private read read_write return storage struct true
    uniform var while workgroup operate serve run_step step_caller frame_load frame_save shared_load shared_save
    global_invocation_id local_invocation_index`.split(/\s+/),
  );
  const unknown = [...used].filter((name) =>
    !WGSL_NAMES.has(name) && !others.has(name) && !/^[A-Z]/.test(name)
  );
  assertEquals(unknown, []);
});

onDevice("a name of the generated part may be a local one", async (gpu) => {
  const source =
    "fn f(lane: u32) -> u32 { let wave = lane; return wave; }\nfn step_0() { call(f(1u)); }";
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  (await Kernel.create(gpu, { channel, waveCount: 1, source })).destroy();
});

/** Texts that no compiler takes; the error is expected at the mark §, which is not in them. */
const WRONG: readonly string[] = [
  // Steps.
  "fn step_0() {\n\n  packet_set(0u, §1.5f);\n}",
  "fn f(x: u32) {}\nfn step_0() {\n  if true {\n    f(§1.5f);\n  }\n}",
  "fn g(x: u32) -> u32 { return x; }\nfn step_0() {\n\n  let a = 1u + g(§2i) + 4u;\n}",
  "fn step_0() {\n  let a = §1u + 2i;\n}",
  "fn step_0() {\n  if §1u {}\n}",
  "fn h() -> u32 {\n\n  return §1i;\n}\nfn step_0() {}",
  "fn step_0() {\n  let §a: u32 = 1.5f;\n}",
  "fn step_0() {\n  var a = 1u;\n  a = §b;\n}",
  "struct S { a: u32 }\nstruct §S { b: u32 }\nfn step_0() {}",
  "var<private> a: u32;\nvar<private> §a: f32;\nfn kernel() {}",
  "fn step_0() §{\n  if true {\n}\n",
  "fn §step_0(x: u32) {}",
  "@group(1) @binding(0) var<storage, read_write> a: u32;\n@group(1) @binding(0) var<storage, read_write> §b: u32;\nfn step_0() { a = b; }",
  // What is left of a kernel's text, and what becomes steps.
  "fn h() -> u32 {\n  return §1i;\n}\nfn kernel() {\n  print();\n}",
  "fn kernel() {\n  print();\n  let a = §1u + 2i;\n}",
  "fn kernel() {\n  var a = 1u;\n  print();\n  a = §b;\n}",
  "fn kernel() {\n  var a = 1u;\n  print();\n  if a == 1u { print(); } else if §a + 1u { print(); }\n}",
  "fn f(x: u32) {}\nfn kernel() {\n  for (var i = 0u; i < 2u; i++) {\n    f(§1.5f); print();\n  }\n}",
  "@service(40000) fn s(x: u32) -> u32;\nfn kernel() {\n  let a = s(2u) + s(\n    §1.5f);\n}",
  "@service(40000) fn s(x: u32) -> u32;\nfn kernel() {\n  var a = 1i;\n  §a += s(1u);\n}",
  '@service(40000) fn s(x: u32) -> u32;\nfn kernel() {\n  printf("a");\n  switch s(1u) {\n    case 1u: { let b = s(§vec2u(1u)); }\n    default: {}\n  }\n}',
  "fn f(x: u32) -> u32 { print(); return x; }\nfn kernel() {\n  let a = f(1u); let b = f(§2i);\n}",
  "fn f(x: u32) -> u32 {\n  print();\n  §return 2i;\n}\nfn kernel() { let a = f(1u); }",
  '@group(1) @binding(0) var t: texture_2d<u32>;\nfn kernel() {\n  printf("%u\\n", 1u); printf("%d\\n", §t);\n}',
];

onDevice(
  "whatever does not compile is shown with the author's own line and column",
  async (gpu) => {
    for (const marked of WRONG) {
      const { message, line, column } = await errorOf(gpu, marked.replace("§", ""));
      const expected = new Lines(marked).positionAt(marked.indexOf("§"));
      assertEquals({ line, column }, expected, `${marked}\n${message}`);
    }
  },
);
