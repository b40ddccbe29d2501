import type { Flow } from "../flow/flow.ts";
import { callProcedure } from "../flow/call_procedure.ts";
import type { Procedure } from "../flow/graph.ts";
import { followBlock, followStatements } from "./statement.ts";
import { child, children, part, type SyntaxNode } from "../syntax/syntax.ts";

/** `try`, in each of its forms. */
export function followTry(flow: Flow, node: SyntaxNode): void {
  const block = child(node, "finalizer");
  if (!block) return followCaught(flow, node);
  const finalizer = finalizerProcedure(flow, block);
  const entry = flow.newBlock();
  flow.within({ kind: "finally", entry, finalizer }, () => followCaught(flow, node));
  callProcedure(flow, finalizer);
  const after = flow.block;
  flow.block = entry;
  callProcedure(flow, finalizer);
  flow.block.next.push(flow.handler());
  flow.block = after;
}

/** A `finally` as a procedure: it runs on each way out of its `try`, and then the way goes on. */
function finalizerProcedure(flow: Flow, block: SyntaxNode): Procedure {
  const finalizer = flow.newProcedure(block);
  const { frames, scope, procedure } = flow;
  flow.inProcedure(finalizer, scope, () => {
    flow.within({ kind: "outside", frames: [...frames], scope, procedure }, () => {
      followBlock(flow, block);
    });
    flow.block.next.push(finalizer.exit);
  });
  return finalizer;
}

function followCaught(flow: Flow, node: SyntaxNode): void {
  const handler = child(node, "handler");
  const block = part(node, "block");
  if (!handler) return followBlock(flow, block);
  const entry = flow.newBlock();
  flow.within({ kind: "catch", entry }, () => followBlock(flow, block));
  const after = flow.newBlock();
  flow.block.next.push(after);
  flow.block = entry;
  followHandler(flow, handler);
  flow.continueIn(after);
}

function followHandler(flow: Flow, handler: SyntaxNode): void {
  const scope = flow.types.statementScope(handler, flow.scope);
  const statements = children(part(handler, "body"), "body");
  flow.withScope(scope, () => followStatements(flow, statements), handler);
}
