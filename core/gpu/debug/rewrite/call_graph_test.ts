import { assertEquals } from "@std/assert";
import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { CallGraph, CallWays } from "./call_graph.ts";

const text = new WgslText(`
fn d() { } fn c() { d(); d(); } fn b() { c(); d(); } fn a() { b(); b(); c(); }
fn other() { b(); var d = 1; } fn alone() { }`);
const graph = new CallGraph(text);

function named(name: string): FunctionDeclaration {
  return graph.functions.find((one) => one.name.text === name)!;
}

Deno.test("CallGraph finds callers and what is called, directly or not", () => {
  const names = (found: Iterable<{ readonly name: { readonly text: string } }>) =>
    [...found].map(({ name }) => name.text).toSorted().join(" ");
  assertEquals(names(graph.callersOf([named("c")])), "a b c other");
  assertEquals(names(graph.calledBy([named("b")])), "b c d");
  assertEquals(names(graph.calledBy([named("alone")])), "alone");
});

Deno.test("CallWays numbers each way from an entry to a function differently", () => {
  const ways = new CallWays(graph);
  const found: string[] = [];
  const follow = (name: string, way: number, chain: readonly string[]): void => {
    if (name === "d") {
      const told = ways.chainOf(named("d"), way).map(({ caller, at }) =>
        `${caller.name.text}${at}`
      );
      assertEquals(told, chain);
      found.push(`${way}`);
    }
    for (const { caller, callee, at } of graph.calls) {
      if (caller !== named(name)) continue;
      follow(callee.name.text, way + ways.offsetOf(at), [`${name}${at}`, ...chain]);
    }
  };
  for (const entry of ["a", "other"]) follow(entry, 0, []);
  // Three ways lead through each of b's three callers, and two through a's call of c.
  assertEquals(
    found.map(Number).toSorted((a, b) => a - b),
    Array.from({ length: 11 }, (_, at) => at),
  );
  assertEquals(ways.chainOf(named("d"), 99), []);
});

Deno.test("CallWays tells no chain where one word cannot", () => {
  const steps = Array.from(
    { length: 40 },
    (_, at) => `fn f${at}() { f${at + 1}(); f${at + 1}(); }`,
  );
  const deep = new CallGraph(new WgslText(`${steps.join("\n")}\nfn f40() { }`));
  const ways = new CallWays(deep);
  assertEquals(ways.chainOf(deep.functions[40]!, 5), []);
  assertEquals(ways.chainOf(deep.functions[2]!, 3).length, 2);
});

Deno.test("bodyOf() is undefined for what is no WGSL", () => {
  const broken = new CallGraph(new WgslText("fn f() { let = ; }"));
  assertEquals(broken.bodyOf(broken.functions[0]!), undefined);
});
