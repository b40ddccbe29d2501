import { assertEquals } from "@std/assert";
import { findMutants } from "./sites.ts";

/** What each mutant of the text says, as `operator: change`. */
function changesOf(text: string, path = "core/a.ts"): string[] {
  return findMutants({ path, text }).map(({ operator, to }) => `${operator}: ${to}`);
}

/** The code as the only lines of a function that returns nothing. */
function inFunction(lines: string): string[] {
  return changesOf(`function f() {\n${lines}\n}`);
}

for (
  const [what, lines, expected] of [
    ["calls are dropped and swapped", "a();\nb();", [
      "swap-statements: b(); a();",
      "drop-statement:",
      "drop-statement:",
    ]],
    ["assignments alone have no order", "this.a = b;\nthis.c = d;", [
      "drop-statement:",
      "drop-statement:",
    ]],
    ["what is declared comes before its use", "const a = b();\nc(a);", ["drop-statement:"]],
    ["wakes", "this.#words.notify(a);", ["drop-wake:"]],
    ["guards", "guard.check(); if (a()) return;", [
      "swap-statements: if (a()) return; guard.check();",
      "drop-guard: if (a()) return;",
      "drop-guard: guard.check();",
      "negate-condition: guard.check(); if (!(a())) return;",
    ]],
    ["limits", "wait(index, deadline);", [
      "drop-statement:",
      "drop-guard: wait(index, undefined);",
    ]],
    ["a negated condition is not compared, too", "if (a === b) c();", [
      "drop-statement:",
      "negate-condition: if (!(a === b)) c();",
    ]],
    ["a condition that is negated already", "if (!a) c();", [
      "drop-statement:",
      "negate-condition: if (a) c();",
    ]],
    ["bounds", "return a < b;", ["compare: return a >= b;", "off-by-one: return a <= b;"]],
    ["sums", "return a + 2;", [
      "off-by-one: return a;",
      "arithmetic: return a - 2;",
      "constant: return a + 3;",
    ]],
    ["texts are no sums", 'return "a" + b;', []],
    ["constants", "return [0, 1, true, Infinity];", [
      "constant: return [1, 1, true, Infinity];",
      "constant: return [0, 0, true, Infinity];",
      "constant: return [0, 1, false, Infinity];",
      "constant: return [0, 1, true, 0];",
    ]],
    ["masks", "return a & ~b;", ["mask-word: return a | ~b;", "mask-word: return a & b;"]],
    ["words and sides", "return [mask.lo, layout.clientLockWord, ControlWord.bell];", [
      "mask-word: return [mask.hi, layout.clientLockWord, ControlWord.bell];",
      "mask-word: return [mask.lo, layout.serverLockWord, ControlWord.bell];",
      "mask-word: return [mask.lo, layout.clientLockWord, ControlWord.freeBell];",
    ]],
    ["and, or, or else", "return a && b || (c ?? d);", [
      "and-or: return a || b || (c ?? d);",
      "and-or: return a && b && (c ?? d);",
      "and-or: return a && b || (d);",
    ]],
    ["awaits", "return await a;", ["remove-await: return a;"]],
    ["looks and flips", "return words.load(a);", ["atomic-to-plain: return words.peek(a);"]],
    ["plain writes", "words.store(a, 1);", [
      "drop-statement:",
      "atomic-to-plain: words.plain[a] = 1;",
      "constant: words.store(a, 0);",
    ]],
    ["texts of errors", "throw new RangeError(`a ${b + 1}`);", ["drop-guard:"]],
  ] as const
) {
  Deno.test(`findMutants(): ${what}`, () => {
    assertEquals(inFunction(lines).map((line) => line.trim()), [...expected]);
  });
}

Deno.test("findMutants(): a read-modify-write becomes a read and a write", () => {
  const found = findMutants({ path: "a.ts", text: "const a = words.or(b, 4);" })
    .find(({ operator }) => operator === "atomic-to-plain");
  const held = "{ const held = words.load(word); words.store(word, held | value); return held; }";
  assertEquals(found?.to, `const a = ((word: number, value: number) => ${held})(b, 4);`);
});

Deno.test("findMutants(): functions return at once, as their type allows", () => {
  const text =
    "function f(): boolean {\n  return a;\n}\nfunction g(): void {\n  const b = 1;\n  c(b);\n}";
  assertEquals(changesOf(text), [
    "return-early: function f(): boolean { return true;",
    "return-early: function f(): boolean { return false;",
    "return-early: function g(): void { return;",
    "constant: const b = 0;",
    "drop-statement: ",
  ]);
});

Deno.test("findMutants(): types, imports and texts stay as they are", () => {
  const text =
    'import { a } from "./a.ts";\ntype B = 1 | 2;\ninterface C { readonly d: 1 }\nconst e: 3 = "4";';
  assertEquals(changesOf(text), []);
});

Deno.test("findMutants() says where a change is, and counts those that read alike", () => {
  const text = "class A {\n  get b() {\n    c(1);\n    c(1);\n    return 2;\n  }\n}";
  const found = findMutants({ path: "core/a.ts", text }).filter(({ operator }) =>
    operator === "constant"
  );
  assertEquals(found.map(({ scope, line, ordinal }) => [scope, line, ordinal]), [
    ["A.b", 3, 0],
    ["A.b", 4, 1],
    ["A.b", 5, 0],
  ]);
});
