import { assertEquals } from "@std/assert";
import { checkedFile, findingsIn, PRELUDE, testMarked } from "../testdata/marked_source.ts";
import { analyse, type Bounds } from "./explore.ts";

Deno.test("analyse() reports from top to bottom, each finding once", () => {
  const text = `${PRELUDE}
    const a = client.open(1);
    function f() {
      const b = client.open(2);
      try { if (c) return 1; if (d) return 2; } finally { b.close(); b.use(e); }
    }
    f();
    f();
    a.close();
    a.close();`;
  assertEquals(findingsIn(text).map(({ rule, node }) => `${node.getText()} ${rule}`), [
    "b.use(e) use-after-move",
    "a.close() double-move",
  ]);
});

Deno.test("analyse() looks at the paths first that take the fewest unusual ways", () => {
  const conditions = Array.from({ length: 20 }, (_, index) => `if (c${index}) work();`).join("\n");
  const file = checkedFile(`${PRELUDE} export function f() {
    const port = client.open(1);
    ${conditions}
    if (last) port.close();
    if (other) client.open(2);
  }`);
  const found = (bounds?: Bounds) => analyse(file, bounds).map(({ node }) => node.getText());
  assertEquals(found({ pathsMax: 1 }), ["client.open(2)"]);
  assertEquals(found({ pathsMax: 30 }), ["port", "client.open(2)"]);
  assertEquals(found(), ["port", "client.open(2)"]);
});

Deno.test("analyse() tells from where more paths lead than it looks at", () => {
  const file = checkedFile(`${PRELUDE}
    export function f() { const port = client.open(1); if (a) work(); if (b) work(); port.close(); }
    export function g() { if (a) client.open(1).close(); }
    export function h() { if (a) work(); if (b) work(); if (c) work(); }`);
  const partly = (pathsMax: number) => {
    const starts: string[] = [];
    analyse(file, { pathsMax, onPartly: (one) => starts.push(one.getText().slice(16, 17)) });
    return starts.join("");
  };
  assertEquals([2, 3, 4].map(partly), ["f", "f", ""]);
});

Deno.test("analyse() does not look at files without typed ports", () => {
  assertEquals(findingsIn("const port = client.open(1);"), []);
});

Deno.test("analyse() stands code that is not finished", () => {
  const odd = [
    "for (;;) {}",
    "label: { break label; } switch (a) {} try {} catch {} if (a) ; else ; enum E { A }",
    "export default class {}",
    "export default () => client.open(1);",
    "export * from 'a'; export { b } from 'c'; import 'd'; namespace N { export const x = 1; }",
    "const { ...rest } = client; const [...all] = [client];",
    "declare module 'x' { const port: string; } declare function f(a: string): void;",
    "const a = b as any || c => c === 1 || c === 2;",
    "async function* f() { for await (const x of y) yield* x; }",
    "abstract class A { abstract b(): void; c?: string; accessor d = 1; }",
    "(client as never); client!; <never> client; import.meta; new.target;",
    "a?.[client.open(1).index]?.b(); delete a?.b; a?.b!.c;",
  ];
  for (const line of odd) findingsIn(PRELUDE + line);
});

testMarked("explore", {
  "nothing is reported where no run comes": `
    const maybe = client.tryOpen(1);
    if (maybe.present) maybe.value.close();
    else if (maybe.present) { maybe.value.close(); maybe.value.close(); }
    if (false) client.open(1);`,
  "a round goes on with what the round before has left": `
    let [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port unconsumed-port
    const c = client.open(3); //! unconsumed-port
    while (ready()) {
      a.use(fill); //! use-after-move
      [a, b] = [b, c];
      c.close(); //! double-move
    }
    b.close(); //! double-move`,
  "a path that cannot be is no path": `
    export function f(port: OwnedPort<0> | undefined) {
      const other = client.open(1);
      port!.close();
      other.close();
    }`,
  "a class of its own is what the program makes of it": `
    class Reserve {
      #held: OwnedPort<0> | undefined;
      run() { this.#held = client.open(1); }
      undo() { this.#held?.close(); this.#held = undefined; }
    }
    const reserve = new Reserve();
    reserve.run();
    if (failed) reserve.undo();
    else reserve.undo();
    class Unused {
      #held: OwnedPort<0> | undefined;
      run() { this.#held = client.open(1); } //! unconsumed-port
      undo() { this.#held?.close(); this.#held = undefined; }
    }
    new Unused().undo();`,
  "each member of a union is usual": `
    type Message = { type: "ask"; id: number } | { type: "abort"; id: number } | { type: "poll" };
    export function front() {
      const pending = new Map<number, OwnedPort<0>>();
      return (message: Message) => {
        if (message.type === "poll") return work(pending.size);
        if (message.type === "abort") return void pending.delete(message.id);
        if (!pending.has(message.id)) pending.set(message.id, client.open(1)); //! unconsumed-port
      };
    }`,
  "ports behind several unusual decisions": `
    export function f(a: boolean, b: boolean, c: boolean, d: boolean) {
      if (a) return;
      if (b) return;
      if (c) return;
      const port = client.open(1); //! unconsumed-port
      if (d) port.close();
    }`,
});
