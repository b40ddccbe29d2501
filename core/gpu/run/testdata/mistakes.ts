import type { Program } from "./program.ts";

/** Texts that no compiler takes, each wrong at its mark. */
const STEPS: readonly string[] = [
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
  'fn step_0() {\n  put("a long text");\n  let §x: i32 = 1u;\n}',
];
/** What is left of a kernel's text, and what becomes steps. */
const KERNELS: readonly string[] = [
  "fn h() -> u32 {\n  return §1i;\n}\nfn kernel() {\n  print();\n}",
  "fn kernel() {\n  print();\n  let a = §1u + 2i;\n}",
  "fn kernel() {\n  var a = 1u;\n  print();\n  a = §b;\n}",
  "fn kernel() {\n  var a = 1u;\n  print();\n  if a == 1u { print(); } else if §a + 1u { print(); }\n}",
  "fn f(x: u32) {}\nfn kernel() {\n  for (var i = 0u; i < 2u; i++) {\n    f(§1.5f); print();\n  }\n}",
  "fn f(x: u32) -> u32 { print(); return x; }\nfn kernel() {\n  let a = f(1u); let b = f(§2i);\n}",
  "fn f(x: u32) -> u32 {\n  print();\n  §return 2i;\n}\nfn kernel() { let a = f(1u); }",
  'fn kernel() {\n  // a\n  put("\u2028\u0085");\n  §textureBarrier();\n}',
  "@group(1) @binding(0) var §t: texture_2d<f32>;\nfn kernel() { _ = textureDimensions(t); }",
];
const CALLS: readonly string[] = [
  "fn kernel() {\n  let a = s(2u) + s(\n    §1.5f);\n}",
  "fn kernel() {\n  var a = 1i;\n  §a += s(1u);\n}",
  'fn kernel() {\n  printf("a");\n  switch s(1u) {\n    case 1u: { let b = s(§vec2u(1u)); }\n    default: {}\n  }\n}',
  "fn kernel() { let y = s(1); §oh(y); }",
];
/** Names that the generated part uses, and those that say who runs. */
const NAMES: readonly (readonly [source: string, reason: string])[] = [
  ["// first\nfn step_0() {\n  packet_set(0u, §laneindex);\n}", "3 |   packet_set(0u, laneindex);"],
  ["fn halve() {}\nfn kernel() { §half(); square(2); }", "`half`; did you mean halve"],
  ["fn kernel() { §square(2); }", "is declared as @service fn square(x: u32) -> u32;"],
  ...[
    ["max", "fn §max(a: u32, b: u32) -> u32 { return 0u; }"],
    ["workgroupBarrier", "fn §workgroupBarrier() {}"],
    ["u32", "alias §u32 = i32;"],
    ["vec2u", "struct §vec2u { x: f32 }"],
    ["select", "const §select = 1;"],
  ].map(([name, text]) =>
    [
      `fn kernel() {}\n${text}`,
      `it declares ${name}, a name of WGSL that the generated part`,
    ] as const
  ),
  ["fn f(max: u32) { let min = max; }\nfn step_0() { §g(); }", "`g`"],
  ...["fn kernel() {", "fn step_0() {"].flatMap((head) =>
    [
      "§lane_index = 2u;",
      "§wave_index++;",
      "§lane_index >>= 1u;",
      "(§wave_index) += 1u;",
      "let p = &§lane_index;",
      "f(&(§lane_index));",
    ].map((change) =>
      [
        `fn f(p: ptr<private, u32>) { *p = 1u; }\n${head}\n  ${change} }`,
        "_index says who runs, and cannot be changed",
      ] as const
    )
  ),
];

function mistake(
  source: string,
  reasons: readonly string[] = [],
  run: Program["run"] = {},
): Program {
  const line = source.split("\n").find((one) => one.includes("§"))!.trim();
  return {
    name: `a mistake is shown where it was made: ${line}`,
    source,
    run: { laneCount: 1, ...run },
    fails: ["KernelCompileError", ...reasons],
  };
}

/** What does not compile, and where its author reads that. */
export const MISTAKES: readonly Program[] = [
  ...STEPS.map((source) => mistake(source)),
  ...KERNELS.map((source) => mistake(source)),
  ...CALLS.map((source) =>
    mistake(`@service fn s(x: u32) -> u32;\n${source}`, [], { functions: { s: (x: number) => x } })
  ),
  ...NAMES.map(([source, reason]) => mistake(source, [reason])),
  {
    name: "a format that does not fit is shown at its printf",
    source: '@service fn s(x: u32) -> u32; fn kernel() { printf("%s", s(1)); }',
    run: { functions: { s: (x: number) => x } },
    fails: ["PrintfError", '1 | @service fn s(x: u32) -> u32; fn kernel() { printf("%s", s(1)); }'],
  },
];
