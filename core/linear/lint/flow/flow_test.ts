import { assertEquals } from "@std/assert";
import { DROP, ESCAPE, Flow } from "./flow.ts";
import { Block } from "./graph.ts";
import { ImportedNames } from "../syntax/imports.ts";
import { Kinds } from "../syntax/kind.ts";
import { Binding, localFunction, Scope } from "../syntax/scope.ts";

const NODE = { type: "Identifier", range: [0, 1] } as const;

function emptyFlow(): Flow {
  return new Flow(new Kinds(new ImportedNames(NODE)));
}

Deno.test("Flow.mayThrow() leads to the innermost handler of the function", () => {
  const flow = emptyFlow();
  const entry = new Block();
  const local = localFunction(NODE, flow.scope);
  const body = { kind: "function", returnTo: new Block(), local, isFollowed: false } as const;
  flow.mayThrow();
  assertEquals(flow.block === flow.entry, true);
  flow.within({ kind: "catch", entry }, () => {
    flow.mayThrow();
    assertEquals(flow.entry.next.includes(entry), true);
    flow.within(body, () => flow.mayThrow());
    assertEquals(flow.block.next, []);
  });
});

Deno.test("Flow.emit() tells the functions around what they capture", () => {
  const flow = emptyFlow();
  const local = localFunction(NODE, flow.scope);
  const port = new Binding(NODE, { scope: flow.scope, declaredAs: "const" });
  const own = new Binding(NODE, { scope: new Scope(flow.scope, 1), declaredAs: "const" });
  flow.within({ kind: "function", returnTo: new Block(), local, isFollowed: false }, () => {
    flow.emit("use", port, { node: NODE });
    assertEquals([local.touches.has(port), local.consumes.has(port)], [true, false]);
    flow.emit("move", port, { node: NODE });
    flow.emit("move", own, { node: NODE });
  });
  assertEquals([...local.consumes], [port]);
});

Deno.test("Flow.dropTemporary() reports only what nobody takes", () => {
  const flow = emptyFlow();
  flow.dropTemporary(NODE, "port", ESCAPE);
  flow.dropTemporary(NODE, "client", DROP);
  flow.dropTemporary(NODE, undefined, DROP);
  assertEquals(flow.findings, []);
  flow.dropTemporary(NODE, "maybe", DROP);
  assertEquals(flow.findings.map(({ rule }) => rule), ["unconsumed-port"]);
});
