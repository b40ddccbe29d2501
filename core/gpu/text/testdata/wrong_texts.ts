/**
 * Texts that no compiler accepts: declarations outside of functions, and statements of the entry point
 * or kernel. § marks the line that a person would name, and is not part of the text. Each may use
 * `idx`, a u32, and `out`, an array of u32.
 */
export const WRONG_TEXTS: readonly (readonly [string, string])[] = [
  [
    "fn h(x: f32) -> f32 { return x; }",
    "let a = idx;\nvar t = 0.0;\n§t += h(a);\nout[0] = u32(t);",
  ],
  [
    "fn h(x: f32) -> f32 { return x; }",
    "let a = idx;\nvar t = 0.0;\nfor (var i = 0u; i < 3u; i++) {\n  if i == 1u {\n    §t += h(a);\n  }\n}\nout[0] = u32(t);",
  ],
  ["fn g(x: u32, y: f32) {}", "let a = idx;\nlet b = 1.5;\n§g(b, a);"],
  ["fn g(x: u32, y: f32) {}", "let a = idx;\n§g(a);"],
  ["fn g(x: u32, y: f32) {}", "let a = idx;\n§g(a, 1.0, 2.0);"],
  ["", "let a = idx;\n§nofn(a);"],
  ["", "let a = idx;\n§out[0] = nothere;"],
  ["", "let a = idx;\nlet b = 1.0;\n§out[0] = a + b;"],
  ["", "let a = idx;\nvar f = 1.0;\n§f = a;"],
  ["", "let a = idx;\nvar f = 1.0;\n§f += a;"],
  ["", "let a = idx;\n§a = 2u;"],
  ["", "let v = vec3f(1.0, 2.0, 3.0);\nlet i = idx;\n§out[0] = u32(v.w);"],
  ["struct S { a: u32, b: f32 }", "var s = S(1u, 2.0);\n§s.c = 2u;"],
  ["struct S { a: u32, b: f32 }", "let i = idx;\nlet f = 1.0;\n§let s = S(f, i);\nout[0] = s.a;"],
  ["struct S { a: u32, b: f32 }", "let i = idx;\n§let s = S(i);\nout[0] = s.a;"],
  ["", "let b = 1.5;\nlet i = idx;\n§if b {\n  out[0] = i;\n}"],
  ["", "let i = idx;\n§while i {\n  out[0] = 1u;\n}"],
  ["", "let i = idx;\n§for (var k = 0u; i; k++) {\n  out[0] = k;\n}"],
  [
    "",
    "let i = idx;\nvar f = 1.0;\nswitch i {\n  case 0u: { out[0] = 1u; }\n  §case 1i: { out[0] = 2u; }\n  default: {}\n}",
  ],
  ["", "let f = 1.0;\nlet q = idx;\n§switch f {\n  case 0u: { out[0] = 1u; }\n  default: {}\n}"],
  ["", "let f = 1.5;\nlet q = idx;\n§out[f] = q;"],
  ["", "let f = 1.5;\nlet q = idx;\n§out[0] = f;"],
  ["", "let f = 1.5;\nlet q = idx;\n§out[0] = max(q, f);"],
  ["", "let q = idx;\nlet r = q;\n§out[0] = u32(sin(r));"],
  ["", "let q = idx;\nlet r = q;\n§out[0] = dot(r, r);"],
  ["", "let q = vec3u(idx);\nlet r = vec2u(idx);\n§out[0] = (q + r).x;"],
  ["", "let q = vec3u(idx);\nlet r = true;\n§out[0] = select(q, 1u, r).x;"],
  [
    "",
    "let q = idx;\nlet m = mat2x2f(1.0, 0.0, 0.0, 1.0);\nlet v = vec3f(1.0);\n§let w = m * v;\nout[0] = u32(w.x);",
  ],
  ["", "let q = idx;\nlet b = true;\n§let c = b + b;\nout[0] = 1u;"],
  ["", "let q = idx;\n§let c = !q;\nout[0] = 1u;"],
  ["", "let q = idx;\n§let c = -q;\nout[0] = 1u;"],
  ["", "let q = idx;\nlet f = 2.0;\n§let c = q << f;\nout[0] = 1u;"],
  ["", "let q = idx;\n§let b = q && true;\nout[0] = 1u;"],
  ["fn f(x: u32) -> u32 {\n  let y = 1.5;\n  let z = x;\n  §return y;\n}", "out[0] = f(idx);"],
  [
    "fn f(x: u32) -> u32 {\n  let y = 1.5;\n  if x == 1u {\n    §return y;\n  }\n  return x;\n}",
    "out[0] = f(idx);",
  ],
  ["fn f(x: u32) {\n  let y = x;\n  §return y;\n}", "f(idx);"],
  ["fn f(x: u32) -> u32 {\n  let y = x;\n  §return;\n}", "out[0] = f(idx);"],
  ["§fn f(x: u32) -> u32 {\n  let y = x;\n  if y == 1u { return y; }\n}", "out[0] = f(idx);"],
  ["fn f(x: u32) {\n  out[0] = x;\n}", "let q = idx;\n§let r = f(q);"],
  ["@must_use fn f(x: u32) -> u32 { return x; }", "let q = idx;\n§f(q);"],
  [
    "fn h(x: f32) -> f32 { return x; }\nfn k(x: u32) -> f32 {\n  let a = x;\n  let b = a;\n  §return h(b);\n}",
    "out[0] = u32(k(idx));",
  ],
  ["fn h(x: ptr<function, u32>) { *x = 1u; }", "var f = 1.5;\nlet q = idx;\n§h(&f);"],
  ["fn h(x: ptr<function, u32>) { *x = 1u; }", "var f = 1u;\nlet q = idx;\n§h(f);"],
  [
    "fn h(x: array<u32, 3>) -> u32 { return x[0]; }",
    "var f = array(1u, 2u);\nlet q = idx;\n§out[0] = h(f);",
  ],
  [
    "fn h(x: vec3f) -> f32 { return x.x; }",
    "let p = vec2f(1.0);\nlet q = idx;\nout[0] = u32(h(\n  §p));",
  ],
  [
    "fn h(x: vec3f, y: f32) -> f32 { return x.x; }",
    "let p = vec3f(1.0);\nlet q = idx;\n/* a\n   comment */\n§out[0] = u32(h(p, q));",
  ],
  ["var<private> g: f32;\nfn h(x: f32) -> f32 { return x; }", "let q = idx;\n§g = q;"],
  ["const N = 1.5;\nfn h(x: u32) -> u32 { return x; }", "let q = idx;\n§out[0] = h(N);"],
  [
    "fn h(x: u32) -> u32 { return x; }",
    "let q = idx;\nvar i = 3;\nloop {\n  i++;\n  §if h(i) == 3u {\n    break;\n  }\n  continuing {\n    i++;\n  }\n}",
  ],
  [
    "fn h(x: u32) -> u32 { return x; }",
    "let q = idx;\nvar i = 3;\nloop {\n  if q == 3u { break; }\n  continuing {\n    i += 1;\n    §break if h(i) == 1u;\n  }\n}",
  ],
  [
    "fn h(x: u32) -> u32 { return x; }",
    "let q = 3;\n§for (var i = h(q); i < 3u; i++) {\n  out[i] = 1u;\n}",
  ],
  [
    "fn h(x: u32) -> u32 { return x; }",
    "let q = 3;\n§for (var i = 0u; i < 3u; i += h(q)) {\n  out[i] = 1u;\n}",
  ],
  ["fn h(x: u32) -> bool { return x == 0u; }", "let q = 3;\n§while h(q) {\n  out[0] = 1u;\n}"],
  [
    "fn h(x: u32) -> bool { return x == 0u; }",
    "let q = 3;\nif idx == 1u {\n  out[0] = 1u;\n§} else if h(q) {\n  out[1] = 1u;\n}",
  ],
  ["fn h(x: u32) -> u32 { return x; }", "let q = 3;\n§switch h(q) {\n  default: {}\n}"],
  ["fn h(x: u32) -> u32 { return x; }", "let größe = 3;\n§let ä = idx; out[1] = h(größe);"],
  ["struct S { a: u32 }\nfn h(s: S) -> u32 { return s.a; }", "let q = idx;\n§out[0] = h(q);"],
  [
    "struct S { a: u32 }\nstruct T { a: u32 }\nfn h(s: S) -> u32 { return s.a; }",
    "let q = T(idx);\nlet r = idx;\n§out[0] = h(q);",
  ],
  ["fn h(x: u32) -> u32 { return x; }", "let q = idx;\nlet r = h(h(h(\n  §1.5\n)));"],
  ["", "let q = idx;\n§out[0] = bitcast<vec2f>(q).x;"],
  ["", "let q = idx;\n§break;"],
  ["", "let q = idx\n§out[0] = q;"],
  ["", "let q = idx;\n§let q = 2u;\nout[0] = q;"],
  ["", "let q = idx;\n§atomicAdd(&out[0], q);"],
  ["", "let q = vec4u(idx);\nvar w = q;\n§w.xy = vec2u(1u);"],
  ["", "let q = idx;\n§let w = array<u32, 3>(1u, q);"],
  ["", "let q = 1.5;\n§let w = vec3u(1u, q, 1u);"],
  ["§struct S { a: Nope }", "let q = idx;"],
  ["§var<private> z: u32 = 1.5;", "let q = idx;"],
  ["fn f() -> u32 { return f2(); }\n§fn f2() -> u32 { return 1.5; }", "out[0] = f();"],
  ["§const A = 1 / 0;", "out[0] = u32(A);"],
  ["", "let q = idx;\n§let z = array(1u, 2u)[5];\nout[0] = z;"],
  ["fn f(x: f32) {} fn g() { let a = 1u; let b = 2u;\n §f(a); }", "g();"],
  [
    "fn f(x: u32) -> f32 {\n  var r = 0.0;\n  {\n    let z = x;\n    {\n      r = 1.0;\n      §r = z;\n    }\n  }\n  return r;\n}",
    "out[0] = u32(f(idx));",
  ],
  ["", "let q = idx;\n§let r = arrayLength(&q);"],
  ["", "let q = idx;\nlet r = &out[0];\nlet t = 1.5;\n§*r = t;"],
  ["", "let q = idx;\nlet t = 1.5;\nout[0]++;\n§t++;"],
  ["", "let q = idx;\nlet t = 1.5;\nvar u = true;\n§u++;"],
  ["", "let q = idx;\n§const_assert 1 > 2;"],
  [
    "fn h(x: f32) -> f32 { return x; }",
    "let a = idx;\nlet b = a;\n§let c = b; let d = 1.0; _ = h(d); _ = h(c);",
  ],
  [
    "fn h(x: f32) -> f32 { return x; }",
    "let a = idx;\nvar v: array<f32, 4>;\nv[a] = h(1.0);\n§v[a + 1u] = h(a);",
  ],
  ["", "let a = 1.5;\nvar v: array<u32, 4>;\nv[0] = 1u;\n§v[1] = a;"],
  ["", "let a = idx;\n§let v: f32 = a;"],
  ["", "let a = idx;\n§var v: vec2f = vec2u(a, a);"],
  ["", "let a = idx;\n§let c = a == 1.0;"],
  ["", "let a = idx;\nlet b = 1;\n§let c = a == b;"],
];

/** A kernel with one of them, of which calls make steps. */
export function kernelOf(outside: string, body: string): string {
  return `@group(1) @binding(0) var<storage, read_write> out: array<u32>;
@service(40000) fn square(x: u32) -> u32;
${outside}
fn kernel() {
  let idx = lane_index;
  out[3] = square(idx);
${body}
  out[4] = square(idx);
}
`;
}
