/** A shader, and what it prints: lines as `LINE [INVOCATION] TEXT`, then the first words or pixels that it leaves. */
export interface Program {
  readonly name: string;
  readonly code: string;
  readonly prints: readonly string[];
  /** What is left of `@group(0) @binding(0)`, which begins as zeros. */
  readonly words?: readonly number[];
  /** The reds of two by two pixels, of a fragment stage. */
  readonly reds?: readonly number[];
  readonly groupCount?: number;
}

const MAIN = "@compute @workgroup_size(1) fn main()";
const LANES =
  "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32, /* , */)";
const WORDS = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n";
const VERTEX = `@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1); }\n`;
const PIXEL = "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f";
const ZEROS = Array(16).fill(0).join(", ");

/** Bodies of one lane, each with what it prints. */
const BODIES: readonly (readonly [body: string, ...printed: string[]])[] = [
  ['let a = -5; printf("%d|%5i|%-5d|%+d\\n", a, a, a, -a);', "-5|   -5|-5   |+5"],
  ['let a = 255u; printf("%u %x %#X %o %04x\\n", a, a, a, a, a);', "255 ff 0XFF 377 00ff"],
  [
    'var a = 1.5; printf("%f %.1f %e %g %8.3f\\n", a, a, a, a, -a);',
    "1.500000 1.5 1.500000e+00 1.5   -1.500",
  ],
  ['printf("%f %.20f\\n", 0.1, 0.1);', "0.100000 0.10000000149011611938"],
  ['printf("100%% %s %5s|%-3s|\\n", "of it %d", "é😀", "a");', "100% of it %d    é😀|a  |"],
  [
    'printf("%v %v %v\\n", vec2f(1, 2.5), vec3i(-1, 0, 1), vec4u(1));',
    "(1, 2.5) (-1, 0, 1) (1, 1, 1, 1)",
  ],
  [
    'printf("%.1v2f %v3d %v2x %v2b\\n", vec2f(1) + 1, vec3(-1, 0, 1), vec2u(255), vec2<bool>());',
    "(2.0, 2.0) (-1, 0, 1) (ff, ff) (false, false)",
  ],
  [
    'let w = 6; printf("%*d|%-*d|%.*f\\n", w, 1, w, 2, 2, 1.0);',
    "     1|2     |1.00",
  ],
  ['printf("%u %d\\n", 4294967295, -2147483648);', "4294967295 -2147483648"],
  ['var z = 0.0; printf("%f %f\\n", 1e38 * (z + 1e38), -1e38 * (z + 1e38));', "inf -inf"],
  ['printf(""); printf("\\n");', ""],
  [
    'let m = modf(2.5); let e = frexp(8.0); printf("%v %v %v %v\\n", m.fract, m.whole, e.exp, vec4f(1, 2, 3, 4).wzx);',
    "0.5 2 4 (4, 3, 1)",
  ],
  [
    'let c = array(array(1, 2), array(3, 4)); printf("%v %v\\n", c, c[1]);',
    "[[1, 2], [3, 4]] [3, 4]",
  ],
  [
    'for (printf("i"); false; printf("c")) { } var k = 0; for (; k < 2; k++) { printf("%d", k); } printf("\\n");',
    "i01",
  ],
  [
    'printf("a"); if true { printf("c"); } else { printf("d"); } switch 4 { case 4: { printf("4\\n"); } default: { } }',
    "ac4",
  ],
  [
    'var j = 0; loop { printf("l"); continuing { j++; printf("c%d", j); break if j > 1; } } printf("\\n");',
    "lc1lc2",
  ],
  [
    '// printf("%q")\n /* printf("/* nested */") */ printf("// /* \\"%s\\" \\t\\u00e9 { } ; ,\\n", "*/");',
    '// /* "*/" \té { } ; ,',
  ],
  ['let printf = 1u; { let printf_ring = 2u; printf("%u %u\\n", printf, printf_ring); }', "1 2"],
  ["assert(1u > 2u);", "assertion failed: 1u > 2u"],
  [
    'assert(any(vec3i(1) == vec3i(5)), "50%% %s %v\\n\\n", "\\u00e9|", vec3i(1).zy);',
    "assertion failed: any(vec3i(1) == vec3i(5)): 50% é| (1, 1)",
  ],
  [
    'var a = array(1u, 2u); let i = 1; printf_if(a[0] < a[1], "lt\\n"); assert(a[0] > a[i], "%u", a[0]);',
    "lt",
    "assertion failed: a[0] > a[i]: 1",
  ],
];

