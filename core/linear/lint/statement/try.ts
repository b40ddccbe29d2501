import type { Flow } from "../flow/flow.ts";
import { Block } from "../flow/graph.ts";
import { Scope } from "../syntax/scope.ts";
import { followBlock, followStatements } from "./statement.ts";
import { child, children, part, type SyntaxNode } from "../syntax/syntax.ts";

/** `try`, in each of its forms. */
export function followTry(flow: Flow, node: SyntaxNode): void {
  const finalizer = child(node, "finalizer");
  if (!finalizer) return followCaught(flow, node);
  const entry = new Block();
  const { scope } = flow;
  flow.within({ kind: "finally", entry, finalizer, scope }, () => followCaught(flow, node));
  followBlock(flow, finalizer);
  const after = flow.block;
  flow.block = entry;
  followBlock(flow, finalizer);
  flow.rethrow();
  flow.block = after;
}

function followCaught(flow: Flow, node: SyntaxNode): void {
  const handler = child(node, "handler");
  const block = part(node, "block");
  if (!handler) return followBlock(flow, block);
  const entry = new Block();
  flow.within({ kind: "catch", entry }, () => followBlock(flow, block));
  const after = new Block();
  flow.block.next.push(after);
  flow.block = entry;
  followHandler(flow, handler);
  flow.continueIn(after);
}

function followHandler(flow: Flow, handler: SyntaxNode): void {
  const scope = new Scope(flow.scope, flow.scope.depth);
  scope.declare(child(handler, "param"), "catch");
  const body = part(handler, "body");
  flow.withScope(scope, () => followStatements(flow, children(body, "body")), handler);
}
