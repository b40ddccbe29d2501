import { assertEquals } from "@std/assert";
import { findMutants } from "./sites.ts";

/** What each mutant of a function's body says, as `operator: change`. */
function changesOf(body: string): string[] {
  const text = `const A = 1u;\nfn f(a: array<u32, 2>) {\n${body}\n}`;
  return findMutants({ path: "core/gpu/a.wgsl", text })
    .map(({ operator, to }) => `${operator}: ${to}`);
}

for (
  const [what, body, expected] of [
    ["statements", "a();\nb = a.x;", [
      "drop-statement: ",
      "swap-statements: b = a.x; a();",
      "drop-statement: ",
      "mask-word: b = a.y;",
    ]],
    ["barriers", "workgroupBarrier();", ["drop-barrier: "]],
    ["conditions", "if a && !b { return; }", [
      "negate-condition: if !(a && !b) { return; }",
      "and-or: if a || !b { return; }",
      "drop-guard: if a && !b { }",
    ]],
    ["ends of loops", "loop { continuing { break if a; } }", [
      "drop-guard: loop { continuing { } }",
      "negate-condition: loop { continuing { break if !(a) ; } }",
    ]],
    ["loops keep their heads", "for (var i = 0u; i < 2u; i++) {}", [
      "constant: for (var i = 1u; i < 2u; i++) {}",
      "compare: for (var i = 0u; i >= 2u; i++) {}",
      "off-by-one: for (var i = 0u; i <= 2u; i++) {}",
      "constant: for (var i = 0u; i < 3u; i++) {}",
    ]],
    ["references are no masks", "let b = atomicLoad(&c[d & 3u]);", [
      "mask-word: let b = atomicLoad(&c[d | 3u]);",
      "constant: let b = atomicLoad(&c[d & 4u]);",
    ]],
    ["types are passed over", "var b = array<vec2<u32>, 2>();", []],
    ["comments are none of it", "// a < 1u", []],
  ] as const
) {
  Deno.test(`wgslEdits(): ${what}`, () => {
    assertEquals(changesOf(body), [...expected]);
  });
}
