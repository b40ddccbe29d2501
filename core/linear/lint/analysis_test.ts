import { assertEquals } from "@std/assert";
import { findingsIn } from "./testdata/marked_source.ts";

const HEAD =
  `import { TypedClient } from "./linear/mod.ts"; const client = new TypedClient(channel);`;

function linesOf(text: string): readonly string[] {
  return findingsIn(text).map(({ message }) => message);
}

Deno.test("analyse() reports from top to bottom, each finding once", () => {
  const text = `${HEAD}
    const a = client.open(1);
    function f() {
      const b = client.open(2);
      try { if (c) return 1; if (d) return 2; } finally { b.close(); b.use(e); }
    }
    a.close();
    a.close();`;
  assertEquals(linesOf(text), [
    "Port 'b' is used after close() consumed it at line 5",
    "Port 'a' is consumed by close() after close() consumed it at line 7",
  ]);
});

Deno.test("analyse() does not look at files without typed ports", () => {
  assertEquals(linesOf("const port = client.open(1);"), []);
});

Deno.test("analyse() stands code that is not finished", () => {
  const odd = [
    "for (;;) {}",
    "label: { break label; }",
    "switch (a) {}",
    "try {} catch {}",
    "export default class {}",
    "export default () => client.open(1);",
    "export * from 'a'; export { b } from 'c'; import 'd';",
    "const { ...rest } = client; const [...all] = [client];",
    "declare module 'x' { const port: string; } declare function f(a: string): void;",
    "enum E { A } namespace N { export const x = 1; }",
    "if (a) ; else ;",
    "const a = b as any || c => c === 1 || c === 2;",
    "async function* f() { for await (const x of y) yield* x; }",
    "abstract class A { abstract b(): void; c?: string; accessor d = 1; }",
    "(client as never); client!; <never> client; import.meta; new.target;",
    "a?.[client.open(1).index]?.b(); delete a?.b; a?.b!.c;",
  ];
  for (const line of odd) findingsIn(`${HEAD} ${line}`);
});
