import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { Lines, type Position } from "../text/lines.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { kernelSource } from "../wgsl/kernel_source.ts";

const SQUARE = "@service(40000) fn square(x: u32) -> u32;\n";

/** Texts that are refused at the mark §, which is not in them, with what the message says. */
const REFUSED: readonly (readonly [text: string, reason: string])[] = [
  // What cannot be while lanes go on each for itself.
  ["fn kernel() {\n  §textureBarrier();\n}", "no storage textures: write storageBarrier()"],
  ["fn kernel() { §workgroupBarrier(1); }", "workgroupBarrier takes no arguments"],
  [
    "var<private> p: u32;\nfn kernel() { _ = §workgroupUniformLoad(&p); }",
    "it takes a pointer to workgroup memory: write workgroupUniformLoad(&shared_value)",
  ],
  ["var<workgroup> p: u32;\nfn kernel() { _ = §workgroupUniformLoad(p); }", "it takes a pointer"],
  [
    '@group(1) @binding(0) var<storage> all: array<u32>; fn kernel() { §printf("%v", all); }',
    "print elements, and arrayLength()",
  ],
  ['fn kernel() { prinf(§"x"); }', "give the kernel heapBytes, or did you mean printf"],
  [
    "struct S { is_on: bool, count: atomic<u32> }\nvar<workgroup> §s: S;\nfn kernel() {}",
    "s holds bools and atomics, which cannot be kept together: use u32 for the bools",
  ],
  [
    `${SQUARE}fn kernel() { if true { const a = 1u + §square(2u); } }`,
    "a const is known before the kernel runs, and cannot call the host: write let",
  ],
  [`${SQUARE}const a = §square(2u);\nfn kernel() {}`, "call it in fn kernel()"],
  [
    `fn f() -> u32 { print(); return 1u; } var<private> a = §f();\nfn kernel() {}`,
    "what is declared outside of functions is known before the kernel runs",
  ],
  ["fn kernel() { §go(1u); }", "write loops and branches"],
  ["fn kernel() { §finish(); }", "write return"],
  ["fn kernel() {}\nfn §step_0() {}", "step_0 is a step, and kernel is there, too"],
  // What cannot be kept.
  [
    `${SQUARE}fn kernel() {\n  var a = 1u;\n  let §p = &a;\n  *p = square(1u);\n}`,
    "p is wanted after a call of the host, and a pointer cannot be kept meanwhile: take it again",
  ],
  [
    `${SQUARE}fn f(§p: ptr<function, u32>) { *p = square(1u); }\nfn kernel() { var a = 1u; f(&a); }`,
    "f calls the host and takes a pointer",
  ],
  [
    `${SQUARE}fn f(p: ptr<function, vec2u>) -> u32 { return (*p).x; }
    fn kernel() { var a = vec2u(square(1u)); _ = square(2u); let p = &a.x; let b = f(&a) + *§p; }`,
    "p leads into a, to which the same statement hands on a pointer: read or write p in a statement",
  ],
  [
    `${SQUARE}fn kernel() { let p = §&array<u32, 2>(square(1u), 1u); }`,
    "a pointer is taken of what a call of the host decides",
  ],
  [
    `${SQUARE}@group(1) @binding(0) var t: texture_2d<f32>;
    fn kernel() { let §s = t; let a = square(1u); let b = textureLoad(s, vec2u(a), 0); }`,
    "texture_2d<f32> is no value that memory holds: read what you need before",
  ],
  [
    `${SQUARE}@group(1) @binding(0) var s: sampler;
    fn kernel() { let §t = s; _ = square(1u); _ = t; }`,
    "sampler is no value that memory holds",
  ],
  [
    `${SQUARE}fn kernel() { let a = §nowhere(1u) + square(1u); }`,
    "give this value to a variable with a written type, in a statement before",
  ],
  [
    `${SQUARE}fn kernel() {\n  let §r = nowhere(1u);\n  _ = square(1u) + r;\n  _ = r;\n}`,
    "the type of r does not show, and it is kept while the kernel waits for the host: write it, as in r: u32",
  ],
  [`var<private> §r = nowhere(1u);\nfn kernel() { _ = r; }`, "the type of r does not show"],
  [
    `${SQUARE}struct S { a: array<S, 2> }\nfn kernel() {\n  var §s: S;\n  _ = square(1u);\n  _ = s;\n}`,
    "S holds itself: read what you need before",
  ],
  [
    `const N = 2 - 5;\n${SQUARE}fn kernel() {\n  var §a: array<u32, N>;\n  a[0] = square(1u);\n}`,
    "the length of an array is at least 1: current value is -3: make it longer",
  ],
  [
    `const N = select(2, 5, true) | 1;\n${SQUARE}fn kernel() {\n  var §a: array<u32, N>;\n  a[0] = square(1u);\n}`,
    "array<u32, N> is kept while the kernel waits for the host, and its size does not show: write the lengths",
  ],
  [
    `${SQUARE}fn kernel() {\n  var §s: Sx;\n  s.a = square(1u);\n}`,
    "there is no type Sx: declare it",
  ],
  [
    `${SQUARE}fn kernel() {\n  switch square(1u) {\n    case 1u, 2u {}\n    case §1 + 1: {}\n    default {}\n  }\n}`,
    "2 stands in another case of this switch: leave one out",
  ],
  [
    `${SQUARE}@must_use fn f() -> u32 { return square(1u); }\nfn kernel() {\n  §f();\n}`,
    "what f gives back must be used: write _ = f(...)",
  ],
  ["var<private> §a: array<u32, 0>;\nfn kernel() { a[0] = 1u; }", "current value is 0: make it"],
  // What compilers see in generated text alone.
  ["fn f() { §discard; }\nfn kernel() { f(); }", "a kernel draws no pixels: write return"],
  ["fn kernel() {\n  _ = 1.0 + §fwidthFine(2.0);\n}", "fwidthFine() compares a pixel with those"],
  // Services.
  [
    "struct S { s: S }\n@service(40000) fn n(§s: S);\nfn kernel() {}",
    "arrays whose length is a number: current value is S",
  ],
  ["fn §n(x: u32);\nfn kernel() { n(1u); }", "n has no body: write one, or @service(40000)"],
  ["@service fn §n(x: u32);\nfn kernel() {}", "n needs the opcode that the host serves"],
  [
    "const FIRST = 65536;\n@service(§FIRST - 0) fn n();\nfn kernel() {}",
    "an opcode is a number from 32768 to 65535: current value is 65536",
  ],
  [
    "@service(§32767u) fn n();\nfn kernel() {}",
    "an opcode is a number from 32768 to 65535: current value is 32767",
  ],
  ...["3", "70000", "40000.5", "-1", "COUNT"].map((opcode) =>
    [
      `@service(§${opcode}) fn n_call();\nfn kernel() {}`,
      `from 32768 to 65535: current value is ${opcode}`,
    ] as const
  ),
  ["@service(40000) fn §n(x: u32) {}\nfn kernel() {}", "write ; for its body"],
  ["@service(40000) @cast fn n() -> §u32;\nfn kernel() {}", "a @cast does not wait"],
  [
    "@service(40000) fn n(§x: ptr<function, u32>);\nfn kernel() {}",
    "current value is ptr<function, u32>",
  ],
  ["@service(40000) fn n() -> §atomic<u32>;\nfn kernel() {}", "current value is atomic<u32>"],
  [
    "@service(40000) fn §n(x: mat4x4f, y: u32);\nfn kernel() { n(mat4x4f(), 1u); }",
    "n takes 17 words, and a packet has 16",
  ],
  ["@service(40000) fn §n() -> array<u32, 17>;\nfn kernel() {}", "n gives back 17 words"],
  [
    `${SQUARE}fn kernel() { let a = §square(); }`,
    "square(x: u32) takes 1 argument: current value is 0",
  ],
  [
    `${SQUARE}fn f(a: u32) { _ = square(a); }\nfn kernel() { §f(1u, 2u); }`,
    ") takes 1 argument: current value is 2",
  ],
  ["@service(40000) fn n();\nfn kernel() { let a = §n(); }", "n gives nothing back"],
  ["fn kernel() { let a = §call(40000u); }", "call gives nothing back"],
  // What is no kernel.
  [`fn §f() { g(); }\nfn g() { f(); print(); }\nfn kernel() { f(); }`, "f calls itself"],
  ["fn kernel(§a: u32) {}", "kernel has no parameters"],
  ["fn kernel() -> §u32 { return 1u; }", "kernel gives nothing back"],
  [
    `${SQUARE}fn kernel() { §return square(1u); }`,
    "a function without a result gives a value back",
  ],
  [
    `${SQUARE}fn kernel() {\n  if square(1u) == 1u { §break; }\n}`,
    "there is no loop that it could leave",
  ],
  [`${SQUARE}fn kernel() { §continue; }`, "there is no loop"],
  // What is no WGSL, and the compiler does not see in steps.
  [
    `${SQUARE}fn kernel() {\n  let a = 1u;\n  _ = square(a);\n  §a = 2u;\n}`,
    "a is a let and cannot",
  ],
  [
    `${SQUARE}fn f(a: vec2u) { _ = square(1u); if true { §a.x += 2u; } }\nfn kernel() { f(vec2u()); }`,
    "a is a parameter and cannot change: use a var",
  ],
  [`${SQUARE}fn kernel() { const a = 1u; _ = square(a); §a++; }`, "a is a const and cannot change"],
  [
    `${SQUARE}fn bump(p: ptr<function, u32>) { *p = 1u; }
    fn kernel() { let a = square(1u); _ = square(2u); bump(&§a); }`,
    "a is a let and cannot change",
  ],
  [
    `${SQUARE}fn kernel() { var a = square(1u); let §a = 2u; }`,
    "a is declared twice in this block",
  ],
  [`${SQUARE}fn f(a: u32) { var §a = square(1u); }\nfn kernel() { f(1u); }`, "a is declared twice"],
  [`${SQUARE}fn kernel() { let square = 1u; let a = §square(2u); }`, "square is a variable here"],
  [
    `${SQUARE}fn f() -> u32 { if square(1u) == 1u { §return; } return 1u; }\nfn kernel() { _ = f(); }`,
    "f gives a value back: write it behind return",
  ],
  [
    `${SQUARE}fn §f() -> u32 { if square(1u) == 1u { return 1u; } }\nfn kernel() { _ = f(); }`,
    "a way through it has no return",
  ],
  [
    `${SQUARE}fn §f() -> u32 { loop { switch square(1u) { case 1u: { return 1u; } default: { break; } } break; } }
    fn kernel() { _ = f(); }`,
    "a way through it has no return",
  ],
  [
    `${SQUARE}fn kernel() { loop { _ = square(1u); continuing { if true { §return; } } } }`,
    "no return may be in continuing",
  ],
  [`${SQUARE}fn kernel() {\n  §switch square(1u) { case 1u: {} }\n}`, "this switch has no default"],
  [
    `${SQUARE}fn §square(x: u32) {}\nfn kernel() {}`,
    "square is declared in line 1, too: rename one",
  ],
  [
    "fn f() {}\nfn kernel() { f(); print(); }\nfn §kernel() {}",
    "kernel is declared in line 2, too",
  ],
  [
    "§@compute @workgroup_size(64) fn kernel() {}",
    "kernel is no entry point: leave its attributes",
  ],
  [
    "fn f(§p: ptr<function, u32>) { assert(*p < 2u); }\nfn kernel() { var a = 1u; f(&a); }",
    "hand over the value, and give the new one back, or assert where it is called",
  ],
  [
    'fn kernel() { §assert(true, "%v", mat4x4f()); }',
    "an assert of a kernel tells at most 15 numbers: current value is 16",
  ],
  ["override §n: u32;\nfn kernel() { _ = n; }", "n has no value: write one, or pass it"],
  [
    "@group(0) @binding(0) var<storage> §mine: array<u32>;\nfn kernel() { _ = mine[0]; }",
    "mine is in the group of the kernel itself: write @group(1)",
  ],
  // What is no WGSL at all.
  [`${SQUARE}fn kernel() { let a: u32§; _ = square(a); }`, "= is expected and not ;"],
  [`${SQUARE}fn kernel() { var a§; a = square(1u); }`, "= is expected and not ;"],
  [`${SQUARE}fn kernel() { var<§private> a: u32; a = square(1u); }`, "is in no other memory"],
  [`${SQUARE}fn kernel() {\n  let a = square(1u) + §;\n}`, "a value is expected and not ;"],
  [`${SQUARE}fn kernel() {\n  let a = square(1u)\n  §a = 2u;\n}`, "; is expected and not a"],
  [`${SQUARE}fn kernel() { if square(1u) == 1u §a = 1u; }`, "{ is expected and not a"],
  [`${SQUARE}fn kernel() { var a = square(1u); a §5u; }`, "= is expected and not 5u"],
  [`${SQUARE}fn kernel() { let §= square(1u); }`, "a name is expected and not ="],
];

