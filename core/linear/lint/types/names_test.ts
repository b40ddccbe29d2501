import { assertEquals } from "@std/assert";
import { ts } from "../program/compiler.ts";
import type { Binding } from "../syntax/binding.ts";
import { checkedFile } from "../testdata/marked_source.ts";
import { Names } from "./names.ts";

/** The names of a program, as `how name`, each block in parentheses. */
function namesIn(program: string): string {
  const file = checkedFile(program);
  const names = new Names(file);
  const outline = (node: ts.Node, around?: unknown): string => {
    const scope = names.scopeOf(node);
    const parts: string[] = [];
    ts.forEachChild(node, (one) => void parts.push(outline(one, scope)));
    const inner = parts.filter((one) => one !== "");
    if (scope === around) return inner.join(" ");
    const own = [...scope.bindings.values()].map(({ name, declaredAs }) => `${declaredAs} ${name}`);
    return [...own, ...inner].length > 0 ? `(${[own.join(", "), ...inner].join(" ")})` : "";
  };
  return outline(file.source);
}

/** The first name of a program. */
function bindingIn(program: string): Binding {
  const file = checkedFile(program);
  const [binding] = new Names(file).scopeOf(file.source).bindings.values();
  return binding!;
}

Deno.test("Names knows what is declared, how, and in which block", () => {
  const program = "const a = 1, { b, c: [d, ...e] } = x; function f() {} class C {} enum E {}" +
    "using u = x; export let g = 2; namespace N {} type T = 1;";
  assertEquals(
    namesIn(program),
    "(const a, const b, const d, const e, function f, class C, enum E, using u, let g, namespace N)",
  );
  const nested = "function f(this: 1, { a }, ...b) { var c; { let d; var e; } } " +
    "for (const g of h) { let i; } try {} catch (j) { var k; let l; } switch (1) { case 1: let m; }" +
    " class C { constructor(readonly n: 1) {} static { var o; } }";
  assertEquals(
    namesIn(nested),
    "(function f, var k, class C (parameter a, parameter b, var c, var e (let d)) " +
      "(const g (let i)) (catch j, let l) (let m) (property n) (var o))",
  );
});

Deno.test("Names tells what comes into a name", () => {
  const originOf = (program: string) => {
    const { value, isPart = false, partName } = bindingIn(program).origin;
    return [value?.getText(), isPart, partName];
  };
  assertEquals(originOf("const a = b;"), ["b", false, undefined]);
  assertEquals(originOf("const { x: a } = b;"), ["b", true, "x"]);
  assertEquals(originOf("const [, a] = await Promise.all([b, c]);"), ["c", false, undefined]);
  assertEquals(originOf("const [a] = [...b];"), ["[...b]", true, "0"]);
});
