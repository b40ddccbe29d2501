import { assertEquals } from "@std/assert";
import { DROP, ESCAPE, Flow } from "./flow.ts";
import { Procedure } from "./graph.ts";
import { Binding, LocalFunction, Scope } from "../syntax/binding.ts";
import type { FunctionNode } from "../syntax/syntax.ts";
import { Oracle } from "../types/oracle.ts";
import { linearType } from "../types/value_type.ts";
import { checkedFile, testMarked } from "../testdata/marked_source.ts";

const PORT = linearType("port");
const NODE = checkedFile("a").source;

function emptyFlow(): Flow {
  const types = new Oracle(checkedFile("a"));
  const follow = { expression() {}, statements() {} };
  return new Flow(types, follow);
}

Deno.test("Flow.mayThrow() leads to the innermost handler of the procedure", () => {
  const flow = emptyFlow();
  const entry = flow.newBlock();
  flow.mayThrow();
  flow.within({ kind: "catch", entry }, () => {
    flow.mayThrow();
    flow.inProcedure(new Procedure(NODE), flow.scope, () => {
      assertEquals(flow.handler() === flow.procedure.failed, true);
    });
  });
  const goals = flow.block.events.map((event) => event.act === "throw" && event.to);
  assertEquals([goals[0] === flow.main.failed, goals[1] === entry, goals.length], [true, true, 2]);
});

Deno.test("Flow.mayThrow() says nothing where nothing has happened since the last time", () => {
  const flow = emptyFlow();
  flow.mayThrow();
  flow.mayThrow();
  assertEquals(flow.block.events.length, 1);
});

Deno.test("Flow.emit() tells the procedure what it does to names from outside", () => {
  const flow = emptyFlow();
  const inner = flow.newProcedure(NODE);
  const port = new Binding(NODE, { scope: flow.scope, declaredAs: "const" });
  const scope = new Scope(flow.scope);
  scope.owner = inner;
  const own = new Binding(NODE, { scope, declaredAs: "const" });
  flow.inProcedure(inner, scope, () => {
    flow.emit("use", port, { node: NODE });
    assertEquals([inner.touches.has(port), inner.consumes.has(port)], [true, false]);
    flow.emit("move", port, { node: NODE });
    flow.emit("move", own, { node: NODE });
  });
  assertEquals([...inner.consumes], [port]);
  assertEquals([port.isConsumed, own.isConsumed, inner.hasPorts], [true, true, true]);
});

Deno.test("Flow.currentFunction looks out of a finally", () => {
  const flow = emptyFlow();
  const { statements: [made] } = checkedFile("function f() {}").source;
  const local = new LocalFunction(made as FunctionNode, flow.scope);
  flow.within({ kind: "function", returnTo: flow.newBlock(), local }, () => {
    const { frames, scope, procedure } = flow;
    flow.within({ kind: "outside", frames: [...frames], scope, procedure }, () => {
      flow.frames = flow.frames.slice(-1);
      assertEquals(flow.currentFunction === local, true);
    });
  });
});

Deno.test("Flow.dropTemporary() reports only what nobody takes", () => {
  const flow = emptyFlow();
  flow.dropTemporary(NODE, PORT, ESCAPE);
  flow.dropTemporary(NODE, { kind: "list" }, DROP);
  flow.dropTemporary(NODE, { ...PORT, isLoan: true }, DROP);
  flow.dropTemporary(NODE, undefined, DROP);
  assertEquals(flow.block.events, []);
  flow.dropTemporary(NODE, PORT, DROP);
  assertEquals(flow.block.events.map(({ act }) => act), ["fault"]);
});

testMarked("call of a procedure", {
  "recursion comes to an end": `
    const port = client.open(1);
    const down = (count: number): void => { if (count > 0) down(count - 1); };
    down(3);
    port.close();`,
});