/** Bodies in which lane 1 fails, and all others set their word to 1. */
const STOPPING: readonly string[] = [
  "assert(lane != 1u); o[lane] = 1u;",
  "_ = check(lane); o[lane] = 1u;",
  "let x = check(lane); o[lane] = 1u;",
  "o[lane] = select(1u, 0u, check(lane) == 9u);",
  "if check(lane) == 7u { } else { o[lane] = 1u; }",
  "if false { } else if check(lane) == 7u { } else { o[lane] = 1u; }",
  "if check(lane) == 7u { } else if lane < 9u { o[lane] = 1u; }",
  "switch check(lane) { default: { o[lane] = 1u; } }",
  "for (var i = check(lane); i < 9u; i++) { o[lane] = 1u; }",
  "for (var i = 0u; i < 2u; i += check(lane) + 1u) { if i > 0u { o[lane] = 1u; } } o[lane] = 1u;",
  "while check(lane) != 7u { o[lane] = 1u; break; }",
  "loop { if false { break; } continuing { assert(lane != 1u); break if true; } } o[lane] = 1u;",
  "loop { continuing { _ = check(lane); break if true; } } o[lane] = 1u;",
  "loop { continuing { break if check(lane) != 7u; } } o[lane] = 1u;",
  "{ { _ = check(lane); } o[lane] = 1u; }",
  "assert(check(lane) < 9u); o[lane] = 1u;",
  'printf_if(check(lane) > 9u, "%u", lane); o[lane] = 1u;',
  "var x = 0u; x += check(lane); o[lane] = 1u;",
  "o[lane] += check(lane) - lane + 1u;",
  "o[lane] = 1u - check(lane) + lane;",
  "var v = vec2u(); v.y = check(lane); o[lane] = 1u;",
  "let p = &o[lane]; *p = min(check(lane) + 1u, 1u);",
  "var t: i32 = 0; t = select(3, 4, check(lane) > 9u); o[lane] = u32(t - 2);",
  "o[lane] = deep(lane);",
  "let a = deep_struct(lane).list[1]; o[lane] = a.x + 1u - a.x;",
];

const CHECK = `struct Part { list: array<vec2u, 2> }
fn check(x: u32) -> u32 { assert(x != 1u); return x; }
fn deep(x: u32) -> u32 { for (var i = 0u; ; i++) { if i > 2u { return 1u; } _ = check(x); } return 5u; }
fn deep_struct(x: u32) -> Part { var part: Part; part.list[1] = vec2u(check(x)); return part; }
`;

