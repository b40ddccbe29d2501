import { assertEquals } from "@std/assert";
import { Procedure } from "./graph.ts";
import { Binding, Scope } from "../syntax/scope.ts";
import { SyntaxNode } from "../syntax/syntax.ts";

const NODE = new SyntaxNode({ type: "Identifier", range: [0, 1] });

Deno.test("Procedure.owns() what it declares, but not what it is given to work on", () => {
  const procedure = new Procedure(NODE);
  const scope = new Scope();
  const port = new Binding(NODE, { scope, declaredAs: "parameter" });
  assertEquals(procedure.owns(port), false);
  scope.owner = procedure;
  assertEquals(procedure.owns(port), true);
  port.isReference = true;
  assertEquals(procedure.owns(port), false);
});

Deno.test("Procedure.reset() forgets the graph, not who calls it", () => {
  const procedure = new Procedure(NODE);
  const { entry, callSites } = procedure;
  procedure.uses.add(procedure);
  procedure.hasPorts = true;
  callSites.push(entry);
  procedure.reset();
  assertEquals([procedure.uses.size, procedure.hasPorts, procedure.entry === entry], [
    0,
    false,
    false,
  ]);
  assertEquals(procedure.callSites.length, 1);
  assertEquals([procedure.exit.isEnd, procedure.failed.isEnd, procedure.entry.isEnd], [
    true,
    true,
    false,
  ]);
});