function refusal(text: string): Error & Position {
  const layout = channelLayout({ portCount: 1, laneCount: 1 });
  return assertThrows(() => kernelSource(text, { layout }), Error, "", text) as
    & Error
    & Position;
}

Deno.test("a kernel that cannot be is refused at the author's line and column", () => {
  for (const [marked, reason] of REFUSED) {
    const text = marked.replace("§", "");
    const { name, message, line, column } = refusal(text);
    assertEquals(name, "KernelCompileError", message);
    assertStringIncludes(message, reason);
    assertEquals({ line, column }, new Lines(marked).positionAt(marked.indexOf("§")), message);
    assertStringIncludes(message, `${line} | ${text.split("\n")[line - 1]}`);
  }
});

Deno.test("a printf of a kernel is refused as one of a shader is", () => {
  const { name, line, column } = refusal('fn kernel() {\n  printf("%d", 1u);\n}');
  assertEquals([name, line, column], ["PrintfError", 2, 16]);
});

Deno.test("checkKernel() takes a function that gives back in every way", () => {
  const layout = channelLayout({ portCount: 1, laneCount: 1 });
  for (
    const body of [
      "loop { if square(1u) == 1u { return 1u; } }",
      "for (;;) { switch square(1u) { case 1u: { continue; } default: { return 1u; } } }",
      "if square(1u) == 1u { return 1u; } else if true { return 2u; } else { return 3u; }",
      "var a = 1u; { let a = &a; *a = 2u; } _ = square(a); a = 2u; let p = &a; *p = 3u; return a;",
      "var v = vec2u(); let p = &v; p.x = 1u; (*p).y += p.x; return square(v.y);",
      "for (var a = 1u; a < 2u; a++) { var a = square(1u); a++; } return 1u;",
    ]
  ) kernelSource(`${SQUARE}fn f() -> u32 { ${body} }\nfn kernel() { _ = f(); }`, { layout });
});

Deno.test("checkKernel() refuses a function that has a way without a return", () => {
  const layout = channelLayout({ portCount: 1, laneCount: 1 });
  for (
    const body of [
      "_ = square(1u);",
      "while square(1u) == 1u { return 1u; }",
      "loop { if square(1u) == 1u { break; } return 1u; }",
      "loop { _ = square(1u); continuing { break if true; } }",
      "switch square(1u) { case 1u: {} default: { return 1u; } }",
      "switch square(1u) { case 1u: { if true { break; } return 1u; } default: { return 1u; } }",
      "if square(1u) == 1u { return 1u; } else if true { return 2u; }",
    ]
  ) {
    const source = `${SQUARE}fn f() -> u32 { ${body} }\nfn kernel() { _ = f(); }`;
    assertThrows(
      () => kernelSource(source, { layout }),
      KernelCompileError,
      "f gives a value back, and a way through it has no return",
    );
  }
});