/** Programs of several functions and stages. */
export const WHOLE: readonly Program[] = [
  {
    name: "nested structs, arrays and matrices",
    code:
      `struct P { a: vec2f, b: array<mat2x2f, 2> } struct Q { p: array<P, 2>, on: bool, n: vec3<bool> }
${MAIN} { var q: Q; q.p[1].a.y = 2.5; q.p[1].b[1][0][1] = 3.0; q.n.y = true;
  printf("%v\\n", q.p[1]); printf("%v|%v|%v\\n", q.on, q.n, q.p[1].a.yx); }`,
    prints: [
      "3 [0:0] P { a: (0, 2.5), b: [((0, 0), (0, 0)), ((0, 3), (0, 0))] }",
      "3 [0:0] false|(false, true, false)|(2.5, 0)",
    ],
  },
  {
    name: "pointers, and their targets in messages",
    code:
      `${WORDS}fn inc(p: ptr<function, u32>) { *p += 1u; printf("in %v\\n", p); assert(*p < 3u, "p is %u", *p); }
${MAIN} { var x = 0u; let q = &x; for (var i = 0; i < 5; i++) { inc(q); o[0] = x; } o[1] = 1u; }`,
    prints: [
      ...["2 [0:0] in 1", "2 [0:0] in 2", "2 [0:0] in 3"],
      "2 [0:0] assertion failed: *p < 3u: p is 3",
    ],
    words: [2, 0],
  },
  {
    name: "arguments are evaluated once, in their order",
    code: `var<private> n = 0; fn next() -> i32 { n++; return n; }
${MAIN} { printf("%d %d %d|", next(), next(), next()); printf("%d\\n", n); }`,
    prints: ["2 [0:0] 1 2 3|3"],
  },
  {
    name: "early returns and nested calls",
    code:
      `${WORDS}fn a(x: u32) -> u32 { if x == 0u { printf("zero\\n"); return 7u; } assert(x != 2u, "x %u", x); return x; }
fn b(x: u32) -> u32 { return a(x) + a(x + 1u); } fn c(x: u32) -> u32 { return b(x) * 2u; }
${LANES} { o[lane] = c(lane); printf("%u\\n", o[lane]); }`,
    prints: [
      "2 [0:0] zero",
      "4 [0:0] 16",
      "2 [0:1] assertion failed: x != 2u: x 2",
      "2 [0:2] assertion failed: x != 2u: x 2",
      "4 [0:3] 14",
    ],
    words: [16, 0, 0, 14],
  },
  {
    name: "aliases of what a function gives back",
    code:
      `${WORDS}alias F = vec3f; alias A = array<F, 2>; fn g(x: f32) -> A { assert(x < 1.0); return A(F(x), F(1)); }
${LANES} { let a = g(f32(lane)); o[lane] = u32(a[1].x) + 1; }`,
    prints: [1, 2, 3].map((lane) => `2 [0:${lane}] assertion failed: x < 1.0`),
    words: [2, 0, 0, 0],
  },
  {
    name: "an index is evaluated before the value, which may end the lane",
    code: `${WORDS}var<private> n = 0u; fn next() -> u32 { n++; assert(n < 4u); return n; }
${MAIN} { o[n] = next(); o[n] += next() * 10u; o[next()] = next(); o[7] = 1u; }`,
    prints: ["2 [0:0] assertion failed: n < 4u"],
    words: [1, 20, 0, 0, 0, 0, 0, 0],
  },
  {
    name: "an index that ends the lane writes nothing",
    code: `${WORDS}fn f(x: u32) -> u32 { assert(x < 3u); return x; }
fn put(v: ptr<function, vec3u>, x: u32) { (*v)[f(x)] = 5u; v[f(x + 1u)] += 5u; }
${LANES} { var v = vec3u(1); var a = array(vec2u(1), vec2u(2)); if lane == 0u { o[f(3u)] = 9u; } if lane == 1u { o[f(1u)] += f(2u); o[f(3u)]++; }
  if lane == 2u { v[f(1u)] = 7u; a[f(1u)].y = f(2u); o[2] = v[1] + a[1].y; v[f(4u)] = 6u; o[2] = 0u; } if lane == 3u { o[3] = 4u; put(&v, 2u); o[3] = 0u; } o[4] = 1u; }`,
    prints: [0, 1, 2, 3].map((lane) => `2 [0:${lane}] assertion failed: x < 3u`),
    words: [0, 2, 9, 4, 0],
  },
  {
    name: "a call does not happen whose argument ends the lane",
    code: `@group(0) @binding(0) var<storage, read_write> o: array<atomic<u32>>;
fn f(x: u32) -> u32 { assert(x < 3u); return x; } fn put(i: u32, v: u32, w: f32) { atomicAdd(&o[i], v + u32(w)); }
${LANES} { put(lane, f(2u), 1); if lane == 0u { atomicStore(&o[f(0u)], f(3u)); } if lane == 1u { put(f(3u), 7u, 1); }
  if lane == 2u { put(f(lane), f(1u), 1 + 1); put(2u, lane, f32(f(9u))); } }`,
    prints: [0, 1, 2].map((lane) => `2 [0:${lane}] assertion failed: x < 3u`),
    words: [3, 3, 6, 3],
  },
  {
    name: "components, columns and structs as targets",
    code:
      `${WORDS}struct R { a: array<vec2u, 2> } fn f(x: f32) -> f32 { assert(x < 2.0); return x; }
fn r(x: u32) -> R { return R(array(vec2u(x), vec2u(u32(f(f32(x)))))); }
${LANES} { var v = vec3f(9); var m = mat2x2f(); v[lane % 3u] = f(0.5); v.z *= f(1.5); m[1] = vec2f(f(1.0));
  var s: R; s = r(lane / 2u); s.a[1].y = r(1u).a[0].x + 4u; m[0][1] -= f(f32(lane)); o[lane] = u32(v.z + m[1].x - m[0].y) + s.a[1].y; }`,
    prints: [2, 3].map((lane) => `2 [0:${lane}] assertion failed: x < 2.0`),
    words: [19, 20, 0, 0],
  },
  {
    name: "where lanes meet, nothing ends",
    code: `${WORDS}var<workgroup> w: array<u32, 4>; var<workgroup> sum: atomic<u32>;
fn sync(x: u32) -> u32 { w[x] = x; workgroupBarrier(); return w[3u - x]; } fn check(x: u32) { assert(x < 3u, "%v", w); }
${LANES} { let s = sync(lane); check(s); atomicAdd(&sum, 1u); workgroupBarrier(); o[lane] = s + atomicLoad(&sum); printf_if(lane == 3u, "%v %v\\n", sum, &sum); }`,
    prints: ["3 [0:0] assertion failed: x < 3u: [0, 1, 2, 3]", "4 [0:3] 4 4"],
    words: [7, 6, 5, 4],
  },
  {
    name: "arrays of a length that is known when it runs",
    code:
      `${WORDS}${MAIN} { let p = &o; printf("%v %u\\n", p, arrayLength(&o)); o[1] = 3u; printf("%.3v\\n", o); }`,
    prints: [`2 [0:0] [${ZEROS}] 16`, `2 [0:0] [0, 3, ${ZEROS.slice(6)}]`],
  },
  {
    name: "calls over lines, whatever ends them",
    code:
      `fn g() {}\r\n${MAIN} {\n printf(\n  "%u %u" // c\n  ,\n 1u, /* a\n b */ 2u\n );\r\n printf("\\n"); assert(false,\n "z");\n}`,
    prints: ["3 [0:0] 1 2", "9 [0:0] assertion failed: false: z"],
  },
  {
    name: "the author's names, whatever is generated",
    code:
      `${WORDS}var<private> printf_ring: u32; var<private> printf_place = 1u; fn p_1(p_2: u32) {} struct printf_Ring { printf_x_: u32 }
fn f(printf_1: u32, u: u32) -> u32 { printf("%u\\n", printf_place + printf_1); assert(u < 1u); return u; }
${MAIN} { p_1(1u); let stopped = f(1u, 0u); let printf_stopped = 3u; o[0] = f(stopped, 1u) + printf_stopped; o[1] = 1u; }`,
    prints: ["3 [0:0] 2", "3 [0:0] 1", "3 [0:0] assertion failed: u < 1u"],
    words: [0, 0],
  },
  {
    name: "functions that nobody reaches, and that call those which print",
    code:
      `${WORDS}fn shared_one(x: u32) -> u32 { assert(x < 2u); return x; } fn dead(p: u32) -> u32 { printf("dead"); assert(p < 1u, "%v", q); return shared_one(p); }
${MAIN} { o[0] = shared_one(1u) + shared_one(2u); } var<private> q: u32;`,
    prints: ["2 [0:0] assertion failed: x < 2u"],
    words: [0],
  },
  {
    name: "every workgroup, overrides and attributes",
    code:
      `override N = 3u; struct S { @builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32 } @must_use fn g(x: u32) -> vec2u { if x > 0u { assert(false, "deep %u", N); } return vec2u(x); }
@compute @workgroup_size(2) fn main(s: S, @builtin(num_workgroups) n: vec3u) { printf("%v\\n", g(s.id.x) + n.xy); }`,
    prints: [
      ...["2 [0:0] (2, 1)", "2 [0:1] (2, 1)"],
      ...["1 [1:0] assertion failed: false: deep 3", "1 [1:1] assertion failed: false: deep 3"],
    ],
    groupCount: 2,
  },
  {
    name: "pixels that fail are not drawn, nor go on as helpers",
    code: `${VERTEX}fn tick(x: f32) -> f32 { assert(x < 1.0); return 1.0; }
${PIXEL} { var c = 0.0; for (var i = 0; i < 3; i++) { c += tick(p.x) * 0.25; printf_if(p.y < 1.0, "%d", i); }
  loop { if c > 0.7 { break; } continuing { c += 0.3; assert(p.y < 9.0); } } return vec4f(c); }`,
    prints: [
      "4 [pixel 0,0] 012",
      "3 [pixel 1,0] assertion failed: x < 1.0",
      "3 [pixel 1,1] assertion failed: x < 1.0",
    ],
    reds: [191, 0, 191, 0],
  },
  {
    name: "derivatives before, in and behind what prints",
    code:
      `${VERTEX}fn both(x: f32) -> f32 { assert(x < 1.0, "x %v", x); return x; } @compute @workgroup_size(1) fn c() { _ = both(0.0); }
${PIXEL} { let w = fwidth(p.x); printf("%v ", dpdx(p.x)); let b = both(p.x); printf("%v\\n", w * b / b); return vec4f(w); }`,
    prints: [0, 1].flatMap((y) => [
      `4 [pixel 0,${y}] 1 1`,
      `4 [pixel 1,${y}] 1 `,
      `3 [pixel 1,${y}] assertion failed: x < 1.0: x 1.5`,
    ]),
    reds: [255, 0, 255, 0],
  },
  {
    name: "discards within a chain of conditions",
    code:
      `struct In { @builtin(position) at: vec4f } alias Alias = In; ${VERTEX}fn t(x: f32) -> bool { assert(x < 1.0, "t %v", x); return x > 0.0; }
@fragment fn fs(in: Alias) -> @location(0) vec4f { if in.at.y > 9.0 { return vec4f(0.5); } else if t(in.at.x) { if t(in.at.y) { return vec4f(1); } else { return vec4f(0.2); } } return vec4f(0.1); }`,
    prints: ["1,0", "0,1", "1,1"].map((at) => `3 [pixel ${at}] assertion failed: x < 1.0: t 1.5`),
    reds: [255, 0, 0, 0],
  },
  {
    name: "a fragment stage without a position of its own",
    code:
      `${VERTEX}@fragment fn fs() -> @location(0) vec4f { printf("here\\n"); return vec4f(1); }`,
    prints: ["0,0", "1,0", "0,1", "1,1"].map((at) => `3 [pixel ${at}] here`),
    reds: [255, 255, 255, 255],
  },
];

/** Shaders that print and assert: one body each, and whole ones. */
export const PROGRAMS: readonly Program[] = [
  ...BODIES.map(([body, ...printed]): Program => ({
    name: body,
    code: `${MAIN} { ${body} }`,
    prints: printed.map((text) => `${body.startsWith("//") ? 2 : 1} [0:0] ${text}`),
  })),
  ...STOPPING.map((body): Program => {
    const place = body.includes("assert(lane")
      ? "6 [0:1] assertion failed: lane"
      : "3 [0:1] assertion failed: x";
    return {
      name: body,
      code: `${WORDS}${CHECK}${LANES} { ${body} }`,
      prints: [`${place} != 1u`],
      words: [1, 0, 1, 1],
    };
  }),
  ...WHOLE,
];
