import type { Flow, Frame } from "../flow/flow.ts";
import { followBlock } from "./statement.ts";
import { child, type SyntaxNode, word } from "../syntax/syntax.ts";

/** `break` and `continue`, with or without a label. */
export function followLoopJump(flow: Flow, node: SyntaxNode): void {
  const label = child(node, "label");
  const name = label ? word(label, "name") : "";
  const isBreak = node.type === "BreakStatement";
  const index = flow.frames.findLastIndex((frame) => takesJump(frame, name, isBreak));
  const frame = flow.frames[index];
  if (frame?.kind !== "target") return flow.stop();
  unwind(flow, index, node);
  flow.block.next.push(isBreak ? frame.breakTo : frame.continueTo ?? frame.breakTo);
  flow.stop();
}

function takesJump(frame: Frame, name: string, isBreak: boolean): boolean {
  if (frame.kind !== "target") return false;
  if (name !== "") return frame.label === name;
  return isBreak ? frame.takesBareBreak : frame.continueTo !== undefined;
}

/** Leaves the function, its value already consumed. */
export function followReturn(flow: Flow, node: SyntaxNode): void {
  const index = flow.frames.findLastIndex(({ kind }) => kind === "function");
  const frame = flow.frames[index];
  unwind(flow, index, node);
  if (frame?.kind === "function") flow.block.next.push(frame.returnTo);
  flow.stop();
}

/** A `throw` statement: goes to whoever catches, or out of the function. */
export function followThrow(flow: Flow, node: SyntaxNode): void {
  const index = flow.frames.findLastIndex((frame) =>
    frame.kind === "catch" || (frame.kind === "function" && !frame.isFollowed)
  );
  const frame = flow.frames[index];
  unwind(flow, index, node);
  if (frame?.kind === "catch") flow.block.next.push(frame.entry);
  flow.stop();
}

/**
 * Passes every frame inside frame `index` on the way out: names end, finalizers run. A finalizer
 * is followed once for each jump through it, which keeps the paths apart.
 */
function unwind(flow: Flow, index: number, node: SyntaxNode): void {
  for (let inner = flow.frames.length - 1; inner > index; inner--) {
    const frame = flow.frames[inner]!;
    if (frame.kind === "scope") flow.leave(frame.scope, node);
    if (frame.kind === "finally") followFinalizer(flow, inner, frame);
  }
}

function followFinalizer(
  flow: Flow,
  index: number,
  frame: Extract<Frame, { kind: "finally" }>,
): void {
  const inside = flow.frames.splice(index);
  const { scope } = flow;
  flow.scope = frame.scope;
  followBlock(flow, frame.finalizer);
  flow.scope = scope;
  flow.frames.push(...inside);
}
